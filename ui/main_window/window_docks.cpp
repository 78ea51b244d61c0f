#include "ui/main_window/window_docks.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>
#include <utility>

#include "ui/panels/checks_panel.h"
#include "ui/panels/events_panel.h"
#include "ui/panels/floor_panel.h"
#include "ui/panels/health_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/people_panel.h"
#include "ui/panels/proposal_card.h"
#include "ui/panels/sync_panel.h"
#include "ui/panels/timings_panel.h"
#include "ui/panels/trackers_panel.h"

namespace vantage::ui {
namespace {

constexpr int kWidth = 360, kMinWidth = 240;
constexpr int kStateVersion = 1;

WindowDocks::Panels make_panels(const WindowActions& a, SpanReaders* spans) {
  auto* card = new ProposalCard(a.apply_offset, a.dismiss_offset);
  return {
      .parameters = new ParametersPanel,
      .checks = new ChecksPanel,
      .timings = new TimingsPanel(spans),
      .log = new LogPanel,
      .proposal_card = card,
      .sync = new SyncPanel(a.find_offsets, a.undo, card),
      .floor = new FloorPanel({a.draw_zone, a.draw_line, a.move_corners, a.delete_shape, a.learn_entrances}),
      .people =
          new PeoplePanel({a.follow_person, a.join_people, a.split_person, a.swap_people, a.delete_person}),
      .trackers = new TrackersPanel({a.compare_trackers, a.draw_trackers, a.load_truth}),
      .health = new HealthPanel,
      .events = new EventsPanel,
  };
}

}  // namespace

WindowDocks::WindowDocks(QMainWindow& window, const WindowActions& actions, SpanReaders* spans,
                         const LaunchLookup& launches)
    : QObject(&window), window_(window), panels_(make_panels(actions, spans)) {
  panels_.timings->set_launches(launches);
  const auto& p = panels_;
  QDockWidget* first = add(tr("Parameters"), p.parameters, actions.parameters);
  QDockWidget* front = first;
  const auto behind = [&](QDockWidget* dock) { window_.tabifyDockWidget(std::exchange(front, dock), dock); };
  behind(add(tr("Checks"), p.checks, actions.checks));
  behind(add(tr("Timings"), p.timings, actions.timings));
  behind(add(tr("Log"), p.log, actions.log));
  behind(add(tr("Synchronisation"), p.sync, actions.synchronisation));
  behind(add(tr("Zones and Lines"), p.floor, actions.floor_dock));
  behind(add(tr("Health"), p.health, actions.health));
  behind(add(tr("Events"), p.events, actions.events));
  window_.setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
  window_.resizeDocks({first}, {kWidth}, Qt::Horizontal);
  // People and trackers lie under the timeline, whose times their lanes share.
  QDockWidget* people = add(tr("People"), p.people, actions.people_dock);
  QDockWidget* trackers = add(tr("Trackers"), p.trackers, actions.trackers_dock);
  window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window_.addDockWidget(Qt::BottomDockWidgetArea, people);
  window_.addDockWidget(Qt::BottomDockWidgetArea, trackers);
  window_.tabifyDockWidget(people, trackers);
}

QDockWidget* WindowDocks::add(const QString& title, QWidget* panel, QAction* action) {
  auto* dock = new QDockWidget(title);
  dock->setObjectName(action->objectName() + "_dock");
  dock->setAccessibleName(title);
  panel->setMinimumWidth(kMinWidth);
  dock->setWidget(panel);
  window_.addDockWidget(Qt::RightDockWidgetArea, dock);
  dock->hide();
  connect(dock, &QDockWidget::visibilityChanged, action, &QAction::setChecked);
  // A dock behind another tab comes to the front; one in front closes.
  connect(action, &QAction::triggered, dock, [dock] {
    const bool in_front = dock->isVisible() && !dock->visibleRegion().isEmpty();
    dock->setVisible(!in_front);
    if (!in_front) dock->raise();
  });
  return dock;
}

void WindowDocks::bring_up(QWidget* panel) {
  QWidget* dock = panel->parentWidget();
  dock->show();
  dock->raise();
}

void WindowDocks::set_aside(bool aside) {
  if (aside == !aside_.isEmpty()) return;
  if (aside) {
    aside_ = window_.saveState(kStateVersion);
    for (QDockWidget* dock : window_.findChildren<QDockWidget*>()) dock->hide();
  } else {
    window_.restoreState(std::exchange(aside_, {}), kStateVersion);
  }
}

void WindowDocks::restore(const QSettings& settings) {
  window_.restoreState(settings.value("state").toByteArray(), kStateVersion);
}

void WindowDocks::save(QSettings& settings) const {
  settings.setValue("state", aside_.isEmpty() ? window_.saveState(kStateVersion) : aside_);
}

}  // namespace vantage::ui
