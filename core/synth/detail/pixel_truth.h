// The person that each pixel shows: one ray through the centre of every pixel, the nearest body part wins.
// The exact truth behind masks, boxes and the heights of heads.
#pragma once

#include <vector>

#include "core/image/picture.h"
#include "core/synth/camera_view.h"
#include "core/synth/detail/body.h"

namespace vantage::synth {

// A person, or the head, as far as the picture reaches: others in front do not shrink the box.
struct Outline {
  PixelBox box;         // empty: out of the picture
  int64_t pixels = 0;   // whose rays meet it
  int64_t visible = 0;  // of these, those that meet no one else before it
  double visibility() const {
    return pixels > 0 ? static_cast<double>(visible) / static_cast<double>(pixels) : 0;
  }
};

struct Appearance {
  Outline person, head;
};

class PixelTruth {
 public:
  explicit PixelTruth(const CameraView& view);  // must outlive this

  // Forgets what was drawn before. The first so many bodies are people, the others things that hide them.
  void draw(const std::vector<Body>& bodies, size_t people);
  void draw(const std::vector<Body>& bodies) { draw(bodies, bodies.size()); }

  const std::vector<Appearance>& appearances() const { return appearances_; }  // one for each person
  // u8: 255 where the ray meets a person; shadows do not count.
  Result<Image> mask() const;
  // u8: the person whose surface the ray meets first, as truth/tracks.csv numbers them from 1; 0: no one. 255
  // stands for every further one.
  Result<Image> persons() const;
  // f32: the height above the floor, in metres, of the point of a head that the ray meets; 0 where it meets
  // none.
  Result<Image> head_heights() const;

 private:
  struct Pixel {
    float depth = 0;          // along the camera's axis
    int32_t person = -1;      // whose surface is the nearest
    bool head = false;        // it is the head's
    bool meets_head = false;  // that person's head lies on the ray, perhaps behind the own hair
    int32_t outline = -1;     // the last person whose outline was drawn here, and so with the head's
    int32_t head_outline = -1;
  };
  void draw_part(const Ellipsoid& part, int person);
  bool shows_person(const Pixel& pixel) const { return pixel.person >= 0 && pixel.person < people_; }
  template <class PixelType, class Value>
  Result<Image> paint(ImageType type, Value value) const;
  Pixel& at(int x, int y) { return pixels_[static_cast<size_t>(y) * view_.width_px() + x]; }
  const Pixel& at(int x, int y) const { return pixels_[static_cast<size_t>(y) * view_.width_px() + x]; }

  const CameraView& view_;
  int32_t people_ = 0;
  std::vector<Pixel> pixels_;
  std::vector<PixelBox> drawn_;  // of each part
  std::vector<Appearance> appearances_;
};

}  // namespace vantage::synth
