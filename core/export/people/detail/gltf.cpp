// glTF 2.0 (Khronos, 2021): the scene's axes, z up, below a node that turns them to glTF's, y up. Times are
// seconds from the base camera's frame 0. A person who is not there has the size 0, as the format has no
// other way to hide a node in time.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/display/marked_view.h"
#include "core/export/case/case_people.h"
#include "core/export/people/detail/formats.h"
#include "core/export/people/detail/scene_parts.h"
#include "core/project/json_parts.h"

namespace vantage::people_export_detail {
namespace {

using nlohmann::ordered_json;

enum Target { kArrayBuffer = 34962, kElementBuffer = 34963 };
enum Component { kUint16 = 5123, kFloat = 5126 };
enum Mode { kLines = 1, kLineLoop = 2, kTriangles = 4 };
constexpr int kSides = 16, kRings = 4;  // of a capsule, and of each of its caps

class GltfScene {
 public:
  GltfScene(const Project& project, const RecordedPeople& people) : project_(project), people_(people) {
    document_["asset"] = {{"version", "2.0"}, {"generator", "Vantage " VANTAGE_VERSION}};
    document_["scene"] = 0;
    document_["scenes"][0] = {{"name", project.path.stem().string()}, {"nodes", ordered_json::array({0})}};
    const double half = std::sqrt(0.5);
    document_["nodes"][0] = {
        {"name", "z up"}, {"rotation", {-half, 0, 0, half}}, {"children", ordered_json::array()}};
    animation_ = {{"name", "people and cameras"},
                  {"samplers", ordered_json::array()},
                  {"channels", ordered_json::array()}};
  }

  void add_cameras() {
    for (const ProjectCamera& camera : project_.cameras)
      if (camera.calibration) add_camera(camera);
  }
  void add_floor();
  void add_people() {
    for (const PersonPath& path : people_.paths)
      if (!path.points.empty()) add_person(path);
  }
  Result<std::string> finish(bool binary);

 private:
  size_t add(const char* list, ordered_json entry) {
    document_[list].push_back(std::move(entry));
    return document_[list].size() - 1;
  }
  size_t add_node(ordered_json node) {
    const size_t index = add("nodes", std::move(node));
    document_["nodes"][0]["children"].push_back(index);
    return index;
  }
  template <typename Number>
  size_t add_values(std::span<const Number> values, int width, Component component,
                    std::optional<Target> target);
  size_t add_floats(const std::vector<float>& values, int width, std::optional<Target> target = {}) {
    return add_values<float>(values, width, kFloat, target);
  }
  size_t add_mesh(const std::string& name, const std::vector<float>& points, Mode mode,
                  const MarkColor& color, const std::vector<uint16_t>& triangles = {});
  void add_channel(size_t node, const char* path, const char* interpolation, const std::vector<float>& times,
                   const std::vector<float>& values, int width);
  void add_camera(const ProjectCamera& camera);
  void add_person(const PersonPath& path);
  float seconds(int64_t frame) const { return static_cast<float>(people_.seconds(frame)); }

