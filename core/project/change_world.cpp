#include "core/project/change_world.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>

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
    if (count > 0) said_.push_back(fmt::format("{} {} moved", count, count == 1 ? one : several));
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
      said_.back() += fmt::format(" and scaled by {:.4f}", change_.scale);
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
    said_.push_back(fmt::format("the region moved: {:.2f} x {:.2f} m from ({:.2f}, {:.2f}); its height stays",
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

namespace {

std::string metres_text(double metres) {
  return metres < 100 ? fmt::format("{:.4g} m", metres) : fmt::format("{:.0f} m", metres);
}

// Limits of one scene's cameras: maximum distance and height, minimum distance.
constexpr double kMaxApart_m = 250, kMaxHeight_m = 60, kMinApart_m = 0.02;
// Usual distances of cameras in rooms and halls; the first is the most likely.
constexpr double kUsualApart_m = 8, kMinUsual_m = 0.5, kMaxUsual_m = 120;

struct Unit {
  double metres;
  const char* name;
};
constexpr std::array<Unit, 3> kUnits = {{{1, "metres"}, {0.01, "centimetres"}, {0.001, "millimetres"}}};

struct Stand {
  double apart = 0, height = 0;  // in the file's units: maximum distance of two cameras, median height
  std::string one, other;        // the two cameras at that distance
};

Stand stand_of(const std::vector<Camera>& cameras, double unit_m) {
  Stand stand;
  std::vector<double> heights;
  for (const Camera& a : cameras) {
    heights.push_back(std::abs(a.center_in_world_m().z()) / unit_m);
    for (const Camera& b : cameras) {
      const double apart = (a.center_in_world_m() - b.center_in_world_m()).norm() / unit_m;
      if (apart > stand.apart) stand.apart = apart, stand.one = a.name(), stand.other = b.name();
    }
  }
  std::sort(heights.begin(), heights.end());
  stand.height = heights.empty() ? 0 : heights[heights.size() / 2];
  return stand;
}

bool plausible(const Stand& stand, double metres) {
  const double apart = stand.apart * metres, height = stand.height * metres;
  return apart <= kMaxApart_m && height <= kMaxHeight_m && (stand.apart == 0 || apart >= kMinApart_m);
}

}  // namespace

UnitQuestion read_in_units(const std::vector<Camera>& cameras, double unit_m) {
  const Stand stand = stand_of(cameras, unit_m);
  UnitQuestion question;
  double nearest = INFINITY;
  std::string apart, height;
  for (const Unit& unit : kUnits) {
    const double size = (stand.apart > 0 ? stand.apart : stand.height) * unit.metres;
    const char* comma = apart.empty() ? "" : ", ";
    apart += comma + metres_text(stand.apart * unit.metres) + " as " + unit.name;
    height += comma + metres_text(stand.height * unit.metres) + " as " + unit.name;
    const double off = std::abs(std::log(size / kUsualApart_m));
    if (!plausible(stand, unit.metres) || size < kMinUsual_m || size > kMaxUsual_m || off >= nearest)
      continue;
    nearest = off, question.likely_m = unit.metres, question.likely_name = unit.name;
  }
  question.what = "cameras stand " + height + " from the floor";
  if (stand.apart > 0) question.what += ", and " + stand.one + " and " + stand.other + " are apart " + apart;
  return question;
}

std::optional<UnitQuestion> question_of_unit(const std::vector<Camera>& cameras, double unit_m) {
  if (cameras.empty() || !(unit_m > 0) || plausible(stand_of(cameras, unit_m), unit_m)) return std::nullopt;
  UnitQuestion question = read_in_units(cameras, unit_m);
  question.what = "the unit of the calibration is in doubt: " + question.what;
  return question;
}

}  // namespace vantage
