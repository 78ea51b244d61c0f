// A button that says what its action will do, as long as there is room for it, and fills up while that is
// being done.
#pragma once

#include <QToolButton>

namespace vantage::ui {

class ActionButton final : public QToolButton {
  Q_OBJECT
 public:
  explicit ActionButton(QWidget* parent = nullptr);

  // The long words; the action's own are shown where these do not fit.
  void set_words(const QString& words);
  const QString& words() const { return words_; }
  void set_share(double share);  // done so far, 0 to 1; negative: nothing is being done
  double share() const { return share_; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QSize size_for(const QString& text) const;
  QString shown() const;

  QString words_;
  double share_ = -1;
};

}  // namespace vantage::ui
