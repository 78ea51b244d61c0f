#include "core/project/project_store.h"

#include <algorithm>
#include <vector>

#include "core/base/file.h"
#include "core/base/folder_lock.h"
#include "core/base/hash.h"
#include "core/project/missing_files.h"

namespace vantage {
namespace {

constexpr size_t kMaxNamed = 4;  // of cameras and stages

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
  std::vector<std::string> videos, detections, offsets, calibrations;
  for (size_t c = 0; c < a.cameras.size(); ++c) {
    const ProjectCamera &x = a.cameras[c], &y = b.cameras[c];
    Project one, other;
    one.cameras = {x}, other.cameras = {y};
    if (x.video != y.video || x.background != y.background) videos.push_back(x.name);
    if (x.detections != y.detections) detections.push_back(x.name);
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
                                    {&calibrations, "the calibration of "}})
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

Result<Saved> save_project_over(const Project& project, const std::filesystem::path& path, uint64_t* known) {
  const FolderLock guard(path);
  if (project_stamp(path) != *known) return Saved::changed_outside;
  VANTAGE_TRY(save_project(project, path));
  *known = project_stamp(path);
  return Saved::written;
}

Result<Project> change_project_file(const std::filesystem::path& path,
                                    const std::function<Status(Project&)>& change) {
  const FolderLock guard(path);
  VANTAGE_ASSIGN(Project project, load_project(path));
  VANTAGE_TRY(change(project));
  remember_videos(&project);
  VANTAGE_TRY(save_project(project, project.path));
  return project;
}

std::string difference_text(const Project& a, const Project& b) {
  std::vector<std::string> words;
  add_cameras(a, b, &words);
  Project grid_a, grid_b;
  grid_a.grid = a.grid, grid_b.grid = b.grid;
  if (difference(grid_a, grid_b).recording) words.push_back("the region");
  if (a.detection_model != b.detection_model) words.push_back("the model of the detections");
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

}  // namespace vantage
