#include "ui/main_window/residuals/residuals_control.h"

#include "ui/main_window/calibrate/calibrate_control.h"
#include "ui/main_window/of_cameras.h"

namespace vantage::ui {

ResidualsControl::ResidualsControl(const WindowParts& parts)
    : Control(parts),
      residuals_action_(
          add_action({"residuals", "Resi&duals\u2026", "Alt+Shift+R",
                      "Show the residuals of corners or clicks after the last calibration that was solved, "
                      "in pixels: as arrows over each camera's picture, and picture by picture",
                      false, "Residuals\u2026"},
                     {Menu::analysis, "dismiss_calibration"})) {
  auto* calibrate = parts.window->findChild<CalibrateControl*>();
  calibrate->panel()->add_to_proposal(residuals_action_);
  connect(residuals_action_, &QAction::triggered, this, &ResidualsControl::show);
  connect(calibrate, &CalibrateControl::proposed, this, [this](const CalibrationProposal& proposal) {
    if (!proposal.residuals) return;  // by people, or in another world: those before can still be seen
    residuals_ = proposal.residuals;
    cameras_ = of_cameras(project(), &ProjectCamera::name);
    if (dialog_) dialog_->show_residuals(residuals_);
    update_availability();
  });
}

void ResidualsControl::forget() {
  residuals_.reset();
  if (dialog_) dialog_->close();
}

void ResidualsControl::refresh(Changes what) {
  if (what.testFlag(Change::project) && residuals_ && state().open() &&
      of_cameras(project(), &ProjectCamera::name) != cameras_) {
    forget();
    update_availability();
  }
}

void ResidualsControl::update_availability() {
  enable(residuals_action_, residuals_ != nullptr,
         tr("Solve cameras from a board (Alt+Shift+B) or from points (Ctrl+K) first."));
}

void ResidualsControl::show() {
  if (!residuals_) return;
  if (!dialog_) {
    dialog_ = new ResidualsDialog(parts().window);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    dialog_->show_residuals(residuals_);
  }
  dialog_->show();
  dialog_->raise();
  dialog_->activateWindow();
}

}  // namespace vantage::ui
