// Two trackers on the results of the project, compared off the GUI thread, and drawn over every view.
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "core/results/compare_trackers.h"
#include "ui/main_window/control.h"
#include "ui/platform/background_job.h"
#include "ui/widgets/track_lanes.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace vantage::ui {

// Two trackers side by side on the people of the same results: lanes of both, and the field's measures next
// to each other where truth is loaded.

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

class TrackersControl final : public Control {
  Q_OBJECT
 public:
  explicit TrackersControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;

  void load_truth(const QString& file);
  void compare();

 private:
  struct Compared {
    std::array<ComparedTracker, 2> trackers;
    TrackerDifferences differences;
    double frame_rate = 0;
    // Parameters in use when it was measured, and those that the results were made with.
    ParameterStore in_use, of_results;
    std::vector<TruePerson> drawn;  // the ground truth of the project then
  };
  static Result<Compared> compare_both(const Project& project, const std::filesystem::path& truth_file,
                                       const std::array<ComparedMethod, 2>& methods);
  bool analysed() const { return state().tracks() && !state().tracks()->frames.empty(); }
  void drop_comparison();
  void show(const Compared& compared);
  void draw();
  void mark_outdated();
  void ask_for_truth();

  QAction* draw_;
  TrackersPanel* panel_;
  std::shared_ptr<const Compared> compared_;
  std::filesystem::path truth_;
  BackgroundJob job_;
};

}  // namespace vantage::ui
