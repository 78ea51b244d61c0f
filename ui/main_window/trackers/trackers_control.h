// Two trackers on the results of the project, compared off the GUI thread, and drawn over every view.
#pragma once

#include "ui/main_window/control.h"
#include "ui/main_window/trackers/trackers_panel.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class TrackersControl final : public Control {
  Q_OBJECT
 public:
  explicit TrackersControl(const WindowParts& parts);

  void forget() override;
  void refresh(Changes what) override;
  void update_availability() override;
  std::optional<Dock> dock() const override;

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

  QAction *dock_, *compare_, *draw_, *load_truth_;
  TrackersPanel* panel_;
  std::shared_ptr<const Compared> compared_;
  std::filesystem::path truth_;
  BackgroundJob job_;
};

}  // namespace vantage::ui
