#include "core/tracking/paths/detail/smoothed_path.h"

namespace vantage::path_detail {

std::vector<std::array<double, 2>> smoothed_way(std::span<const int32_t> path, std::span<const Node> nodes,
                                                double frame_rate, const PathParameters& parameters) {
  std::vector<MotionState> states;
  for (const int32_t number : path) {
    const Node& node = nodes[static_cast<size_t>(number)];
    if (states.empty()) {
      const bool carries = node.carries >= 0 && node.motion.started;
      states.push_back(carries ? node.motion : motion_start(node.person, node.frame, node.look, parameters));
    } else {
      states.push_back(states.back());
      motion_step(states.back(), node.person, node.frame, node.look, frame_rate, parameters);
    }
  }
  const double q = parameters.acceleration_m_per_s2 * parameters.acceleration_m_per_s2;
  for (size_t i = states.size(); i-- > 1;) {
    const MotionState& after = states[i];
    MotionState& at = states[i - 1];
    const double dt = static_cast<double>(after.frame - at.frame) / frame_rate;
    // The prediction from `at`, and its covariance with `at`.
    const double place =
        at.place_variance + 2 * dt * at.covariance + dt * dt * at.speed_variance + q * dt * dt * dt * dt / 4;
    const double mixed = at.covariance + dt * at.speed_variance + q * dt * dt * dt / 2;
    const double speed = at.speed_variance + q * dt * dt;
    const double place_place = at.place_variance + dt * at.covariance, place_speed = at.covariance;
    const double speed_place = at.covariance + dt * at.speed_variance, speed_speed = at.speed_variance;
    const double determinant = place * speed - mixed * mixed;
    const double g00 = (place_place * speed - place_speed * mixed) / determinant;
    const double g01 = (place_speed * place - place_place * mixed) / determinant;
    const double g10 = (speed_place * speed - speed_speed * mixed) / determinant;
    const double g11 = (speed_speed * place - speed_place * mixed) / determinant;
    const double x_m = after.x_m - at.x_m - dt * at.speed_x, vx = after.speed_x - at.speed_x;
    const double y_m = after.y_m - at.y_m - dt * at.speed_y, vy = after.speed_y - at.speed_y;
    at.x_m += g00 * x_m + g01 * vx, at.speed_x += g10 * x_m + g11 * vx;
    at.y_m += g00 * y_m + g01 * vy, at.speed_y += g10 * y_m + g11 * vy;
  }
  std::vector<std::array<double, 2>> places;
  for (const MotionState& state : states) places.push_back({state.x_m, state.y_m});
  return places;
}

}  // namespace vantage::path_detail
