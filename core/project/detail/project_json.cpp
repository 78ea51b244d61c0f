#include "core/project/detail/project_json.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/parameters.h"
#include "core/calibration/formats/calibration.h"
#include "core/live/credentials.h"
#include "core/project/board_json.h"
#include "core/project/detail/floor_json.h"
#include "core/project/detail/push_json.h"
#include "core/project/json_parts.h"
#include "core/project/missing_files.h"
#include "core/video/live/live_address.h"

namespace vantage::project_detail {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Maximum depth: deeper files are not projects, and would recurse as deep when written.
constexpr int kDeepest = 64;

std::string absolute_path(const std::string& path, const std::filesystem::path& folder) {
  if (path.empty() || is_address(path)) return path;
  return (folder / path).lexically_normal().string();
}

std::string relative_path(const std::string& path, const std::filesystem::path& folder) {
  if (path.empty() || is_address(path)) return path;
  const std::string relative = std::filesystem::path(path).lexically_relative(folder).string();
  return relative.empty() ? path : relative;
}

// Passwords stay out of project files.
std::string saved_video(const ProjectCamera& camera, const std::filesystem::path& folder) {
  const SplitAddress split = split_credentials(camera.video);
  if (split.credentials)
    log_warning(camera.name +
                ": name and password are not written to the project; `vantage-cli camera ADDRESS --remember` "
                "stores them separately");
  return relative_path(split.address, folder);
}

tl::unexpected<Error> bad(const std::string& what, const std::string& pointer,
                          const std::filesystem::path& file) {
  return fail(ErrorKind::bad_data, what, file.string() + " at " + (pointer.empty() ? "/" : pointer),
              "Correct the file or make the project again with `vantage-cli new`.");
}

// Reads members of one object; errors state the position.
class Reader {
 public:
  Reader(const json& object, std::string pointer, const std::filesystem::path& file)
      : object_(object), pointer_(std::move(pointer)), file_(file) {}

  Result<std::string> text(const char* key, bool required) const {
    const json* value = find(key);
    if (!value && !required) return std::string{};
    if (!value || !value->is_string()) return wrong(key, "a string is expected");
    return value->get<std::string>();
  }
  Result<double> number(const char* key, double otherwise) const {
    const json* value = find(key);
    if (!value) return otherwise;
    if (!value->is_number()) return wrong(key, "a number is expected");
    return value->get<double>();
  }
  const json* find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }
  tl::unexpected<Error> wrong(const std::string& key, const std::string& what) const {
    return bad(what, pointer_ + '/' + key, file_);
  }

 private:
  const json& object_;
  const std::string pointer_;
  const std::filesystem::path& file_;
};

// ---- calibration of one camera, in the form of core/calibration/formats

json camera_json(const Camera& camera) {
  return parse_json_or_throw(calibration_to_json({camera}))["cameras"][0];
}

// ---- parts of the project

Result<std::vector<OffsetChange>> read_changes(const Reader& reader) {
  std::vector<OffsetChange> changes;
  const json* list = reader.find("offset_changes");
  if (!list) return changes;
  if (!list->is_array()) return reader.wrong("offset_changes", "a list is expected");
  for (const json& one : *list) {
    const auto frame = one.is_object() ? one.find("base_frame") : one.end();
    const auto by = one.is_object() ? one.find("frames") : one.end();
    if (!one.is_object() || frame == one.end() || by == one.end() || !frame->is_number_integer() ||
        !by->is_number())
      return reader.wrong("offset_changes", "objects with base_frame and frames are expected");
    changes.push_back({frame->get<int64_t>(), by->get<double>()});
  }
  return changes;
}

Result<IgnoredRegions> read_ignored(const Reader& reader) {
  IgnoredRegions regions;
  const json* list = reader.find("ignored_regions");
  if (!list) return regions;
  if (!list->is_array()) return reader.wrong("ignored_regions", "a list is expected");
  for (size_t i = 0; i < list->size(); ++i) {
    const std::string place = "ignored_regions/" + std::to_string(i);
    const json& one = (*list)[i];
    const auto corners = one.is_object() ? one.find("corners_px") : one.end();
    if (!one.is_object() || corners == one.end() || !corners->is_array() || corners->size() < 3)
      return reader.wrong(place, "an object with corners_px, at least three of them, is expected");
    IgnoredRegion& region = regions.emplace_back();
    for (const json& corner : *corners) {
      if (!corner.is_array() || corner.size() != 2 || !corner[0].is_number() || !corner[1].is_number())
        return reader.wrong(place + "/corners_px", "corners of two numbers, x and y in pixels, are expected");
      region.corners_px.emplace_back(corner[0].get<double>(), corner[1].get<double>());
    }
  }
  return regions;
}

