// Foreground segmentation: which pixels differ from the empty scene. Methods: methods.h; here the contract of
// all. The arithmetic of `gaussian`, its equations and sources: resources/docs/algorithms/foreground.md; of
// one pixel, in float: gaussian_pixel.h and gaussian_evidence.h, shared by all implementations.
//
// Model: one running Gaussian per pixel on Y'CbCr (C. Wren et al., "Pfinder", PAMI 1997), learnt from an
// empty-scene clip or from the first frames. Chroma is sampled at half resolution. Light of the whole
// picture may change at once (light_change.h). A darkening by shadow down to darkest_shadow costs nothing.
//
// The mask is 0 or 255: indicator >= 0.5 (stored: >= 128), the cleaned vote. The indicator is a number in
// [0,1], linear in the distance of a pixel nearby between two thresholds, or undecided; it is not a
// calibrated probability.
//
// Update: a luma sample where its mask is 0, a chroma sample where the mask is 0 in all luma samples of its
// 2x2 block (fewer at an odd right or lower border). Elsewhere the mean alone moves by absorption_rate: an
// object at twice the mask's distance is absorbed after about 0.7 / absorption_rate frames.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/byte_stream.h"
#include "core/base/parameters.h"
#include "core/base/threads.h"
#include "core/foreground/cleaning.h"
#include "core/foreground/gaussian_evidence.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"

namespace vantage {

// An index into foreground_methods() (methods.h).
enum class ForegroundMethod : int { gaussian = 0, knn };

// Shift of a shaking camera's pictures back to rest (steady_model.h).
enum class Steadying : int { off = 0, automatic, on };

// Every method uses method, steady, opening and closing, and what is learnt; the rest is gaussian's. Other
// methods have a struct and a table of their own.
struct ForegroundParameters {
  ForegroundMethod method = ForegroundMethod::gaussian;
  double distance_low = 2.5;   // d_low
  double distance_high = 5.5;  // d_high > d_low; equal or smaller values act as d_low + 0.01
  double chroma_weight = 4.0;  // w_C
  double min_sigma = 3.0;
  double darkest_shadow = 0.65;
  double shaded_chroma_weight = 40;  // w_S
  double shade_blue = 0.055;
  double shade_red = -0.045;
  double largest_change = 2.0;  // g, q_B and q_R lie between its inverse and this
  double displacement_px = 0.75;
  double edge = 0.45;
  double undecided = 0.45;  // u
  int opening_px = 1;       // a
  int closing_px = 1;       // b
  double learning_rate = 0.001;
  double absorption_rate = 0.0001;
  bool whole_recording = true;  // see scene.h
  int learning_frames = 25;
  Steadying steady = Steadying::automatic;
};
template <>
const ParameterTable& parameter_table<ForegroundParameters>();

// The steps that do something, in order.
inline std::vector<CleaningStep> cleaning_steps(const ForegroundParameters& p) {
  const int opening = std::clamp(p.opening_px, 0, kMaxCleaningRadius);
  const int closing = std::clamp(p.closing_px, 0, kMaxCleaningRadius);
  std::vector<CleaningStep> steps;
  for (const CleaningStep step :
       {CleaningStep{false, opening}, CleaningStep{true, opening + closing}, CleaningStep{false, closing}})
    if (step.radius > 0) steps.push_back(step);
  return steps;
}

// The parameters as the per-pixel arithmetic takes them.
inline GaussianSettings gaussian_settings(const ForegroundParameters& p) {
  const double width = p.distance_high > p.distance_low ? p.distance_high - p.distance_low : 0.01;
  const double edge_low = p.edge > 0 ? p.edge - 0.5 * kEdgeWidth : -kEdgeWidth;
  const double shade = p.shade_blue * p.shade_blue + p.shade_red * p.shade_red;
  return {.distance_low = static_cast<float>(p.distance_low),
          .votes_per_distance = static_cast<float>(1.0 / width),
          .chroma_weight = static_cast<float>(p.chroma_weight),
          .min_variance = static_cast<float>(p.min_sigma * p.min_sigma),
          .darkest_shadow = static_cast<float>(p.darkest_shadow),
          .largest_change = static_cast<float>(p.largest_change),
          .displacement = static_cast<float>(p.displacement_px),
          .shade_cb = static_cast<float>(p.shade_blue),
          .shade_cr = static_cast<float>(p.shade_red),
          .shade_inverse = static_cast<float>(shade > 0 ? 1.0 / shade : 0.0),
          .shaded_weight = static_cast<float>(p.shaded_chroma_weight / (p.min_sigma * p.min_sigma)),
          .edge_low = static_cast<float>(edge_low),
          .undecided_level = static_cast<float>(255 * p.undecided),
          .learning_rate = static_cast<float>(p.learning_rate),
          .absorption_rate = static_cast<float>(p.absorption_rate)};
}

// The grey level of black.
inline float black_level(const PictureFormat& format) {
  return format.range == ColorRange::limited ? 16.0f : 0.0f;
}

struct ForegroundImages {
  Image indicator;               // u8, picture size, 255 = 1
  Image mask;                    // u8, 0 or 255
  Deferred<int64_t> mask_count;  // pixels of the mask; a device model's may still be in transit
};

class RestView;

// A copy of the model's memory, for checkpoints. Held in the memory of its device.
class ForegroundState {
 public:
  virtual ~ForegroundState() = default;
  virtual size_t size_bytes() const = 0;
};

// The model of one camera. Not thread-safe; one per camera and run.
class ForegroundModel {
 public:
  static constexpr std::string_view kAlgorithm = "foreground", kDefaultMethod = "gaussian";
  struct Arguments {
    int camera = 0;
  };
  virtual ~ForegroundModel() = default;

