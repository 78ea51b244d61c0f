#include "ui/main_window/residuals/residuals_control.h"

#include "ui/main_window/calibrate/calibrate_panel.h"
#include "ui/main_window/calibrate/proposal.h"
#include "ui/main_window/of_cameras.h"

namespace vantage::ui {

ResidualsControl::ResidualsControl(const WindowParts& parts) : Control(parts) {
  parts.calibrate->add_to_proposal(add_action(
      {"residuals", "Resi&duals\u2026", "Alt+Shift+R",
       "Show the residuals of corners or clicks after the last calibration that was solved, in "
       "pixels: as arrows over each camera's picture, and picture by picture",
       false, "Residuals\u2026"},
      {Menu::analysis, "dismiss_calibration"}, [this] { show(); },
      [this] {
        return unmet({{residuals_ != nullptr,
                       tr("Solve cameras from a board (Alt+Shift+B) or from points (Ctrl+K) first.")}});
      }));
  // A proposal by people, or of another world, has none: those before can still be seen.
  connect(parts.proposal, &Proposal::found, this, [this] {
    if (const ResidualsRef& found = this->parts().proposal->proposed()->residuals) take(found);
  });
  // Where it could not be solved, the pictures that were used stay ticked.
  connect(parts.proposal, &Proposal::solving_changed, this, [this] {
    if (!this->parts().proposal->solving() && dialog_) dialog_->show_ticks();
  });
}

void ResidualsControl::take(const ResidualsRef& residuals) {
  const auto wanted = std::exchange(wanted_, std::nullopt);
  if (!wanted || wanted->first != residuals->left_out)
    before_.clear();  // another solution
  else if (wanted->second)
    before_.pop_back();
  else
    before_.push_back(residuals_->left_out);
  residuals_ = residuals;
  cameras_ = of_cameras(project(), &ProjectCamera::name);
  show_state();
  update_availability();
}

void ResidualsControl::leave_out(const LeftOut& pictures, bool undoing) {
  wanted_ = {pictures, undoing};
  emit parts().proposal -> pictures_left_out(pictures);
}

void ResidualsControl::show_state() {
  if (!dialog_) return;
  dialog_->show_residuals(residuals_);
  dialog_->undo()->setEnabled(!before_.empty());
}

void ResidualsControl::forget() {
  residuals_.reset();
  before_.clear();
  wanted_.reset();
  if (dialog_) dialog_->close();
}

void ResidualsControl::refresh(Changes what) {
  if (what.testFlag(Change::project) && residuals_ && state().open() &&
      of_cameras(project(), &ProjectCamera::name) != cameras_) {
    forget();
    update_availability();
  }
}

void ResidualsControl::show() {
  if (!residuals_) return;
  if (!dialog_) {
    dialog_ = new ResidualsDialog(parts().window);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &ResidualsDialog::leaves_out, this,
            [this](const LeftOut& pictures) { leave_out(pictures, false); });
    connect(dialog_, &ResidualsDialog::undo_wanted, this, [this] {
      if (!before_.empty()) leave_out(before_.back(), true);
    });
    show_state();
  }
  dialog_->show();
  dialog_->raise();
  dialog_->activateWindow();
}

}  // namespace vantage::ui
