// The docks: every panel of the window in its place, with the action that shows it.
#pragma once

#include <QByteArray>
#include <QObject>

#include "core/backend/device.h"
#include "core/base/span_readers.h"
#include "ui/main_window/window_actions.h"

class QDockWidget;
class QMainWindow;
class QSettings;

namespace vantage::ui {

class ChecksPanel;
class EventsPanel;
class FloorPanel;
class HealthPanel;
class LogPanel;
class ParametersPanel;
class PeoplePanel;
class ProposalCard;
class SyncPanel;
class TimingsPanel;
class TrackersPanel;

class WindowDocks final : public QObject {
  Q_OBJECT
 public:
  struct Panels {
    ParametersPanel* parameters;
    ChecksPanel* checks;
    TimingsPanel* timings;
    LogPanel* log;
    ProposalCard* proposal_card;  // inside `sync`
    SyncPanel* sync;
    FloorPanel* floor;
    PeoplePanel* people;
    TrackersPanel* trackers;
    HealthPanel* health;
    EventsPanel* events;
  };

  // Adds the docks to `window`, which owns this. `launches` tells how the kernels in `spans` were launched.
  WindowDocks(QMainWindow& window, const WindowActions& actions, SpanReaders* spans,
              const LaunchLookup& launches);

  const Panels& panels() const { return panels_; }
  void bring_up(QWidget* panel);  // shows its dock, in front of those it shares a place with
  // Aside: none is shown, until they come back as they were.
  void set_aside(bool aside);
  void restore(const QSettings& settings);
  void save(QSettings& settings) const;

 private:
  QDockWidget* add(const QString& title, QWidget* panel, QAction* action);

  QMainWindow& window_;
  Panels panels_;
  QByteArray aside_;  // the window's state to return to; empty: the docks are where people put them
};

}  // namespace vantage::ui
