#include "ui/main_window/window_state.h"

#include <filesystem>
#include <utility>

namespace vantage::ui {
namespace {

constexpr ProjectChange kEverythingChanged{true, true, true, true, true, true, true, true, true, true};

bool has_past(const SessionStatus& status) {
  return status.live && status.frame_count > status.live->first_frame;
}

bool same_mode(const SessionStatus& a, const SessionStatus& b) {
  return a.open == b.open && a.playing == b.playing && a.analysing == b.analysing && a.undoes == b.undoes &&
         a.redoes == b.redoes && a.unsaved == b.unsaved && a.held_by == b.held_by &&
         a.keeps_from_analysing == b.keeps_from_analysing && a.without_video == b.without_video &&
         !a.live == !b.live && has_past(a) == has_past(b) &&
         (!a.live || a.live->recording.has_value() == b.live->recording.has_value());
}

}  // namespace

FrameRange WindowState::frames_of_range() const {
  return {range_.in.value_or(0), range_.out ? *range_.out + 1 : status_.frame_count};
}

QString WindowState::why_busy() const {
  return work_ ? work_->why_busy : tr("An analysis is running.");
}

void WindowState::begin_opening(const QString& file) {
  opening_ = true, stopping_ = false;
  opening_file_ = file;
  status_ = {};
  forget();
  emit changed(Change::project | Change::other_project | Change::status | Change::mode);
}

void WindowState::begin_stopping() {
  if (!status_.analysing) return;
  stopping_ = true;
  emit changed(Change::status | Change::mode);
}

void WindowState::forget() {
  open_ = false;
  project_ = {};
  shown_.reset();
  tracks_.reset();
  range_ = {};
  clock_.reset();
  emit forgotten();
}

// Whether it is the project that is being opened, as load_project() names it.
bool WindowState::is_awaited(const Project& project) const {
  if (!opening_) return true;
  if (opening_file_.isEmpty()) return project.path.empty();
  std::error_code failed;
  const std::filesystem::path file = opening_file_.toStdString();
  const std::filesystem::path whole = std::filesystem::absolute(file, failed).lexically_normal();
  return project.path == (failed ? file : whole);
}

void WindowState::set_project(const Project& project) {
  if (!is_awaited(project)) return;
  const bool other = !open_ || opening_ || project.path != project_.path ||
                     project.cameras.size() != project_.cameras.size();
  project_change_ = other ? kEverythingChanged : difference(project, project_);
  if (other) {
    forget();
    saved_parameters_ = project.path.empty() ? default_parameters() : project.parameters;
  }
  opening_ = false;
  open_ = status_.open = true;
  project_ = project;
  emit changed(other ? Change::project | Change::other_project : Changes(Change::project));
}

void WindowState::close() {
  opening_ = stopping_ = false;
  status_ = {};
  forget();
  emit changed(Change::project | Change::other_project | Change::status | Change::mode);
}

void WindowState::set_status(const SessionStatus& status) {
  if (opening_ && status.open) return;  // of the project before
  const bool same = same_mode(status, status_);
  stopping_ = stopping_ && status.analysing;
  status_ = status;
  status_.open = status.open || open_;
  if (open_ && !status.unsaved && !project_.path.empty()) saved_parameters_ = project_.parameters;
  Changes what = Change::status;
  what.setFlag(Change::mode, !same);
  what.setFlag(Change::frame_rate, status.frame_rate > 0 && status.frame_rate != frame_rate_);
  if (status.frame_rate > 0) frame_rate_ = status.frame_rate;
  emit changed(what);
}

void WindowState::show(const ShownFrameRef& shown) {
  if (!open_) return;
  shown_ = shown;
  emit changed(Change::frame);
}

void WindowState::set_tracks(const TracksRef& tracks) {
  if (!open_) return;
  tracks_ = tracks;
  emit changed(Change::tracks);
}

void WindowState::set_range(const MarkedRange& range) {
  range_ = range;
  emit changed(Change::range);
}

void WindowState::set_clock(const std::optional<RecordingClock>& clock) {
  if (clock == clock_) return;
  clock_ = clock;
  emit changed(Change::clock);
}

void WindowState::resume(const WindowState& before) {
  if (!open_) return;
  saved_parameters_ = before.saved_parameters_;
  emit changed(Change::project);
  set_range(before.range_);
  set_clock(before.clock_);
}

void WindowState::set_work(const std::optional<RunningWork>& work) {
  work_ = work;
  emit changed(Change::mode);
}

}  // namespace vantage::ui
