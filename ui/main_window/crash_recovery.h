// Recovery after a crash: changes are kept next to the project a while after they were made, the open project
// is remembered, and both are offered again after an unexpected end.
#pragma once

#include <QTimer>

#include "ui/main_window/control.h"

namespace vantage::ui {

class CrashRecovery final : public Control {
  Q_OBJECT
 public:
  explicit CrashRecovery(const WindowParts& parts);

  void refresh(Changes what) override;
  void apply(const Preferences& preferences) override;

  void project_closed();  // as asked: nothing is to be recovered
  // After runs that did not end well: what was open, and the layout of before where it was set aside.
  void offer_what_was_open(bool layout_set_aside);

 signals:
  void layout_requested();  // the one of before the early end

 private:
  void offer_changes();

  RunMarker* marker_;  // null: nothing is remembered from run to run
  QTimer timer_;
  bool offered_ = false;
};

}  // namespace vantage::ui
