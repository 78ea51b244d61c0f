#include "core/project/json_parts.h"

#include <cmath>

#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"

namespace vantage::project_detail {

using nlohmann::ordered_json;

double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

double rounded_color(double channel) {
  return std::round(channel * 10) / 10;
}

ordered_json grid_json(const VoxelGrid& grid) {
  return {{"origin_in_world_m", grid.origin_in_world_m},
          {"voxel_size_m", grid.voxel_size_m},
          {"size_voxels", {grid.nx, grid.ny, grid.nz}}};
}

ordered_json calibration_json(const Camera& camera) {
  ordered_json json = parse_ordered_json(calibration_to_json({camera}))["cameras"][0];
  json.erase("name");
  return json;
}

Result<Camera> calibrated_camera(const ordered_json& calibration, const std::string& name,
                                 const std::string& where) {
  ordered_json document = parse_ordered_json(calibration_to_json({}));
  ordered_json named = calibration;
  named["name"] = name;
  document["cameras"] = ordered_json::array({std::move(named)});
  VANTAGE_ASSIGN(std::vector<Camera> cameras, calibration_from_json(json_text(document), where));
  if (cameras.size() != 1) return fail(ErrorKind::bad_data, "holds no camera", where);
  return std::move(cameras.front());
}

ordered_json ignored_json(const IgnoredRegions& regions) {
  ordered_json list = ordered_json::array();
  for (const IgnoredRegion& region : regions) {
    ordered_json corners = ordered_json::array();
    for (const Eigen::Vector2d& corner : region.corners_px)
      corners.push_back(ordered_json::array({corner.x(), corner.y()}));
    list.push_back({{"corners_px", std::move(corners)}});
  }
  return list;
}

ordered_json later_json(const std::vector<LaterCalibration>& later) {
  ordered_json list = ordered_json::array();
  for (const LaterCalibration& one : later)
    list.push_back({{"from_frame", one.from_frame}, {"calibration", calibration_json(one.camera)}});
  return list;
}

Result<std::vector<LaterCalibration>> later_calibrations(const ordered_json& list, const Camera& first,
                                                         const std::string& name, const std::string& where) {
  std::vector<LaterCalibration> later;
  if (!list.is_array()) return fail(ErrorKind::bad_data, "a list is expected", where);
  int64_t before = 0;
  for (const ordered_json& one : list) {
    const auto frame = one.is_object() ? one.find("from_frame") : one.end();
    const auto calibration = one.is_object() ? one.find("calibration") : one.end();
    if (!one.is_object() || frame == one.end() || calibration == one.end() || !frame->is_number_integer() ||
        !calibration->is_object())
      return fail(ErrorKind::bad_data, "objects with from_frame and calibration are expected", where);
    LaterCalibration& read = later.emplace_back();
    read.from_frame = frame->get<int64_t>();
    if (read.from_frame <= before)
      return fail(ErrorKind::bad_data, "from_frame is above 0, and above that of the entry before", where);
    before = read.from_frame;
    VANTAGE_ASSIGN(read.camera, calibrated_camera(*calibration, name, where));
    if (read.camera.width_px() != first.width_px() || read.camera.height_px() != first.height_px())
      return fail(ErrorKind::bad_data, "all calibrations of a camera are for pictures of one size", where);
  }
  return later;
}

}  // namespace vantage::project_detail

namespace vantage {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

Status set_from_json(const json& value, const std::string& stage, const std::string& name,
                     ParameterStore* store) {
  if (value.is_string()) return store->set_from_text(stage + '.' + name + '=' + value.get<std::string>());
  if (value.is_boolean()) return store->set(stage, name, value.get<bool>() ? 1 : 0);
  if (value.is_number()) return store->set(stage, name, value.get<double>());
  return fail(ErrorKind::bad_data, "a number, true, false or a name is expected");
}

}  // namespace

ordered_json parameter_value_json(const ParameterDescription& entry, double value) {
  if (entry.type == ParameterType::boolean) return value != 0;
  if (entry.type == ParameterType::choice) return ParameterStore::to_text(entry, value);
  if (entry.type == ParameterType::integer) return static_cast<int64_t>(value);
  return value;
}

ordered_json parameters_json(const ParameterStore& store, bool changed_only) {
  ordered_json json = ordered_json::object();
  for (const ParameterTable* table : store.tables())
    for (const ParameterDescription& entry : table->entries)
      if (!changed_only || !store.is_default(table->stage, entry.name))
        json[table->stage][entry.name] =
            parameter_value_json(entry, store.get(table->stage, entry.name).value_or(entry.default_value));
  return json;
}

Status read_parameters_json(const json& object, ParameterStore* store, std::vector<std::string>* warnings) {
  if (!object.is_object()) return fail(ErrorKind::bad_data, "an object is expected");
  for (const ParameterTable* table : store->tables()) {
    const auto stage = object.find(table->stage);
    if (stage == object.end()) continue;
    const std::string pointer = '/' + table->stage;
    if (!stage->is_object()) return fail(ErrorKind::bad_data, "an object is expected", pointer);
    for (const auto& [name, value] : stage->items()) {
      const ParameterDescription* entry = table->find(name);
      if (!entry) continue;
      if (name != entry->name && stage->contains(entry->name)) {
        warnings->push_back(pointer + '/' + name + " is not used: it is the former name of " + entry->name +
                            ", which is there too");
        continue;
      }
      if (const Status set = set_from_json(value, table->stage, name, store); !set)
        return fail(ErrorKind::bad_data, set.error().message(), pointer + '/' + name);
    }
  }
  return {};
}

}  // namespace vantage