Status read_detections(const Reader& camera, const std::string& pointer, const std::filesystem::path& file,
                       CameraDetectionFile* detections) {
  const json* object = camera.find("detections");
  if (!object) return {};
  if (!object->is_object()) return camera.wrong("detections", "an object is expected");
  const Reader reader(*object, pointer + "/detections", file);
  VANTAGE_ASSIGN(const std::string path, reader.text("file", true));
  VANTAGE_ASSIGN(detections->offset_frames, reader.number("offset_frames", 0));
  VANTAGE_ASSIGN(detections->frame_rate, reader.number("frame_rate", 0));
  if (detections->frame_rate < 0) return reader.wrong("frame_rate", "a frame rate is not negative");
  VANTAGE_ASSIGN(detections->person_class, reader.text("person_class", false));
  VANTAGE_ASSIGN(detections->frames_by, reader.text("frames_by", false));
  if (const json* first = reader.find("first_frame")) {
    if (!first->is_number_integer()) return reader.wrong("first_frame", "a whole number is expected");
    detections->first_frame = first->get<int64_t>();
  }
  detections->file = absolute_path(path, file.parent_path());
  return {};
}

Result<VideoIdentity> read_identity(const Reader& reader, const std::string& of) {
  VideoIdentity identity;
  const std::string bytes = of + "_bytes", checksum = of + "_checksum";
  if (const json* size = reader.find(bytes.c_str())) {
    if (!size->is_number_integer() || size->get<int64_t>() < 0)
      return reader.wrong(bytes, "a whole number that is not negative is expected");
    identity.bytes = size->get<int64_t>();
  }
  VANTAGE_ASSIGN(const std::string digits, reader.text(checksum.c_str(), false));
  identity.checksum = from_hex64(digits);
  if (!digits.empty() && !identity.known())
    return reader.wrong(checksum, "16 hexadecimal digits are expected");
  return identity;
}

void write_identity(const VideoIdentity& identity, const std::string& of, ordered_json* entry) {
  if (!identity.known()) return;
  if (identity.bytes > 0) (*entry)[of + "_bytes"] = identity.bytes;
  (*entry)[of + "_checksum"] = hex64(identity.checksum);
}

Result<ProjectCamera> read_project_camera(const json& object, const std::string& pointer,
                                          const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  if (!object.is_object()) return bad("an object is expected", pointer, file);
  const Reader reader(object, pointer, file);
  ProjectCamera camera;
  VANTAGE_ASSIGN(camera.name, reader.text("name", true));
  VANTAGE_ASSIGN(camera.video, reader.text("video", true));
  VANTAGE_ASSIGN(camera.background, reader.text("background", false));
  VANTAGE_ASSIGN(camera.board_pictures, reader.text("board_pictures", false));
  VANTAGE_ASSIGN(camera.offset_frames, reader.number("offset_frames", 0));
  VANTAGE_ASSIGN(camera.frame_rate, reader.number("frame_rate", 0));
  VANTAGE_ASSIGN(camera.offset_changes, read_changes(reader));
  VANTAGE_ASSIGN(camera.ignored, read_ignored(reader));
  VANTAGE_ASSIGN(camera.live_delay_s, reader.number("live_delay_s", 0));
  if (const json* confirmed = reader.find("offset_confirmed")) {
    if (!confirmed->is_boolean()) return reader.wrong("offset_confirmed", "true or false is expected");
    camera.offset_confirmed = confirmed->get<bool>();
  }
  VANTAGE_TRY(read_detections(reader, pointer, file, &camera.detections));
  VANTAGE_ASSIGN(camera.video_identity, read_identity(reader, "video"));
  VANTAGE_ASSIGN(camera.background_identity, read_identity(reader, "background"));
  if (camera.name.empty()) return reader.wrong("name", "a camera needs a name");
  if (camera.video.empty()) return reader.wrong("video", "a camera needs a video");
  if (std::abs(camera.live_delay_s) > kMaxLiveDelay_s)
    return reader.wrong("live_delay_s", "pictures wait for each other for 10 s at most");
  if (camera.frame_rate < 0) return reader.wrong("frame_rate", "a frame rate is not negative");
  camera.video = absolute_path(camera.video, folder);
  camera.background = absolute_path(camera.background, folder);
  camera.board_pictures = absolute_path(camera.board_pictures, folder);
  if (const json* calibration = reader.find("calibration")) {
    if (!calibration->is_object()) return reader.wrong("calibration", "an object is expected");
    VANTAGE_ASSIGN(camera.calibration, calibrated_camera(*calibration, camera.name,
                                                         file.string() + " at " + pointer + "/calibration"));
  }
  if (const json* later = reader.find("later_calibrations")) {
    if (!camera.calibration || is_live_address(camera.video))
      return reader.wrong("later_calibrations", "only a video with a calibration has later ones");
    VANTAGE_ASSIGN(camera.later_calibrations,
                   later_calibrations(*later, *camera.calibration, camera.name,
                                      file.string() + " at " + pointer + "/later_calibrations"));
  }
  return camera;
}

