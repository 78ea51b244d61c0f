// Exact ground truth of the footage: everyone's position and path, and the person in each pixel.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/image/picture.h"
#include "core/synth/camera_ring.h"
#include "core/synth/detail/body.h"
#include "core/synth/detail/scene.h"

namespace vantage::synth {

// The person that each pixel shows: one ray through the centre of every pixel, the nearest body part wins.
// The exact truth behind masks, boxes and the heights of heads.

// A person, or the head, as far as the picture reaches: others in front do not shrink the box.
struct Outline {
  PixelBox box;         // empty: out of the picture
  int64_t pixels = 0;   // whose rays meet it
  int64_t visible = 0;  // the ones that meet no one else before it
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
    bool meets_head = false;  // true: that person's head lies on the ray, perhaps behind the own hair
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
  std::vector<PixelBox> drawn_;  // one per part
  std::vector<Appearance> appearances_;
};

struct TruthTables {
  std::string
      tracks;  // MOTChallenge columns, frames from 1: frame,id,-1,-1,-1,-1,1,x,y,z of the point on the floor
  std::string heads;  // the same columns for the head's centre
};
TruthTables make_truth(const Scene& scene);

// truth/sync.json: each camera's offset, drift and dropped frames, and when each of its frames was taken.
std::string sync_truth(const Scene& scene);

// The rows of truth/boxes_camN.csv and truth/heads_camN.csv for one frame of a camera: MOTChallenge columns
// frame,id,left,top,width,height,visibility,x,y,z with the box in pixels, cut at the picture's border, and
// the point on the floor or the head's centre. Anyone who is out of the picture has no row.
struct BoxRows {
  std::string persons, heads;
};
void append_box_rows(const Scene& scene, const CameraClock& clock, int64_t frame,
                     const std::vector<Appearance>& appearances, const std::vector<Body>& bodies,
                     BoxRows* rows);

// truth/KIND/camN/frame_%06d.EXTENSION, frames of that camera from 0.
std::filesystem::path truth_picture_path(const std::filesystem::path& folder, const std::string& kind,
                                         const std::string& camera, int64_t frame,
                                         const std::string& extension);

}  // namespace vantage::synth