  const Project& project_;
  const RecordedPeople& people_;
  ordered_json document_, animation_;
  std::string buffer_;
};

template <typename Number>
size_t GltfScene::add_values(std::span<const Number> values, int width, Component component,
                             std::optional<Target> target) {
  buffer_.resize((buffer_.size() + 3) / 4 * 4);
  ordered_json view = {{"buffer", 0}, {"byteOffset", buffer_.size()}, {"byteLength", values.size_bytes()}};
  if (target) view["target"] = *target;
  buffer_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  std::vector<Number> low(width, std::numeric_limits<Number>::max()),
      high(width, std::numeric_limits<Number>::lowest());
  for (size_t i = 0; i < values.size(); ++i) {
    low[i % width] = std::min(low[i % width], values[i]);
    high[i % width] = std::max(high[i % width], values[i]);
  }
  const char* type = width == 1 ? "SCALAR" : width == 3 ? "VEC3" : "VEC4";
  return add("accessors", {{"bufferView", add("bufferViews", std::move(view))},
                           {"componentType", component},
                           {"count", values.size() / width},
                           {"type", type},
                           {"min", low},
                           {"max", high}});
}

size_t GltfScene::add_mesh(const std::string& name, const std::vector<float>& points, Mode mode,
                           const MarkColor& color, const std::vector<uint16_t>& triangles) {
  ordered_json factor = ordered_json::array();
  for (const uint8_t channel : color) factor.push_back(std::pow(channel / 255.0, 2.2));  // linear
  factor.push_back(1.0);
  const size_t material =
      add("materials", {{"name", name},
                        {"doubleSided", true},
                        {"pbrMetallicRoughness",
                         {{"baseColorFactor", factor}, {"metallicFactor", 0}, {"roughnessFactor", 1}}}});
  ordered_json primitive = {{"attributes", {{"POSITION", add_floats(points, 3, kArrayBuffer)}}},
                            {"mode", mode},
                            {"material", material}};
  if (!triangles.empty()) primitive["indices"] = add_values<uint16_t>(triangles, 1, kUint16, kElementBuffer);
  return add("meshes", {{"name", name}, {"primitives", ordered_json::array({std::move(primitive)})}});
}

void GltfScene::add_channel(size_t node, const char* path, const char* interpolation,
                            const std::vector<float>& times, const std::vector<float>& values, int width) {
  animation_["samplers"].push_back({{"input", add_floats(times, 1)},
                                    {"output", add_floats(values, width)},
                                    {"interpolation", interpolation}});
  animation_["channels"].push_back(
      {{"sampler", animation_["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
}

// The principal point and the lens's distortion have no place in the format: they are in `extras`.
void GltfScene::add_camera(const ProjectCamera& camera) {
  const PinholeCamera<double>& model = camera.calibration->model();
  const double half_width = model.width_px / (2 * model.fx_px),
               half_height = model.height_px / (2 * model.fy_px);
  ordered_json extras = project_detail::calibration_json(*camera.calibration);
  const size_t index = add("cameras", {{"name", camera.name},
                                       {"type", "perspective"},
                                       {"perspective",
                                        {{"yfov", 2 * std::atan(half_height)},
                                         {"aspectRatio", half_width / half_height},
                                         {"znear", kNear_m},
                                         {"zfar", kFar_m}}},
                                       {"extras", std::move(extras)}});
  const auto pose = [](const Camera& at, std::vector<float>* center, std::vector<float>* rotation) {
    const Eigen::Vector3d c = at.center_in_world_m();
    const Eigen::Quaterniond q = rotation_of(at);
    for (const double value : {c.x(), c.y(), c.z()}) center->push_back(static_cast<float>(value));
    for (const double value : {q.x(), q.y(), q.z(), q.w()}) rotation->push_back(static_cast<float>(value));
  };
  std::vector<float> times = {0}, centers, rotations;
  pose(*camera.calibration, &centers, &rotations);
  const size_t node =
      add_node({{"name", camera.name}, {"camera", index}, {"translation", centers}, {"rotation", rotations}});
  if (camera.later_calibrations.empty()) return;
  for (const LaterCalibration& later : camera.later_calibrations) {
    times.push_back(seconds(later.from_frame));
    pose(later.camera, &centers, &rotations);
  }
  add_channel(node, "translation", "STEP", times, centers, 3);
  add_channel(node, "rotation", "STEP", times, rotations, 4);
}

void append_point(const Eigen::Vector2d& at, double z, std::vector<float>* points) {
  for (const double value : {at.x(), at.y(), z}) points->push_back(static_cast<float>(value));
}

void GltfScene::add_floor() {
  std::vector<float> floor;
  for (const Eigen::Vector2d& corner : floor_corners_m(project_)) append_point(corner, 0, &floor);
  if (!floor.empty())
    add_node({{"name", "floor"},
              {"mesh", add_mesh("floor", floor, kTriangles, {0x80, 0x80, 0x80}, {0, 1, 2, 0, 2, 3})}});
  for (const FloorZone& zone : project_.zones) {
    std::vector<float> corners;
    for (const Eigen::Vector2d& corner : zone.corners_m) append_point(corner, kAboveFloor_m, &corners);
    add_node({{"name", zone.name},
              {"mesh", add_mesh(zone.name, corners, kLineLoop, kMarkWhite)},
              {"extras", {{"zone", kZoneKindNames[static_cast<size_t>(zone.kind)]}}}});
  }
  for (const FloorLine& line : project_.lines) {
    std::vector<float> ends;
    append_point(line.from_m, kAboveFloor_m, &ends), append_point(line.to_m, kAboveFloor_m, &ends);
    add_node({{"name", line.name}, {"mesh", add_mesh(line.name, ends, kLines, kMarkWhite)}});
  }
}

// Rings around the z axis, from below to above: from 0 to the height.
void make_capsule(double height_m, std::vector<float>* points, std::vector<uint16_t>* triangles) {
  const double radius = std::min(kPersonRadius_m, height_m / 2);
  std::vector<std::pair<double, double>> rings;  // radius and height
  for (int cap = 0; cap < 2; ++cap)
    for (int ring = 0; ring <= kRings; ++ring) {
      const double angle = M_PI / 2 * (cap == 0 ? ring - kRings : ring) / kRings;
      rings.emplace_back(radius * std::cos(angle),
                         (cap == 0 ? radius : height_m - radius) + radius * std::sin(angle));
    }
  for (const auto& [around, z] : rings)
    for (int side = 0; side < kSides; ++side) {
      const double angle = 2 * M_PI * side / kSides;
      append_point({around * std::cos(angle), around * std::sin(angle)}, z, points);
    }
  for (size_t ring = 0; ring + 1 < rings.size(); ++ring)
    for (int side = 0; side < kSides; ++side) {
      const auto at = [&](size_t r, int s) { return static_cast<uint16_t>(r * kSides + s % kSides); };
      for (const uint16_t corner : {at(ring, side), at(ring, side + 1), at(ring + 1, side + 1),
                                    at(ring, side), at(ring + 1, side + 1), at(ring + 1, side)})
        triangles->push_back(corner);
    }
}

void GltfScene::add_person(const PersonPath& path) {
  const double height_m = median_height_m(path);
  const std::string name = person_label(path.id, people_.names);
  std::vector<float> corners, times, places, switches, sizes;
  std::vector<uint16_t> triangles;
  make_capsule(height_m, &corners, &triangles);
  const auto show = [&](int64_t frame, bool there) {
    switches.push_back(seconds(frame));
    sizes.insert(sizes.end(), 3, there ? 1.0F : 0.0F);
  };
  const int64_t begin = people_.frames.empty() ? 0 : people_.frames.front();
  if (begin < path.points.frame(0)) show(begin, false);
  for (const auto& [first, end] : runs_of(path, people_.frame_rate)) {
    show(path.points.frame(first), true);
    show(path.points.frame(end - 1) + 1, false);
    for (size_t i = first; i < end; ++i) {
      const PathPoint point = path.points[i];
      times.push_back(seconds(point.frame));
      append_point({point.x_m, point.y_m}, 0, &places);
    }
  }
  const size_t mesh = add_mesh(name, corners, kTriangles, person_rgb(path.id), triangles);
  const size_t node =
      add_node({{"name", name},
                {"mesh", mesh},
                {"translation", std::vector<float>(places.begin(), places.begin() + 3)},
                {"extras", {{"id", path.id}, {"height_m", project_detail::rounded(height_m)}}}});
  add_channel(node, "translation", "LINEAR", times, places, 3);
  add_channel(node, "scale", "STEP", switches, sizes, 3);
}

void append_number(uint32_t value, std::string* bytes) {
  for (int i = 0; i < 4; ++i) bytes->push_back(static_cast<char>(value >> (8 * i)));
}

Result<std::string> GltfScene::finish(bool binary) {
  if (!animation_["channels"].empty()) document_["animations"] = ordered_json::array({animation_});
  ordered_json& described = document_["buffers"][0];
  described["byteLength"] = buffer_.size();
  if (!binary) {
    described["uri"] = "data:application/octet-stream;base64," + base64(buffer_);
    return json_text(document_, 1) + '\n';
  }
  std::string json = json_text(document_);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  buffer_.resize((buffer_.size() + 3) / 4 * 4);
  constexpr size_t kHeads = 12 + 8 + 8;
  const uint64_t total = kHeads + json.size() + buffer_.size();
  if (total > std::numeric_limits<uint32_t>::max())
    return fail(ErrorKind::invalid_argument, "is more than a file of 4 GiB can hold", "glTF",
                "Export a shorter run.");
  std::string bytes = "glTF";
  append_number(2, &bytes), append_number(static_cast<uint32_t>(total), &bytes);
  append_number(static_cast<uint32_t>(json.size()), &bytes);
  bytes += "JSON" + json;
  append_number(static_cast<uint32_t>(buffer_.size()), &bytes);
  bytes += "BIN";
  bytes += '\0';
  return bytes + buffer_;
}

}  // namespace

Result<std::string> gltf_bytes(const Project& project, const RecordedPeople& people, bool binary) {
  GltfScene scene(project, people);
  scene.add_cameras();
  scene.add_floor();
  scene.add_people();
  return scene.finish(binary);
}

}  // namespace vantage::people_export_detail
