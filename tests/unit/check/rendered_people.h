// Rendered people with exact masks, and cameras whose poses differ from their calibrations.
#pragma once

#include <map>
#include <vector>

#include "core/check/silhouettes.h"
#include "core/geometry/camera.h"
#include "core/synth/detail/scene.h"
#include "core/synth/detail/truth.h"

namespace vantage::test {

// Four people, twelve instants, exact masks.
struct RenderedPeople {
  std::vector<Camera> cameras;
  std::vector<MaskSet> moments;
};

inline RenderedPeople make_rendered(int cameras) {
  SynthOptions options;
  options.cameras = cameras;
  options.people = 4;
  options.width_px = 640;
  options.height_px = 480;
  options.seed = 31;
  const synth::Scene scene = synth::make_scene(options).value();
  RenderedPeople rendered{scene.cameras, {}};
  for (int moment = 0; moment < 12; ++moment) {
    MaskSet& masks = rendered.moments.emplace_back();
    for (const Camera& camera : scene.cameras) {
      const auto view = synth::CameraView::make(camera).value();
      synth::PixelTruth truth(view);
      truth.draw(synth::pose_people(scene, 1.6 * moment));
      masks.push_back(truth.mask().value());
    }
  }
  return rendered;
}

// Rendered once for all tests with this number of cameras.
inline const RenderedPeople& render(int cameras) {
  static std::map<int, RenderedPeople> known;
  if (!known.contains(cameras)) known[cameras] = make_rendered(cameras);
  return known[cameras];
}

inline const VoxelGrid kRoom{{-3, -3, 0}, 0.1, 60, 60, 22};

// Along the camera's own axis (0 to 2), or the change itself (turns, focal length).
inline Camera changed(const Camera& camera, int entry, double amount) {
  CameraChange change = CameraChange::Zero();
  if (entry < 3 || entry == 6)
    change[entry] = amount;
  else
    change.segment<3>(3) = amount * camera.rotation_cam_from_world().row(entry - 3).transpose();
  return changed_camera(camera, change).value();
}

}  // namespace vantage::test
