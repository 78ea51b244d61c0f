// Renders one camera's frames: the empty room once, then per frame only the pixels that people and their
// shadows touch, with 2 x 2 samples a pixel, encoded to I420 and taken by the camera's sensor.
#pragma once

#include <vector>

#include "core/image/picture.h"
#include "core/synth/camera_view.h"
#include "core/synth/detail/room.h"
#include "core/synth/detail/sensor.h"
#include "core/synth/detail/shadow_map.h"
#include "core/synth/detail/silhouette.h"

namespace vantage::synth {

class Renderer {
 public:
  // Renders the empty room. `scene` must outlive the renderer.
  static Result<Renderer> make(const Scene& scene, int camera);

  const CameraView& view() const { return view_; }

  Result<Picture> render(const std::vector<Body>& bodies, int64_t frame);  // frame of this camera
  Result<Picture> render_empty(int64_t frame);  // of a clip from before the walk, without people

 private:
  struct Part {
    Silhouette silhouette;
    const Material* material;
  };
  struct Sample {
    float depth;
    int32_t part;  // -1: the room
  };

  Renderer(const Scene& scene, int camera, CameraView view);
  void draw(const std::vector<Body>& bodies);  // into frame_
  void render_room();
  void encode_room();
  std::vector<PixelBox> place(const std::vector<Body>& bodies);
  void draw_parts();
  void compose(const PixelBox& box);
  bool compose_pixel(int x, int y, Color* color) const;
  Color shade(int part, const Eigen::Vector3f& point) const;
  bool shade_floor(int x, int y, Color* color) const;
  void encode_block(Planes* planes, int x, int y, const Color* four) const;
  Sample* sample_row(int row) { return &samples_[static_cast<size_t>(row) * 2 * view_.width_px()]; }
  const Sample* sample_row(int row) const {
    return &samples_[static_cast<size_t>(row) * 2 * view_.width_px()];
  }

  const Scene* scene_;
  uint64_t noise_seed_;
  CameraView view_;
  ShadowMap shadows_;
  Eigen::Vector3f towards_light_, up_;  // in camera coordinates
  std::vector<RoomLight> room_;         // per pixel
  Planes empty_, frame_;
  std::vector<Sample> samples_;    // 2 x 2 per pixel
  std::vector<int64_t> composed_;  // per 2 x 2 block: the serial number of its last frame
  int64_t serial_ = 0;
  std::vector<Part> parts_;
  std::vector<PixelBox> last_boxes_;  // what frame_ holds that is not the empty room
  CameraClock clock_;
  Sensor sensor_;
};

}  // namespace vantage::synth