bool three_numbers(const json* list, bool whole) {
  if (!list || !list->is_array() || list->size() != 3) return false;
  return std::all_of(list->begin(), list->end(), [whole](const json& value) {
    return whole ? value.is_number_integer() : value.is_number();
  });
}

Result<VoxelGrid> read_grid(const json& object, const std::filesystem::path& file) {
  const std::string pointer = "/grid";
  if (!object.is_object()) return bad("an object is expected", pointer, file);
  const Reader reader(object, pointer, file);
  VoxelGrid grid;
  VANTAGE_ASSIGN(grid.voxel_size_m, reader.number("voxel_size_m", 0));
  const json* origin = reader.find("origin_in_world_m");
  const json* size = reader.find("size_voxels");
  if (!three_numbers(origin, false)) return reader.wrong("origin_in_world_m", "three numbers are expected");
  if (!three_numbers(size, true)) return reader.wrong("size_voxels", "three whole numbers are expected");
  if (!(grid.voxel_size_m > 0)) return reader.wrong("voxel_size_m", "a positive number is expected");
  double count = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const auto index = static_cast<size_t>(axis);
    grid.origin_in_world_m[axis] = (*origin)[index].get<double>();
    const double n = (*size)[index].get<double>();
    if (n < 1) return reader.wrong("size_voxels", "a grid has at least one voxel along every axis");
    count *= n;
  }
  if (count > 2147483647.0) return reader.wrong("size_voxels", "a grid has at most 2147483647 voxels");
  grid.nx = (*size)[0].get<int>(), grid.ny = (*size)[1].get<int>(), grid.nz = (*size)[2].get<int>();
  return grid;
}

Result<UprightBox> read_box(const json& object, const std::string& pointer,
                            const std::filesystem::path& file) {
  if (!object.is_object()) return bad("an object is expected", pointer, file);
  const Reader reader(object, pointer, file);
  UprightBox box;
  const json* base = reader.find("base_in_world_m");
  const json* size = reader.find("size_m");
  if (!three_numbers(base, false)) return reader.wrong("base_in_world_m", "three numbers are expected");
  if (!three_numbers(size, false)) return reader.wrong("size_m", "three numbers are expected");
  for (int axis = 0; axis < 3; ++axis) {
    box.base_in_world_m[axis] = (*base)[axis].get<double>();
    box.size_m[axis] = (*size)[axis].get<double>();
  }
  if (box.size_m.minCoeff() < kSmallestBox_m)
    return reader.wrong("size_m", "a box is at least 0.02 m long along every axis");
  VANTAGE_ASSIGN(box.turn_degrees, reader.number("turn_degrees", 0));
  return box;
}

// A list with names; older projects have one box without a name.
Status read_boxes(const json& document, const std::filesystem::path& file, std::vector<NamedBox>* boxes) {
  const Reader reader(document, "", file);
  if (const json* list = reader.find("boxes")) {
    if (!list->is_array()) return reader.wrong("boxes", "a list is expected");
    for (size_t i = 0; i < list->size(); ++i) {
      const std::string pointer = "/boxes/" + std::to_string(i);
      VANTAGE_ASSIGN(const UprightBox box, read_box((*list)[i], pointer, file));
      const Reader one((*list)[i], pointer, file);
      VANTAGE_ASSIGN(const std::string name, one.text("name", true));
      if (name.empty()) return one.wrong("name", "a box needs a name");
      if (box_named(*boxes, name)) return one.wrong("name", "two boxes are named " + name);
      boxes->push_back({name, box});
    }
  }
  if (const json* former = reader.find("box")) {
    VANTAGE_ASSIGN(const UprightBox box, read_box(*former, "/box", file));
    boxes->push_back({free_box_name(*boxes), box});
  }
  return {};
}

