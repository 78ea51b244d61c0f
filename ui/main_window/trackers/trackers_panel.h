// Two trackers side by side on the people of the same results: lanes of both, and the field's measures next
// to each other where truth is loaded.
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "core/results/compare_trackers.h"
#include "ui/widgets/track_lanes.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace vantage::ui {

struct ComparedTracker {
  std::vector<Lane> lanes;
  std::optional<TrackingMetrics> metrics;
  std::vector<TrackerSwitch> switches;  // where its IDs switch along the other's; marked without truth
};

class TrackersPanel final : public QWidget {
  Q_OBJECT
 public:
  // The commands stand in its head as buttons.
  explicit TrackersPanel(const std::vector<QAction*>& commands, QWidget* parent = nullptr);

  std::array<ComparedMethod, 2> methods() const;
  void choose(int side, ComparedMethod method);
  void show_comparison(const std::array<ComparedTracker, 2>& trackers);
  void show_text(const QString& words);  // what is going on, or what went wrong
  // Why the measures are of older parameters; empty: they are not.
  void set_outdated(const QString& why);
  void clear();
  TrackLanes* lanes(int side) const { return lanes_[static_cast<size_t>(side)]; }
  QTableWidget* table() const { return table_; }

 signals:
  void methods_changed();
  void seek_requested(qint64 frame);

 private:
  std::array<QComboBox*, 2> methods_;
  std::array<TrackLanes*, 2> lanes_;
  QTableWidget* table_;
  QLabel *words_, *outdated_;
};

}  // namespace vantage::ui
