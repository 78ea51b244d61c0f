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
