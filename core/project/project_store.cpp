#include "core/project/project_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/process_owner.h"
#include "core/project/missing_files.h"
#include "core/seal/custody.h"

namespace vantage {
namespace {

constexpr size_t kMaxNamed = 4;  // cameras and stages

std::string joined(const std::vector<std::string>& parts, size_t max) {
  std::string text;
  for (size_t i = 0; i < std::min(parts.size(), max); ++i) text += (i > 0 ? ", " : "") + parts[i];
  if (parts.size() > max) text += " and " + std::to_string(parts.size() - max) + " more";
  return text;
}

void add_cameras(const Project& a, const Project& b, std::vector<std::string>* words) {
  const bool same_names =
      std::equal(a.cameras.begin(), a.cameras.end(), b.cameras.begin(), b.cameras.end(),
                 [](const ProjectCamera& x, const ProjectCamera& y) { return x.name == y.name; });
  if (!same_names) return words->push_back("the list of cameras");
  std::vector<std::string> videos, detections, offsets, calibrations, ignored;
  for (size_t c = 0; c < a.cameras.size(); ++c) {
    const ProjectCamera &x = a.cameras[c], &y = b.cameras[c];
    Project one, other;
    one.cameras = {x}, other.cameras = {y};
    if (x.video != y.video || x.background != y.background) videos.push_back(x.name);
    if (x.detections != y.detections) detections.push_back(x.name);
    if (x.ignored != y.ignored) ignored.push_back(x.name);
    if (x.offset_frames != y.offset_frames || x.offset_changes != y.offset_changes ||
        x.offset_confirmed != y.offset_confirmed || x.frame_rate != y.frame_rate ||
        x.live_delay_s != y.live_delay_s)
      offsets.push_back(x.name);
    one.cameras[0] = y, one.cameras[0].calibration = x.calibration;
    one.cameras[0].later_calibrations = x.later_calibrations;
    if (difference(one, other).recording) calibrations.push_back(x.name);
  }
  for (const auto& [names, what] : {std::pair(&videos, "the videos of "),
                                    {&detections, "the detections of "},
                                    {&offsets, "the offsets of "},
                                    {&calibrations, "the calibration of "},
                                    {&ignored, "the ignored regions of "}})
    if (!names->empty()) words->push_back(what + joined(*names, kMaxNamed));
}

}  // namespace

uint64_t project_stamp(const std::filesystem::path& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return 0;
  Hasher hasher;
  hasher.add(std::string_view(*text));
  return hasher.value() | 1;
}

namespace {

// Saves, and notes what that changes where the project has a custody log.
Status save_noted(const Project& project, const std::filesystem::path& path) {
  std::error_code none;
  std::optional<Project> before;
  if (std::filesystem::exists(custody_path(path), none))
    if (Result<Project> old = load_project(path)) before = std::move(*old);
  VANTAGE_TRY(save_project(project, path));
  if (!before) return {};
  if (const std::string what = difference_text(*before, project); !what.empty())
    note_custody(path, "project changed", {{"changed", what}});
  return {};
}

}  // namespace

Result<Saved> save_project_over(const Project& project, const std::filesystem::path& path, uint64_t* known) {
  const FolderLock guard(path);
  if (project_stamp(path) != *known) return Saved::changed_outside;
  VANTAGE_TRY(save_noted(project, path));
  *known = project_stamp(path);
  return Saved::written;
}

Result<Project> change_project_file(const std::filesystem::path& path,
                                    const std::function<Status(Project&)>& change) {
  const FolderLock guard(path);
  VANTAGE_ASSIGN(Project project, load_project(path));
  VANTAGE_TRY(change(project));
  remember_videos(&project);
  VANTAGE_TRY(save_noted(project, project.path));
  return project;
}

std::string difference_text(const Project& a, const Project& b) {
  std::vector<std::string> words;
  add_cameras(a, b, &words);
  Project grid_a, grid_b;
  grid_a.grid = a.grid, grid_b.grid = b.grid;
  if (difference(grid_a, grid_b).recording) words.push_back("the region");
  if (a.detection_model != b.detection_model || a.joints_model != b.joints_model)
    words.push_back("the models of the detections");
  if (a.boxes != b.boxes) words.push_back("boxes");
  if (a.points != b.points) words.push_back("clicked points");
  if (a.measures != b.measures) words.push_back("measures");
  if (a.zones != b.zones) words.push_back("zones");
  if (a.lines != b.lines) words.push_back("lines");
  if (a.rules != b.rules) words.push_back("rules");
  if (a.push_targets != b.push_targets) words.push_back("where messages go");
  if (a.repairs != b.repairs) words.push_back("repairs of identities");
  if (a.bookmarks != b.bookmarks) words.push_back("bookmarks");
  if (a.truth != b.truth) words.push_back("ground truth");
  if (difference(a, b).boards) words.push_back("the boards to calibrate by");
  if (a.clock != b.clock) words.push_back("the time of day");
  std::vector<std::string> stages;
  for (const ParameterTable* table : a.parameters.tables())
    if (a.parameters.hash(table->stage) != b.parameters.hash(table->stage)) stages.push_back(table->stage);
  if (!stages.empty()) words.push_back("the parameters of " + joined(stages, kMaxNamed));
  return joined(words, words.size());
}

namespace {

std::optional<ProcessOwner> read_owner(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  return text ? owner_from_json(*text) : std::nullopt;
}

// Removes a stale lock, but never one that another program just took: renaming succeeds for exactly one of
// those who find it stale.
void put_stale_away(const std::filesystem::path& file) {
  const std::filesystem::path aside = file.string() + "." + std::to_string(::getpid());
  std::error_code failed;
  std::filesystem::rename(file, aside, failed);
  if (failed) return;
  const std::optional<ProcessOwner> owner = read_owner(aside);
  if (owner && state_of(*owner) != OwnerState::gone && ::link(aside.c_str(), file.c_str()) == 0)
    log_warning(file.string() + " was taken by another program just now");
  std::filesystem::remove(aside, failed);
}

// False: one exists, or none can be created there.
bool create(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path whole = file.string() + ".new-" + std::to_string(::getpid());
  if (!write_file_atomically(whole, text)) return false;
  const bool made =
      ::link(whole.c_str(), file.c_str()) == 0;  // complete from the first instant, and only once
  std::error_code ignored;
  std::filesystem::remove(whole, ignored);
  return made;
}

}  // namespace

std::filesystem::path lock_path(const std::filesystem::path& project) {
  return project.string() + ".lock";
}

std::optional<ProcessOwner> held_by_other(const std::filesystem::path& project) {
  const std::optional<ProcessOwner> owner = read_owner(lock_path(project));
  if (!owner) return std::nullopt;
  const OwnerState state = state_of(*owner);
  return state == OwnerState::running || state == OwnerState::unknown ? owner : std::nullopt;
}

ProjectLock::ProjectLock(ProjectLock&& other) noexcept {
  *this = std::move(other);
}

ProjectLock& ProjectLock::operator=(ProjectLock&& other) noexcept {
  if (this == &other) return *this;
  release();
  project_ = std::exchange(other.project_, {});
  owner_ = other.owner_;
  written_ = std::exchange(other.written_, false);
  return *this;
}

ProjectLock ProjectLock::take(const std::filesystem::path& project) {
  ProjectLock lock;
  lock.project_ = project;
  lock.owner_ = this_process();
  if (held_by_other(project)) return lock;
  const std::filesystem::path file = lock_path(project);
  std::error_code none;
  // Left by an earlier opening here, by a process that is gone, or damaged.
  if (std::filesystem::exists(file, none)) put_stale_away(file);
  lock.written_ = create(file, owner_to_json(lock.owner_));
  return lock;
}

ProjectLock ProjectLock::take_over(const std::filesystem::path& project) {
  ProjectLock lock;
  lock.project_ = project;
  lock.owner_ = this_process();
  lock.written_ = write_file_atomically(lock_path(project), owner_to_json(lock.owner_)).has_value();
  return lock;
}

std::optional<ProcessOwner> ProjectLock::held() const {
  return project_.empty() ? std::nullopt : held_by_other(project_);
}

void ProjectLock::release() {
  if (std::exchange(written_, false) && read_owner(lock_path(project_)) == owner_) {
    std::error_code ignored;
    std::filesystem::remove(lock_path(project_), ignored);
  }
  project_.clear();
}

}  // namespace vantage
