// Foxglove's messages (docs.foxglove.dev, "Foxglove messages") in Protocol Buffers' encoding, which both
// Foxglove and Rerun read; of each what an export has. Private to core/export/people.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/display/marked_view.h"
#include "core/geometry/camera.h"

namespace vantage::people_export_detail::foxglove {

// A FileDescriptorSet of all of them, with the names "foxglove.SceneUpdate" and so on.
std::string descriptors();

std::string compressed_image(int64_t time_ns, const std::string& frame, std::string_view jpeg);
// Lens and size for pictures of that size: the camera's own, or reduced.
std::string camera_calibration(int64_t time_ns, const std::string& frame, const Camera& camera, int width_px,
                               int height_px);
// The pose of a camera whose axes are x right, y down, z forwards.
std::string camera_pose(int64_t time_ns, const std::string& parent, const std::string& frame,
                        const Camera& camera);

// A thing of the scene, until the next of the same ID.
struct Entity {
  std::string id;
  int64_t lifetime_ns = 0;  // 0: for ever
  std::vector<std::pair<std::string, std::string>> facts = {};
  // A cylinder that stands on the floor, with a text above it; of the height 0: none.
  Eigen::Vector2d place_m = Eigen::Vector2d::Zero();
  double radius_m = 0, height_m = 0;
  std::string text = {};
  MarkColor color = kMarkWhite;
  // Lines that join these points; a closed one also joins the last to the first.
  std::vector<Eigen::Vector3d> line_m = {};
  bool closed = false;
};
std::string scene_update(int64_t time_ns, const std::string& frame, std::span<const Entity> entities);

// Points with the fields x, y, z, height (metres), id and seen (0 or 1).
struct FloorPoint {
  float x_m = 0, y_m = 0, z_m = 0, height_m = 0;
  int32_t id = 0;
  uint32_t seen = 0;
};
std::string point_cloud(int64_t time_ns, const std::string& frame, std::span<const FloorPoint> points);

}  // namespace vantage::people_export_detail::foxglove
