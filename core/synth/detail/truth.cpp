#include "core/synth/detail/truth.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/results/results_pictures.h"

namespace vantage::synth {
namespace {

// `more`: what else stands in the row.
void append_row(int64_t frame, size_t person, const Eigen::Vector3d& point, const std::string& more,
                std::string* text) {
  *text += formatted("%lld,%zu,-1,-1,-1,-1,1,%.4f,%.4f,%.4f", static_cast<long long>(frame + 1), person + 1,
                     point.x(), point.y(), point.z());
  *text += more + '\n';
}

// The top of the hair, or of what is worn on it.
double top_of_head_m(const Body& body) {
  double top_m = 0;
  for (const Ellipsoid& part : body.parts)
    if (part.of_head)
      top_m = std::max(
          top_m, part.center_in_world_m.z() + part.axes.row(2).transpose().cwiseProduct(part.radii_m).norm());
  return top_m;
}

void append_box_row(int64_t frame, size_t person, const Outline& outline, const Eigen::Vector3d& point,
                    std::string* text) {
  const PixelBox& box = outline.box;
  if (box.empty()) return;
  *text += formatted("%lld,%zu,%d,%d,%d,%d,%.4f,%.4f,%.4f,%.4f\n", static_cast<long long>(frame + 1),
                     person + 1, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0, outline.visibility(),
                     point.x(), point.y(), point.z());
}

}  // namespace

TruthTables make_truth(const Scene& scene) {
  TruthTables tables;
  for (int64_t frame = 0; frame < scene.frame_count(); ++frame) {
    const std::vector<Body> bodies = pose_people(scene, scene.time_s(frame));
    for (size_t i = 0; i < bodies.size(); ++i) {
      const WalkState state = scene.walk_state(i, scene.time_s(frame));
      append_row(frame, i, {state.x_m, state.y_m, 0}, formatted(",%.4f", top_of_head_m(bodies[i])),
                 &tables.tracks);
      append_row(frame, i, bodies[i].head_center_in_world_m, {}, &tables.heads);
    }
  }
  return tables;
}

std::string sync_truth(const Scene& scene) {
  const double frame_rate = scene.options.frame_rate;
  nlohmann::ordered_json cameras = nlohmann::ordered_json::array();
  for (size_t i = 0; i < scene.clocks.size(); ++i) {
    const CameraClock& clock = scene.clocks[i];
    nlohmann::ordered_json dropped = nlohmann::ordered_json::array(), times = nlohmann::ordered_json::array();
    for (const DroppedFrames& drop : clock.drops())
      dropped.push_back({{"before_frame", drop.before_frame}, {"count", drop.count}});
    for (int64_t frame = 0; frame < clock.frame_count(); ++frame)
      times.push_back(std::round(clock.time_s(frame) * 1e7) / 1e7);
    cameras.push_back({{"name", scene.cameras[i].name()},
                       {"offset_frames", clock.offset_frames()},
                       {"offset_seconds", clock.offset_frames() / frame_rate},
                       {"drift_ppm", clock.drift_ppm()},
                       {"dropped", dropped},
                       {"capture_times_s", times}});
  }
  const nlohmann::ordered_json json = {
      {"base", scene.cameras.front().name()}, {"frame_rate", frame_rate}, {"cameras", cameras}};
  return json_text(json) + "\n";
}

void append_box_rows(const Scene& scene, const CameraClock& clock, int64_t frame,
                     const std::vector<Appearance>& appearances, const std::vector<Body>& bodies,
                     BoxRows* rows) {
  for (size_t i = 0; i < appearances.size(); ++i) {
    const WalkState state = scene.walk_state(i, clock.time_s(frame));
    append_box_row(frame, i, appearances[i].person, {state.x_m, state.y_m, 0}, &rows->persons);
    append_box_row(frame, i, appearances[i].head, bodies[i].head_center_in_world_m, &rows->heads);
  }
}

std::filesystem::path truth_picture_path(const std::filesystem::path& folder, const std::string& kind,
                                         const std::string& camera, int64_t frame,
                                         const std::string& extension) {
  return folder / "truth" / kind / camera / frame_file_name(frame, extension);
}

}  // namespace vantage::synth
