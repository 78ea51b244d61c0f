#include "core/project/rename.h"

#include <algorithm>

#include "core/base/text.h"

namespace vantage {
namespace {

constexpr size_t kMaxCameraName_bytes = 100;  // file names have at most 255, with what is added to them

Error wrong_name(const std::string& what, const std::string& name) {
  return {ErrorKind::invalid_argument, what, name, "Choose another name."};
}

Status check_camera_name(const std::string& name) {
  const auto breaks_files = [](char c) {
    return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
  };
  if (name.starts_with('.') || name.size() > kMaxCameraName_bytes || std::ranges::any_of(name, breaks_files))
    return fail(
        wrong_name("files are named by cameras: no / or \\, no dot at the beginning, and at most "
                   "100 bytes",
                   name));
  return {};
}

template <typename Part>
Result<Part*> find_part(std::vector<Part>& parts, const char* what, const std::string& name) {
  const auto found = std::ranges::find(parts, name, &Part::name);
  if (found != parts.end()) return &*found;
  std::string names;
  for (const Part& part : parts) append_item(&names, part.name);
  return fail(ErrorKind::not_found, std::string("there is no ") + what + " of this name", name,
              names.empty() ? std::string("The project has none.") : "There are " + names + ".");
}

template <typename Part>
bool has(const std::vector<Part>& parts, const std::string& name) {
  return std::ranges::find(parts, name, &Part::name) != parts.end();
}

Status rename_camera(Project* project, const std::string& from, const std::string& to) {
  VANTAGE_TRY(check_camera_name(to));
  VANTAGE_ASSIGN(ProjectCamera * camera, find_part(project->cameras, "camera", from));
  if (has(project->cameras, to)) return fail(wrong_name("another camera has this name", to));
  camera->name = to;
  if (camera->calibration) camera->calibration->set_name(to);
  for (LaterCalibration& later : camera->later_calibrations) later.camera.set_name(to);
  const auto follow = [&](auto& clicked) {
    for (auto& one : clicked)
      for (auto& click : one.clicks)
        if (click.camera == from) click.camera = to;
  };
  follow(project->points);
  follow(project->measures);
  return {};
}

Status rename_shape(Project* project, NamedPart part, const std::string& from, const std::string& to) {
  const bool zone = part == NamedPart::zone;
  std::string* name = nullptr;
  if (zone) {
    VANTAGE_ASSIGN(FloorZone * found, find_part(project->zones, "zone", from));
    name = &found->name;
  } else {
    VANTAGE_ASSIGN(FloorLine * found, find_part(project->lines, "line", from));
    name = &found->name;
  }
  if (has(project->zones, to) || has(project->lines, to))
    return fail(wrong_name("another zone or line has this name", to));
  *name = to;
  for (FloorRule& rule : project->rules)
    if (rule.where == from && (rule.kind == RuleKind::crosses) != zone) rule.where = to;
  return {};
}

}  // namespace

Status rename_part(Project* project, NamedPart part, const std::string& from, const std::string& to) {
  if (from == to) return {};
  if (to.empty() || to.front() == ' ' || to.back() == ' ')
    return fail(wrong_name("a name is not empty, and has no spaces at its ends", to));
  return part == NamedPart::camera ? rename_camera(project, from, to) : rename_shape(project, part, from, to);
}

std::vector<CameraRename> renamed_cameras(const Project& before, const Project& after) {
  std::vector<CameraRename> renamed;
  if (before.cameras.size() != after.cameras.size()) return renamed;
  for (size_t c = 0; c < before.cameras.size(); ++c)
    if (before.cameras[c].video == after.cameras[c].video && before.cameras[c].name != after.cameras[c].name)
      renamed.push_back({before.cameras[c].name, after.cameras[c].name});
  return renamed;
}

}  // namespace vantage
