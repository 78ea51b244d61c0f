// "Checks ▲1": the tool bar's button with how many checks need a look; only the worst of them are counted.
#pragma once

#include <QToolButton>

namespace vantage::ui {

class ChecksButton final : public QToolButton {
  Q_OBJECT
 public:
  explicit ChecksButton(QAction* checks);
  void show_counts(int failed, int doubtful);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void draw();

  int failed_ = 0, doubtful_ = 0;
};

}  // namespace vantage::ui
