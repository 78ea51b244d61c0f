// Cameras solved by a board that is shown to them: a page of the Calibrate dock, and the proposal that comes
// of it.
#pragma once

#include "ui/main_window/control.h"

namespace vantage::ui {

class BoardPage;
class CalibrateControl;

class BoardsControl final : public Control {
  Q_OBJECT
 public:
  explicit BoardsControl(const WindowParts& parts);

  void refresh(Changes what) override;
  void update_availability() override;
  void restore(const QSettings& settings) override;
  void save(QSettings& settings) const override;

  BoardPage* page() const { return page_; }
  void show_page();
  // The board as a page of PDF, on paper of that name (board_sheet.h), off the GUI thread.
  void print_to(const QString& file, const QString& paper);

 private:
  void solve();
  void choose_pictures(bool folder);
  void print();

  QAction *solve_, *video_, *folder_, *own_, *print_;
  CalibrateControl* calibrate_;
  BoardPage* page_;
  QWidget* scrolled_;  // the page, which small windows scroll
};

}  // namespace vantage::ui
