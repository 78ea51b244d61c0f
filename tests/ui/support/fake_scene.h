// A made-up recording for tests of the window: a ring of calibrated cameras around one upright ellipsoid that
// walks in a circle, with pictures, foreground, volume, floor map and track that agree with each other.
#pragma once

#include "core/project/project.h"
#include "core/session/shown_frame.h"

namespace vantage::ui {

struct FakeScene {
  int cameras = 4;
  int width_px = 160, height_px = 120;
  int64_t frames = 100;
  double frame_rate = 25;
  bool calibrated = true;
  int without_picture = -1;              // this camera has no frames
  bool without_person = false;           // an empty room
  bool detections = false;               // each camera names a file of them
  bool videos = true;                    // otherwise it has that alone
  static constexpr int64_t kPerson = 1;  // the number of its track

  Project project() const;
  VoxelGrid grid() const;
  Eigen::Vector3d person_in_world_m(int64_t frame) const;  // the ellipsoid's middle
  // On the floor: a peak that is too small to be a person.
  static Eigen::Vector3d rejected_in_world_m() { return {-1.2, -1.2, 0}; }
  // The same with a height map of that camera, where the whole picture has this label.
  static FrameResultRef with_heights(const FrameResultRef& result, size_t camera, const HeightLabels& scale,
                                     uint8_t label);
  // The same with a head of the person's, its centre so high.
  static FrameResultRef with_head(const FrameResultRef& result, double z_m);
  // The same with what a detector saw in each camera.
  static FrameResultRef with_detections(const FrameResultRef& result, std::vector<CameraDetections> cameras);
  // The same with people that were fused from it: the scene's, as these cameras say.
  static FrameResultRef with_fused(const FrameResultRef& result, std::vector<CameraEvidence> evidence);
  // The same with these joints of its person.
  static FrameResultRef with_skeleton(const FrameResultRef& result, PersonSkeleton skeleton);
  // Without analysis: pictures only.
  FrameResultRef result(int64_t frame, bool analysed) const;
  // With the person's trail.
  ShownFrameRef shown(FrameResultRef result) const;
};

}  // namespace vantage::ui