  // Forgets everything learnt.
  virtual void reset() = 0;
  // Takes ForegroundParameters and the method's own. Those that shape the model apply from reset() on.
  virtual void set_parameters(const ParameterStore& parameters) = 0;
  // One frame of the empty scene; `gaussian`: mean and variance over all learnt frames (Welford's update).
  // Meant before any apply(); later it weighs the frame by 1 / (frames learnt so far, this one included).
  virtual Status learn(const Picture& empty_scene, int64_t frame) = 0;
  // Segments one frame, then updates the model. Frames come in order. Before any learn() it learns the frame
  // first: that frame becomes the mean, sigma is min_sigma and the mask is empty. Mask, opening and closing
  // are those above whatever the method. Errors: a picture of another size than the first (invalid_argument),
  // a picture in another memory than the model's (invalid_argument).
  virtual Result<ForegroundImages> apply(const Picture& picture, int64_t frame) = 0;

  // Repetitions of the pictures of a learnt scene; a method that keeps samples needs many.
  virtual int showings() const { return 1; }

  // The view at rest of a shaking camera, to which pictures to segment are brought back, if the model can do
  // that (steady_model.h); null: it does not shake. Pictures learnt from now on are at rest already. Until
  // the next reset().
  virtual void follow_shakes(std::shared_ptr<const RestView>) {}
  // Maximum offset of a learnt picture from rest, px; 0: the camera kept still, or was not examined.
  virtual double shake_px() const { return 0; }

  // Errors: unsupported by methods whose state cannot be saved (ForegroundMethodInfo::saves_state).
  virtual Result<std::shared_ptr<const ForegroundState>> save() const = 0;
  virtual Status restore(const ForegroundState& state) = 0;

  // The same for another process. Errors: unsupported where the method or the device cannot; bad_data for
  // bytes that write() did not write.
  virtual Status write(ByteWriter*) const { return no_bytes(); }
  virtual Status read(ByteReader*) { return no_bytes(); }

 protected:
  static Status no_bytes() {
    return fail(ErrorKind::unsupported, "the background model of this method and device cannot be written",
                "foreground", "Let tasks warm up instead (vantage-cli plan --seams warm-up).");
  }
};

}  // namespace vantage
