#include "core/export/figure/scene_figure.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/base/formatted.h"

namespace vantage {
namespace {

constexpr double kRadians = std::numbers::pi / 180;

Status within(const char* name, double value, double low, double high, const char* unit) {
  if (value >= low && value <= high) return {};
  return fail(ErrorKind::invalid_argument, std::string("a scene has no such ") + name,
              formatted("%g", value) + unit, formatted("Choose %s from %g to %g%s.", name, low, high, unit));
}

}  // namespace

Status check_scene_figure(const SceneFigure& scene) {
  VANTAGE_TRY(within("azimuth", scene.azimuth_deg, -360, 360, " degrees"));
  VANTAGE_TRY(
      within("elevation", scene.elevation_deg, kMinSceneElevation_deg, kMaxSceneElevation_deg, " degrees"));
  if (scene.distance_m) VANTAGE_TRY(within("distance", *scene.distance_m, 0.1, kMaxSceneDistance_m, " m"));
  if (scene.look_at_m)
    for (const double value : *scene.look_at_m)
      VANTAGE_TRY(within("position", value, -kMaxSceneDistance_m, kMaxSceneDistance_m, " m"));
  VANTAGE_TRY(within("turn", scene.turn_deg, -kMaxSceneTurn_deg, kMaxSceneTurn_deg, " degrees"));
  return within("time", scene.seconds, 0, kMaxSceneFilm_s, " s");
}

int64_t turning_pictures(const SceneFigure& scene, double frame_rate) {
  if (scene.turn_deg == 0) return 0;
  const double seconds = scene.seconds > 0 ? scene.seconds : std::abs(scene.turn_deg) / kSceneTurn_deg_per_s;
  return std::max<int64_t>(1, std::lround(seconds * frame_rate));
}

OrbitCamera scene_camera(const SceneFigure& scene, const OrbitCamera& fitted, double film_share) {
  OrbitCamera camera = fitted;
  camera.look_from((scene.azimuth_deg + film_share * scene.turn_deg) * kRadians,
                   scene.elevation_deg * kRadians);
  if (scene.distance_m) camera.set_distance_m(*scene.distance_m);
  if (scene.look_at_m) camera.look_at(*scene.look_at_m);
  return camera;
}

}  // namespace vantage
