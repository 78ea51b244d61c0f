#include "core/synth/truth.h"

#include <cstdio>

namespace vantage::synth {
namespace {

void append_row(int64_t frame, size_t person, const Eigen::Vector3d& point, std::string* text) {
  char row[128];
  std::snprintf(row, sizeof row, "%lld,%zu,-1,-1,-1,-1,1,%.4f,%.4f,%.4f\n", static_cast<long long>(frame + 1),
                person + 1, point.x(), point.y(), point.z());
  *text += row;
}

}  // namespace

TruthTables make_truth(const Scene& scene) {
  TruthTables tables;
  for (int64_t frame = 0; frame < scene.frame_count(); ++frame) {
    const std::vector<Body> bodies = pose_people(scene, scene.time_s(frame));
    for (size_t i = 0; i < bodies.size(); ++i) {
      const WalkState state = scene.walk.at(static_cast<int>(i), scene.time_s(frame));
      append_row(frame, i, {state.x_m, state.y_m, 0}, &tables.tracks);
      append_row(frame, i, bodies[i].head_center_in_world_m, &tables.heads);
    }
  }
  return tables;
}

std::filesystem::path mask_path(const std::filesystem::path& folder, const std::string& camera,
                                int64_t frame) {
  char name[40];
  std::snprintf(name, sizeof name, "frame_%06lld.png", static_cast<long long>(frame));
  return folder / "truth" / "masks" / camera / name;
}

}  // namespace vantage::synth
