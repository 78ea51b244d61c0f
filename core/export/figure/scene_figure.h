// The point of view from which a figure shows the 3-D scene, and what its colours mean.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>

#include "core/base/result.h"
#include "core/carving/cut.h"
#include "core/display/orbit_camera.h"

namespace vantage {

// A film that only turns shows so many degrees a second where no time is stated.
inline constexpr double kSceneTurn_deg_per_s = 30;
inline constexpr double kMaxSceneTurn_deg = 3600, kMaxSceneFilm_s = 600, kMaxSceneDistance_m = 10'000;
inline constexpr double kMinSceneElevation_deg = -11, kMaxSceneElevation_deg = 88;

struct SceneFigure {
  // Direction of the eye, seen from what it looks at: from x towards y, and above the floor.
  double azimuth_deg = -57, elevation_deg = 29;
  std::optional<double> distance_m;          // nothing: floor and cameras are all in view
  std::optional<Eigen::Vector3d> look_at_m;  // in the world; nothing: the middle of the scene
  double turn_deg = 0;                       // how far the eye goes around during a film
  double seconds = 0;                        // of a film that turns about one frame; 0: by its turn
  bool by_height = false;                    // the volume's colour: height, else person
  std::optional<CutPlane> slice;             // with the confidence on it
};

// Values out of range, by name.
Status check_scene_figure(const SceneFigure& scene);
// So many pictures has the film that shows one frame while it turns; 0: it does not turn.
int64_t turning_pictures(const SceneFigure& scene, double frame_rate);
// The eye when that share of a film has passed. `fitted`: of the project's scene, all of it in view.
OrbitCamera scene_camera(const SceneFigure& scene, const OrbitCamera& fitted, double film_share);

}  // namespace vantage
