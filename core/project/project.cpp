#include "core/project/project.h"

#include <algorithm>
#include <utility>

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/project/detail/project_json.h"
#include "core/project/json_parts.h"
#include "core/video/live/live_address.h"
#include "core/video/no_video.h"

namespace vantage {
namespace {

bool same_camera(const ProjectCamera& a, const ProjectCamera& b) {
  const auto calibration = [](const ProjectCamera& camera) {
    return std::pair(
        camera.calibration ? project_detail::calibration_json(*camera.calibration) : nlohmann::ordered_json(),
        project_detail::later_json(camera.later_calibrations));
  };
  return a.name == b.name && a.video == b.video && a.background == b.background &&
         a.detections == b.detections && a.offset_frames == b.offset_frames &&
         a.offset_changes == b.offset_changes && a.offset_confirmed == b.offset_confirmed &&
         a.frame_rate == b.frame_rate && a.ignored == b.ignored && calibration(a) == calibration(b);
}

// Own pictures by camera.
std::vector<std::pair<std::string, std::string>> board_pictures_of(const Project& project) {
  std::vector<std::pair<std::string, std::string>> pictures;
  for (const ProjectCamera& camera : project.cameras)
    if (!camera.board_pictures.empty()) pictures.emplace_back(camera.name, camera.board_pictures);
  return pictures;
}

bool same_grid(const std::optional<VoxelGrid>& a, const std::optional<VoxelGrid>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return project_detail::grid_json(*a) == project_detail::grid_json(*b);
}

}  // namespace

ProjectChange difference(const Project& a, const Project& b) {
  ProjectChange change;
  change.recording =
      !std::equal(a.cameras.begin(), a.cameras.end(), b.cameras.begin(), b.cameras.end(), same_camera) ||
      !same_grid(a.grid, b.grid) || a.detection_model != b.detection_model ||
      a.joints_model != b.joints_model || a.areas() != b.areas();
  change.delays = a.live_delays_s() != b.live_delays_s();
  for (const ParameterTable* table : a.parameters.tables())
    change.parameters =
        change.parameters || a.parameters.hash(table->stage) != b.parameters.hash(table->stage);
  change.boxes = a.boxes != b.boxes;
  change.points = a.points != b.points;
  change.measures = a.measures != b.measures;
  change.floor = a.zones != b.zones || a.lines != b.lines || a.rules != b.rules;
  change.repairs = a.repairs != b.repairs;
  change.clock = a.clock != b.clock;
  change.push = a.push_targets != b.push_targets;
  change.bookmarks = a.bookmarks != b.bookmarks;
  change.truth = a.truth != b.truth;
  change.boards = a.boards != b.boards || board_pictures_of(a) != board_pictures_of(b);
  return change;
}

bool Project::live() const {
  return std::any_of(cameras.begin(), cameras.end(),
                     [](const ProjectCamera& camera) { return is_live_address(camera.video); });
}

bool Project::has_pictures() const {
  return std::any_of(cameras.begin(), cameras.end(),
                     [](const ProjectCamera& camera) { return !names_no_video(camera.video); });
}

bool Project::has_detections() const {
  return !detection_model.empty() ||
         std::any_of(cameras.begin(), cameras.end(),
                     [](const ProjectCamera& camera) { return !camera.detections.file.empty(); });
}

bool Project::calibrated() const {
  return !cameras.empty() && std::all_of(cameras.begin(), cameras.end(),
                                         [](const ProjectCamera& c) { return c.calibration.has_value(); });
}

std::vector<double> Project::live_delays_s() const {
  std::vector<double> delays;
  for (const ProjectCamera& camera : cameras) delays.push_back(camera.live_delay_s);
  return delays;
}

std::vector<IgnoredPixels> Project::ignored_pixels(std::span<const Camera> calibrations) const {
  std::vector<IgnoredPixels> ignored(calibrations.size());
  for (size_t c = 0; c < ignored.size(); ++c)
    ignored[c] = {cameras[c].ignored, calibrations[c].width_px(), calibrations[c].height_px()};
  return ignored;
}

const Camera* ProjectCamera::calibration_at(int64_t frame) const {
  return vantage::calibration_at(calibration, later_calibrations, frame);
}

std::vector<Camera> Project::calibrations(int64_t frame) const {
  std::vector<Camera> result;
  for (const ProjectCamera& camera : cameras) result.push_back(*camera.calibration_at(frame));
  return result;
}

std::vector<Camera> Project::named_calibrations(int64_t frame) const {
  std::vector<Camera> result;
  for (const ProjectCamera& camera : cameras) {
    if (!camera.calibration) continue;
    result.push_back(*camera.calibration_at(frame));
    result.back().set_name(camera.name);
  }
  return result;
}

std::vector<int64_t> Project::calibration_changes() const {
  std::vector<int64_t> frames;
  for (const ProjectCamera& camera : cameras)
    for (const LaterCalibration& later : camera.later_calibrations) frames.push_back(later.from_frame);
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

Result<VoxelGrid> Project::effective_grid() const {
  if (grid) return *grid;
  return fit_grid_to_common_view(calibrations(), kDefaultVoxelSize_m, kDefaultGridHeight_m);
}

std::vector<FloorZone> Project::areas() const {
  return zones_of_kind(zones, ZoneKind::area);
}

std::filesystem::path Project::results_folder() const {
  std::filesystem::path folder = path;
  return folder.replace_extension(".results");
}

double bytes_of_models(const Project& project) {
  double bytes = 0;
  for (const std::string* path : {&project.detection_model, &project.joints_model}) {
    std::error_code code;
    if (const auto size = std::filesystem::file_size(*path, code); !code) bytes += static_cast<double>(size);
  }
  return bytes;
}

Status set_from_text(Project* project, const std::string& assignment) {
  for (const auto& [key, model] : {std::pair{"detections.model=", &project->detection_model},
                                   std::pair{"detections.joints_model=", &project->joints_model}}) {
    if (!assignment.starts_with(key)) continue;
    const std::string file = assignment.substr(std::string_view(key).size());
    std::error_code code;
    *model = file.empty() ? "" : std::filesystem::absolute(file, code).lexically_normal().string();
    return {};
  }
  return project->parameters.set_from_text(assignment);
}

Status check_calibration_size(const Camera& calibration, const std::string& camera, int width_px,
                              int height_px) {
  if (calibration.width_px() == width_px && calibration.height_px() == height_px) return {};
  return fail(ErrorKind::invalid_argument,
              "the video has " + size_text(width_px, height_px) + " px, its calibration " +
                  size_text(calibration.width_px(), calibration.height_px()) + " px",
              camera, "Calibrate at the video's size, or choose the matching video.");
}

Result<Project> load_project(const std::filesystem::path& path) {
  std::error_code code;
  const std::filesystem::path file = std::filesystem::absolute(path, code).lexically_normal();
  VANTAGE_ASSIGN(const std::string text, read_file(code ? path : file));
  std::vector<std::string> warnings;
  VANTAGE_ASSIGN(Project project, project_detail::from_json(text, file, &warnings));
  for (const std::string& warning : warnings) log_warning(warning);
  return project;
}

Status save_project(const Project& project, const std::filesystem::path& path) {
  std::error_code code;
  const std::filesystem::path file = std::filesystem::absolute(path, code).lexically_normal();
  VANTAGE_ASSIGN(const std::string text, project_detail::to_json(project, code ? path : file));
  return write_file_atomically(file, text);
}

void set_bookmark(std::vector<Bookmark>* bookmarks, Bookmark bookmark) {
  remove_bookmark(bookmarks, bookmark.frame);
  const auto behind = std::ranges::upper_bound(*bookmarks, bookmark.frame, {}, &Bookmark::frame);
  bookmarks->insert(behind, std::move(bookmark));
}

bool remove_bookmark(std::vector<Bookmark>* bookmarks, int64_t frame) {
  return std::erase_if(*bookmarks, [&](const Bookmark& one) { return one.frame == frame; }) > 0;
}

}  // namespace vantage