ordered_json box_json(const NamedBox& named) {
  const auto list = [](const Eigen::Vector3d& v) { return ordered_json{v.x(), v.y(), v.z()}; };
  return {{"name", named.name},
          {"base_in_world_m", list(named.box.base_in_world_m)},
          {"size_m", list(named.box.size_m)},
          {"turn_degrees", named.box.turn_degrees}};
}

Status read_parameters(const json& object, const std::filesystem::path& file, ParameterStore* store,
                       std::vector<std::string>* warnings) {
  std::vector<std::string> remarks;
  const Status read = read_parameters_json(object, store, &remarks);
  for (const std::string& remark : remarks) warnings->push_back(file.string() + ": /parameters" + remark);
  if (!read) return bad(read.error().what, "/parameters" + read.error().where, file);
  return {};
}

// Keys of other versions, kept as {"/cameras/cam1/colour": value}: with the camera's name, so that they
// follow it when the order changes.

std::string escaped(std::string token) {
  for (const auto& [from, to] : {std::pair{"~", "~0"}, std::pair{"/", "~1"}})
    for (size_t at = 0; (at = token.find(from, at)) != std::string::npos; at += 2) token.replace(at, 1, to);
  return token;
}

// Collects everything in `found` that `known` does not have. Where `known` has no object, any value is known.
void collect_unknown(const json& found, const json& known, const std::string& pointer, json* unknown) {
  if (!found.is_object() || !known.is_object()) return;
  for (const auto& [key, value] : found.items()) {
    const std::string place = pointer + '/' + escaped(key);
    if (const auto match = known.find(key); match != known.end())
      collect_unknown(value, *match, place, unknown);
    else
      (*unknown)[place] = value;
  }
}

json known_keys(const ParameterStore& parameters) {
  json known = {{"schema", nullptr}, {"cameras", nullptr}, {"parameters", json::object()}};
  known["grid"] = {{"origin_in_world_m", nullptr}, {"voxel_size_m", nullptr}, {"size_voxels", nullptr}};
  known["box"] = {{"base_in_world_m", nullptr}, {"size_m", nullptr}, {"turn_degrees", nullptr}};
  known["detection_model"] = known["joints_model"] = nullptr;
  known["clock"] = nullptr;
  known["board_calibration"] = nullptr;
  for (const char* key :
       {"boxes", "points", "measures", "zones", "lines", "rules", "repairs", "push", "bookmarks", "truth"})
    known[key] = nullptr;
  for (const ParameterTable* table : parameters.tables()) {
    json& stage = known["parameters"][table->stage] = json::object();
    for (const ParameterDescription& entry : table->entries) stage[entry.name] = nullptr;
  }
  for (const FormerParameterName& former : former_parameter_names())
    known["parameters"][std::string(former.stage)][std::string(former.former)] = nullptr;
  return known;
}

json known_camera_keys() {
  json known;
  for (const char* key :
       {"name", "video", "video_bytes", "video_checksum", "background", "background_bytes",
        "background_checksum", "offset_frames", "offset_confirmed", "offset_changes", "live_delay_s",
        "frame_rate", "later_calibrations", "board_pictures", "ignored_regions"})
    known[key] = nullptr;
  known["calibration"] = camera_json(Camera());
  known["detections"] = {{"file", nullptr},         {"offset_frames", nullptr}, {"frame_rate", nullptr},
                         {"person_class", nullptr}, {"frames_by", nullptr},     {"first_frame", nullptr}};
  return known;
}

json unknown_keys(const json& document, const Project& project) {
  json unknown = json::object();
  collect_unknown(document, known_keys(project.parameters), "", &unknown);
  const json known = known_camera_keys();
  for (size_t i = 0; i < project.cameras.size(); ++i)
    collect_unknown(document["cameras"][i], known, "/cameras/" + escaped(project.cameras[i].name), &unknown);
  return unknown;
}

