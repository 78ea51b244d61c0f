#include "core/push/health_watch.h"

#include <algorithm>

namespace vantage {
namespace {

// What is wrong, without the figures in its text: those change all the time.
int state_of_camera(const CameraHealth& camera) {
  if (!camera.here) return 1;
  return (camera.picture.empty() ? 0 : 2) | (camera.turned ? 4 : 0) | (camera.detector.empty() ? 0 : 8);
}

std::string problem_of(const CameraHealth& camera) {
  if (!camera.here) return camera.state.empty() ? "no pictures" : camera.state;
  std::string problem = camera.picture;
  if (!camera.detector.empty()) problem += (problem.empty() ? "" : "; ") + camera.detector;
  if (problem.empty() && camera.turned) problem = "it shows another view";
  return problem;
}

}  // namespace

std::vector<HealthChange> HealthWatch::add(const LiveHealth& health, int64_t now_ns) {
  std::vector<HealthChange> changes;
  for (const CameraHealth& camera : health.cameras) {
    auto known = std::ranges::find(cameras_, camera.name, &Known::name);
    if (known == cameras_.end()) known = cameras_.insert(known, {camera.name, -1, -1, now_ns});
    const int state = state_of_camera(camera);
    if (state != known->seen) known->seen = state, known->since_ns = now_ns;
    if (state == known->told || now_ns - known->since_ns < kLasting_ns) continue;
    changes.push_back({camera, problem_of(camera), known->told < 0});
    known->told = state;
  }
  return changes;
}

}  // namespace vantage
