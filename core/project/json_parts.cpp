#include "core/project/json_parts.h"

#include <cmath>

#include "core/base/json.h"
#include "core/calibration/calibration.h"

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

}  // namespace vantage::project_detail