// The present position of a kept key; empty when its camera no longer exists.
std::string place_in(const Project& project, const std::string& place) {
  if (place.rfind("/cameras/", 0) != 0) return place;
  for (size_t i = 0; i < project.cameras.size(); ++i) {
    const std::string by_name = "/cameras/" + escaped(project.cameras[i].name) + '/';
    if (place.rfind(by_name, 0) == 0)
      return "/cameras/" + std::to_string(i) + '/' + place.substr(by_name.size());
  }
  return {};
}

// Restores the unknown keys, except those whose object no longer exists.
void restore_unknown(const Project& project, ordered_json* document) {
  const json unknown = parse_json(project.unknown_keys);
  if (!unknown.is_object()) return;
  for (const auto& [place, value] : unknown.items()) {
    const std::string path = place_in(project, place);
    if (path.empty()) continue;
    try {
      const ordered_json::json_pointer pointer(path);
      // A stage with default parameters has no object, so one is created for a kept key.
      if (path.rfind("/parameters/", 0) == 0 || document->contains(pointer.parent_pointer()))
        (*document)[pointer] = value;
    } catch (const json::exception&) {
      continue;  // the position no longer exists
    }
  }
}

Result<json> parse(const std::string& text, const std::filesystem::path& file) {
  bool too_deep = false;
  const auto watch_depth = [&](int depth, json::parse_event_t, json&) {
    too_deep = too_deep || depth > kDeepest;
    return depth <= kDeepest;
  };
  try {
    json document = json::parse(text, watch_depth);
    if (too_deep) return bad("the content is nested too deeply", "", file);
    return document;
  } catch (const json::exception& error) {
    return fail(ErrorKind::bad_data, std::string("is not a complete JSON file (") + error.what() + ")",
                file.string(), "It may be truncated or edited by hand: restore a backup.");
  }
}

Status check_schema(const json& document, const std::filesystem::path& file) {
  const auto schema = document.is_object() ? document.find("schema") : document.end();
  if (schema == document.end() || !schema->is_string())
    return fail(ErrorKind::bad_data, "is not a Vantage project (no \"schema\")", file.string(),
                "Open a file ending in .vantage.");
  const std::string text = schema->get<std::string>();
  if (text == std::string(kSchemaPrefix) + std::to_string(kSchemaVersion)) return {};
  const bool ours = text.rfind(kSchemaPrefix, 0) == 0;
  const std::string number = ours ? text.substr(kSchemaPrefix.size()) : "";
  if (!number.empty() && number.find_first_not_of("0123456789") == std::string::npos && number[0] != '0')
    return fail(ErrorKind::unsupported,
                "was written by a newer version of the program (schema " + number + ", this one knows " +
                    std::to_string(kSchemaVersion) + ")",
                file.string(), "Update Vantage to open it.");
  return fail(ErrorKind::bad_data, "has the schema \"" + text + "\", which is not a Vantage project",
              file.string(), "Open a file ending in .vantage.");
}

}  // namespace

Result<Project> from_json(const std::string& text, const std::filesystem::path& file,
                          std::vector<std::string>* warnings) {
  VANTAGE_ASSIGN(const json document, parse(text, file));
  VANTAGE_TRY(check_schema(document, file));
  Project project;
  project.path = file;
  project.parameters = default_parameters();
  const auto cameras = document.find("cameras");
  if (cameras == document.end() || !cameras->is_array() || cameras->empty())
    return bad("a list with at least one camera is expected", "/cameras", file);
  std::set<std::string> names;
  for (size_t i = 0; i < cameras->size(); ++i) {
    const std::string pointer = "/cameras/" + std::to_string(i);
    VANTAGE_ASSIGN(ProjectCamera camera, read_project_camera((*cameras)[i], pointer, file));
    if (!names.insert(camera.name).second)
      return bad("two cameras are named " + camera.name, pointer + "/name", file);
    project.cameras.push_back(std::move(camera));
  }
  if (const auto grid = document.find("grid"); grid != document.end() && !grid->is_null()) {
    VANTAGE_ASSIGN(project.grid, read_grid(*grid, file));
  }
  VANTAGE_TRY(read_boxes(document, file, &project.boxes));
  VANTAGE_TRY(read_floor(document, file.string(), &project));
  VANTAGE_TRY(read_push(document, file, &project));
  VANTAGE_TRY(read_boards(document, file, &project.boards));
  for (auto [key, path] : {std::pair{"detection_model", &project.detection_model},
                           std::pair{"joints_model", &project.joints_model}}) {
    const auto model = document.find(key);
    if (model == document.end() || model->is_null()) continue;
    if (!model->is_string()) return bad("a string is expected", std::string("/") + key, file);
    *path = absolute_path(model->get<std::string>(), file.parent_path());
  }
  if (const auto clock = document.find("clock"); clock != document.end() && !clock->is_null()) {
    if (!clock->is_string()) return bad("a string is expected", "/clock", file);
    const Result<RecordingClock> typed = parse_clock(clock->get<std::string>());
    if (!typed) return bad(typed.error().what, "/clock", file);
    project.clock = *typed;
  }
  if (const auto parameters = document.find("parameters"); parameters != document.end())
    VANTAGE_TRY(read_parameters(*parameters, file, &project.parameters, warnings));
  const json unknown = unknown_keys(document, project);
  if (!unknown.empty()) project.unknown_keys = json_text(unknown);
  for (const auto& [place, value] : unknown.items())
    warnings->push_back(file.string() + ": the key " + place + " is not understood; it is kept as it is");
  return project;
}

