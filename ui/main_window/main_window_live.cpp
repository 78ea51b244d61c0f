// Live cameras: what the window shows of them and what it cannot do with them.
#include <QDockWidget>

#include "core/base/log.h"
#include "ui/main_window/main_window.h"
#include "ui/panels/health_panel.h"
#include "ui/views/camera_grid.h"
#include "ui/widgets/transport.h"

namespace vantage::ui {

void MainWindow::show_live(const LiveStatus* live) {
  const bool was_live = cameras_->live();
  cameras_->set_live(live != nullptr);
  if (live) {
    health_->show_health(live->health);
    cameras_->set_states(health_->states());
  } else if (was_live) {
    health_->clear();
    cameras_->set_states({});
  }
  if (was_live == (live != nullptr)) return;
  timeline_->setVisible(!live);
  transport_->set_analyse_action(live ? actions_.analyse_all : actions_.analyse_range);
  actions_.analyse_all->setText(live ? tr("Write &Results") : tr("Analyse &All"));
  actions_.analyse_all->setProperty(
      "tip", live ? tr("Write the results of every set from now on, until Stop") : tr("Analyse every frame"));
  actions_.last->setText(live ? tr("Go to &Live") : tr("&Last Frame"));
  actions_.last->setProperty("tip", live ? tr("Show what the cameras see now") : tr("Go to the last frame"));
  if (live && !health_dock_->isVisible()) actions_.health->trigger();
}

// What belongs to recordings.
void MainWindow::update_live_availability() {
  if (!status_.live) return;
  const QString only_now = tr("Live cameras show only what they see now.");
  const auto& a = actions_;
  for (QAction* action :
       {a.backwards, a.forwards, a.step_back, a.step_forward, a.second_back, a.second_forward, a.first,
        a.mark_in, a.mark_out, a.clear_range, a.analyse_range, a.analyse_while_playing})
    set_available(action, false, only_now);
  set_available(a.check, false, tr("Checks look at recordings; the health of live cameras is under F10."));
  set_available(a.find_offsets, false,
                tr("Offsets are found in recordings; live cameras go by their clocks."));
}

}  // namespace vantage::ui
