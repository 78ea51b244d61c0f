#include "core/project/change_world.h"

#include <algorithm>
#include <cmath>

#include "core/base/formatted.h"

namespace vantage {
namespace {

class Changed {
 public:
  Changed(const WorldChange& change, Project* project) : change_(change), project_(*project) {}

  std::vector<std::string> all() {
    size_t cameras = 0;
    for (ProjectCamera& camera : project_.cameras) {
      if (!camera.calibration) continue;
      camera.calibration = in_changed_world(*camera.calibration, change_);
      for (LaterCalibration& later : camera.later_calibrations)
        later.camera = in_changed_world(later.camera, change_);
      ++cameras;
    }
    say(cameras, "camera", "cameras");
    change_shapes();
    change_region();
    return said_;
  }

 private:
  Eigen::Vector2d on_floor(const Eigen::Vector2d& place) const {
    return change_({place.x(), place.y(), 0}).head<2>();
  }

  void say(size_t count, const char* one, const char* several) {
    if (count > 0) said_.push_back(formatted("%zu %s moved", count, count == 1 ? one : several));
  }

  void change_shapes() {
    size_t known = 0;
    for (ClickedPoint& point : project_.points)
      if (point.known_m) point.known_m = change_(*point.known_m), ++known;
    say(known, "known point", "known points");
    for (ClickedMeasure& measure : project_.measures)
      for (MeasureClick& click : measure.clicks)
        if (click.camera.empty()) click.at = on_floor(click.at);
    for (FloorZone& zone : project_.zones)
      for (Eigen::Vector2d& corner : zone.corners_m) corner = on_floor(corner);
    say(project_.zones.size(), "zone", "zones");
    for (FloorLine& line : project_.lines)
      line.from_m = on_floor(line.from_m), line.to_m = on_floor(line.to_m);
    say(project_.lines.size(), "line", "lines");
    for (IdentityRepair& repair : project_.repairs)
      for (PlaceInTime* place : {&repair.at, &repair.other}) {
        const Eigen::Vector2d moved = on_floor({place->x_m, place->y_m});
        place->x_m = moved.x(), place->y_m = moved.y();
      }
    say(project_.repairs.size(), "repair", "repairs");
    change_truth();
    change_boxes();
  }

  void change_truth() {
    for (TruePerson& person : project_.truth) {
      for (TruthKey& key : person.keys) {
        const Eigen::Vector2d moved = on_floor({key.x_m, key.y_m});
        key.x_m = moved.x(), key.y_m = moved.y();
      }
      person.height_m *= change_.scale;
    }
    say(project_.truth.size(), "true person", "true people");
  }

  void change_boxes() {
    const Eigen::Vector3d ahead = change_.rotation * Eigen::Vector3d::UnitX();
    for (NamedBox& named : project_.boxes) {
      UprightBox& box = named.box;
      box.base_in_world_m = change_(box.base_in_world_m);
      box.size_m *= change_.scale;
      box.turn_degrees += std::atan2(ahead.y(), ahead.x()) * 180 / M_PI;
    }
    say(project_.boxes.size(), "box", "boxes");
    if (!project_.boxes.empty() && change_.scale != 1)
      said_.back() += formatted(" and scaled by %.4f", change_.scale);
  }

  void change_region() {
    if (!project_.grid) return said_.push_back("the region is fitted to the cameras again");
    VoxelGrid& grid = *project_.grid;
    const Eigen::Vector2d low(grid.origin_in_world_m[0], grid.origin_in_world_m[1]);
    const Eigen::Vector2d size(grid.nx * grid.voxel_size_m, grid.ny * grid.voxel_size_m);
    Eigen::Vector2d new_low(INFINITY, INFINITY), new_high = -new_low;
    for (const Eigen::Vector2d& share :
         {Eigen::Vector2d(0, 0), Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 1), Eigen::Vector2d(1, 1)}) {
      const Eigen::Vector2d corner = on_floor(low + size.cwiseProduct(share));
      new_low = new_low.cwiseMin(corner), new_high = new_high.cwiseMax(corner);
    }
    const auto voxels = [&](double length_m) {
      return std::max(1, static_cast<int>(std::lround(length_m / grid.voxel_size_m)));
    };
    grid.nx = voxels(new_high.x() - new_low.x()), grid.ny = voxels(new_high.y() - new_low.y());
    grid.origin_in_world_m[0] = new_low.x(), grid.origin_in_world_m[1] = new_low.y();
    said_.push_back(formatted("the region moved: %.2f x %.2f m from (%.2f, %.2f); its height stays",
                              grid.nx * grid.voxel_size_m, grid.ny * grid.voxel_size_m, new_low.x(),
                              new_low.y()));
  }

  const WorldChange& change_;
  Project& project_;
  std::vector<std::string> said_;
};

}  // namespace

std::vector<std::string> change_world(const WorldChange& change, Project* project) {
  return Changed(change, project).all();
}

}  // namespace vantage