Result<std::string> to_json(const Project& project, const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  try {
    ordered_json document;
    document["schema"] = std::string(kSchemaPrefix) + std::to_string(kSchemaVersion);
    document["cameras"] = ordered_json::array();
    for (const ProjectCamera& camera : project.cameras) {
      ordered_json entry = {{"name", camera.name}, {"video", saved_video(camera, folder)}};
      write_identity(camera.video_identity, "video", &entry);
      if (!camera.background.empty()) entry["background"] = relative_path(camera.background, folder);
      write_identity(camera.background_identity, "background", &entry);
      if (!camera.board_pictures.empty())
        entry["board_pictures"] = relative_path(camera.board_pictures, folder);
      entry["offset_frames"] = camera.offset_frames;
      if (camera.offset_confirmed) entry["offset_confirmed"] = true;
      for (const OffsetChange& change : camera.offset_changes)
        entry["offset_changes"].push_back({{"base_frame", change.base_frame}, {"frames", change.frames}});
      if (camera.live_delay_s != 0) entry["live_delay_s"] = camera.live_delay_s;
      if (camera.frame_rate > 0) entry["frame_rate"] = camera.frame_rate;
      if (!camera.detections.file.empty()) {
        entry["detections"]["file"] = relative_path(camera.detections.file, folder);
        if (camera.detections.offset_frames != 0)
          entry["detections"]["offset_frames"] = camera.detections.offset_frames;
        if (camera.detections.frame_rate > 0)
          entry["detections"]["frame_rate"] = camera.detections.frame_rate;
        if (!camera.detections.person_class.empty())
          entry["detections"]["person_class"] = camera.detections.person_class;
        if (!camera.detections.frames_by.empty())
          entry["detections"]["frames_by"] = camera.detections.frames_by;
        if (camera.detections.first_frame)
          entry["detections"]["first_frame"] = *camera.detections.first_frame;
      }
      if (!camera.ignored.empty()) entry["ignored_regions"] = ignored_json(camera.ignored);
      if (camera.calibration) entry["calibration"] = calibration_json(*camera.calibration);
      if (!camera.later_calibrations.empty())
        entry["later_calibrations"] = later_json(camera.later_calibrations);
      document["cameras"].push_back(std::move(entry));
    }
    if (project.grid) document["grid"] = grid_json(*project.grid);
    for (const NamedBox& box : project.boxes) document["boxes"].push_back(box_json(box));
    write_floor(project, &document);
    write_push(project, folder, &document);
    write_boards(project.boards, folder, &document);
    if (!project.detection_model.empty())
      document["detection_model"] = relative_path(project.detection_model, folder);
    if (!project.joints_model.empty()) document["joints_model"] = relative_path(project.joints_model, folder);
    if (project.clock) document["clock"] = project.clock->typed_text();
    document["parameters"] = parameters_json(project.parameters, true);
    restore_unknown(project, &document);
    return document.dump(2) + "\n";  // invalid UTF-8 is refused here, not replaced
  } catch (const json::exception& error) {
    return fail(ErrorKind::bad_data, std::string("a name or path is not valid text (") + error.what() + ")",
                file.string(), "Use names and paths in UTF-8.");
  }
}

}  // namespace vantage::project_detail
