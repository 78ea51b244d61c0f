#include "ui/main_window/trackers_control.h"

#include <QFileDialog>

#include "core/base/file.h"
#include "core/display/lanes.h"

namespace vantage::ui {
namespace {

using Compared = std::array<ComparedTracker, 2>;

Result<ComparedTracker> follow(const StoredResults& results, ComparedMethod method, const Project& project,
                               const std::vector<TrackRow>* truth) {
  VANTAGE_ASSIGN(const std::vector<PersonPath> paths, follow_again(results, method, project.parameters));
  std::vector<int64_t> frames;
  for (const StoredFrame& frame : results.frames) frames.push_back(frame.frame);
  ComparedTracker tracker{lanes_of(paths, frames), std::nullopt};
  if (!truth) return tracker;
  VANTAGE_ASSIGN(tracker.metrics, measure_paths(paths, results, *truth));
  return tracker;
}

Result<Compared> compare_both(const Project& project, const std::filesystem::path& truth_file,
                              const std::array<ComparedMethod, 2>& methods) {
  VANTAGE_ASSIGN(const StoredResults results, read_results(project.results_folder()));
  std::vector<TrackRow> truth;
  if (!truth_file.empty()) {
    VANTAGE_ASSIGN(const std::string text, read_file(truth_file));
    VANTAGE_ASSIGN(truth, read_mot_csv(text, truth_file.string()));
  }
  Compared both;
  for (size_t side = 0; side < 2; ++side) {
    VANTAGE_ASSIGN(both[side],
                   follow(results, methods[side], project, truth_file.empty() ? nullptr : &truth));
  }
  return both;
}

}  // namespace

TrackersControl::TrackersControl(const WindowActions& actions, TrackersPanel* panel, QObject* parent)
    : QObject(parent), actions_(actions), panel_(panel) {
  connect(actions.compare_trackers, &QAction::triggered, this, &TrackersControl::compare);
  connect(actions.load_truth, &QAction::triggered, this, &TrackersControl::ask_for_truth);
  connect(panel, &TrackersPanel::seek_requested, this, &TrackersControl::seek_requested);
  connect(panel, &TrackersPanel::methods_changed, this, [this] {
    if (analysed_) compare();
  });
}

void TrackersControl::set_project(const Project& project) {
  project_ = project;
}

// Another run, or other repairs: what was compared is of older results.
void TrackersControl::set_tracks(const TracksRef& tracks) {
  analysed_ = tracks && !tracks->frames.empty();
  job_.stop();
  panel_->clear();
}

void TrackersControl::set_frame_count(int64_t count) {
  for (int side = 0; side < 2; ++side) panel_->lanes(side)->set_extent(count);
}

void TrackersControl::show_frame(int64_t frame) {
  for (int side = 0; side < 2; ++side) panel_->lanes(side)->set_frame(frame);
}

void TrackersControl::forget() {
  project_ = {};
  truth_.clear();
  set_tracks(nullptr);
}

void TrackersControl::update_availability(bool open, const QString& why_closed) {
  for (QAction* action : {actions_.compare_trackers, actions_.load_truth})
    set_available(action, open && analysed_, open ? tr("Analyse first.") : why_closed);
}

void TrackersControl::ask_for_truth() {
  const QString folder = QString::fromStdString(project_.path.parent_path().string());
  const QString file = QFileDialog::getOpenFileName(panel_, tr("Load Truth"), folder,
                                                    tr("Tracks on the floor (*.csv);;All files (*)"));
  if (!file.isEmpty()) load_truth(file);
}

void TrackersControl::load_truth(const QString& file) {
  truth_ = file.toStdString();
  compare();
}

void TrackersControl::compare() {
  panel_->show_words(tr("Following everybody with both \u2026"));
  job_.start([this, project = project_, truth = truth_,
              methods = panel_->methods()](const StopSource&) -> BackgroundJob::Deliver {
    return [this, truth, both = std::make_shared<Result<Compared>>(compare_both(project, truth, methods))] {
      if (!*both) return panel_->show_words(QString::fromStdString(both->error().message()));
      panel_->show_words(
          truth.empty()
              ? tr("Load truth (tracks.csv) to measure them.")
              : tr("Against %1, within 0.5 m.").arg(QString::fromStdString(truth.filename().string())));
      panel_->show_comparison(**both);
    };
  });
}

}  // namespace vantage::ui
