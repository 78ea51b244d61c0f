// Foreground segmentation: which pixels differ from the empty scene. Methods: methods.h; here the contract of
// all and the arithmetic of `gaussian`.
//
// Model: one running Gaussian per pixel on Y'CbCr (C. Wren, A. Azarbayejani, T. Darrell, A. Pentland,
// "Pfinder", PAMI 1997, section on the scene model), learnt from an empty-scene clip or from the first
// frames, then updated where the pixel is background. Chroma is sampled at half resolution.
//
// Light of the whole picture: g, how much brighter or darker the frame is than the learnt scene, and q_B and
// q_R, what its blue and red gained besides, from the frame itself (light_change.h). The frame is compared
// with the scene in that light and the model is updated as if the light were the learnt one, so that lamps,
// automatic exposure and white balance may change at once. Balance is brought back first, in the picture's
// chroma, with Y the block's mean above black and a = dCb / dB of light_change.h:
//
//   Cb - 128 = a ((Y + (Cb - 128) / a) / q_B - Y),  Cr likewise; luma stays, as chroma hardly enters it
//
// A strongest channel near white may be clipped: then the value between the shown and the balanced one that
// suits the scene best counts.
//
// Shadows: a shadow lowers a surface's brightness and keeps its chromaticity and texture (T. Horprasert,
// D. Harwood, L. Davis, "A statistical approach for real-time robust background subtraction and shadow
// detection", 1999; R. Cucchiara, C. Grana, M. Piccardi, A. Prati, PAMI 2003). Each 2x2 block is compared
// with the empty scene in the light k that suits it best; Y counts from the picture's black:
//
//   k   = clamp(sum Y / sum mY, g darkest_shadow, g)                                    over the 2x2 block
//
// so that a darkening down to the factor darkest_shadow costs nothing as long as colours fall in proportion
// and the block's pattern stays; darker still, or brighter, counts from there on. A luma sample may also lie
// between k and full light, for shadows end and edges move within blocks.
//
// Displacement: cameras sway and codecs move edges by parts of a pixel. As A. Elgammal, D. Harwood and
// L. Davis ("Non-parametric model for background subtraction", ECCV 2000) let a neighbour explain a pixel,
// the scene is an interval [m-, m+]: the mean, and from there the share `displacement_px` of the way to the
// smallest and the largest mean of the 3x3 samples around (two thirds of that share for chroma, whose samples
// lie twice as far apart but were low-passed before).
//
//   l^2 = (Y outside [k mY-, g mY+])^2 / sY^2                                 s^2 = max(var, min_sigma^2)
//   e   = (Cb, Cr) - 128 outside k ([mC-, mC+] - 128), less u s
//   c^2 = w_C sum over Cb, Cr of e^2 / sC^2
//
// Colour of shadows: they take the lamps' light and leave that of walls and sky, which is bluer as a rule. A
// block that is darker than the scene by t grey levels may have moved by u s, s = (shade_blue, shade_red) and
// u in [0, t] as suits best. Its default is what rendered rooms with bluish walls' light show; the shadows of
// uu-voxel-1p hardly change colour, which it allows as well.
//
// Clothes before a ground of nearly their colour and brighter than they look like its shadow, but for a few
// levels of chroma, less than a single sample's noise. So in shade, k < 0.9 g (fully from 0.85 g on), the
// mean of e over the 3x3 blocks around, each weighed by how alike luma differs from the scene there (as
// below), is evidence too:  c = max(c, sqrt(w_S) |mean e| / min_sigma).
//
// Chroma at a luma sample: the mean of c over the four nearest chroma samples, weighed by how near they are
// (9/16, 3/16, 3/16, 1/16) and by how alike luma differs from the scene there, 1 / (1 + (difference / 4 grey
// levels)^2); J. Kopf, M. Cohen, D. Lischinski, M. Uyttendaele, "Joint bilateral upsampling", 2007. So the
// colour of a person's outermost chroma samples does not spread to the scene beside it.
//
//   d^2 = l^2 + c^2
//
// Edges: a pixel that is partly person, or that the lens or the codec blurred, differs less than the person
// does. Beside background it counts only as far as it reaches the share `edge` of the largest distance near
// by; with extremes over the 3x3 pixels around and v(d) = clamp((d - d_low) / (d_high - d_low), 0, 1):
//
//   d'  = d (1 - (1 - v(min d)) (1 - clamp((d / max d - edge + 0.1) / 0.2, 0, 1)))
//
// Cleaning: the vote max(v(d'), u undecided()) of gaussian_evidence.h, at least u < 1/2 where people can look
// like the scene, as 8 bits; then a grey opening and closing by squares (J. Serra, 1982): minimum over radius
// a, maximum over a + b, minimum over b; windows end at the picture's border.
//
//   indicator = the cleaned vote,     mask = indicator >= 0.5 (stored: >= 128)
//
// Minima and maxima commute with thresholds, so the mask is exactly the opening and closing of the votes'
// mask, on which u has no effect, and the indicator means what a vote means: a number in [0,1], linear in
// the distance d of a pixel nearby between two thresholds, or u. It is not a calibrated probability:
// the share of people at a level depends on the recording (0.1 to 0.9 at one half; foreground_bench
// --reliability, figures in performance.md).
//
// Background is what the mask leaves: a luma sample is updated where its mask is 0, a chroma sample where the
// mask is 0 in all luma samples of its 2x2 block (fewer at an odd right or lower border). Elsewhere the mean
// alone moves by absorption_rate, so that what stands still long enough becomes part of the scene: an object
// at twice the mask's distance after about 0.7 / absorption_rate frames.
//
// The mask is 0 or 255. The arithmetic of one pixel, in float, is in gaussian_pixel.h and
// gaussian_evidence.h, shared by all implementations.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/backend/registry.h"
#include "core/base/byte_stream.h"
#include "core/base/deferred.h"
#include "core/base/parameters.h"
#include "core/foreground/cleaning.h"
#include "core/foreground/gaussian_evidence.h"
#include "core/image/picture.h"

namespace vantage {

// An index into foreground_methods() (methods.h).
enum class ForegroundMethod : int { gaussian = 0, knn };

// Whether pictures of a camera that shakes are brought back to rest (steady_model.h).
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
  Deferred<int64_t> mask_count;  // pixels of the mask; a device model's may still be on its way
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
  // Takes ForegroundParameters and the method's own. What shapes the model counts from the next reset() on.
  virtual void set_parameters(const ParameterStore& parameters) = 0;
  // One frame of the empty scene; `gaussian`: mean and variance over all learnt frames (Welford's update).
  // Meant before any apply(); later it weighs the frame by 1 / (frames learnt so far, this one included).
  virtual Status learn(const Picture& empty_scene, int64_t frame) = 0;
  // Segments one frame, then updates the model. Frames come in order. Before any learn() it learns the frame
  // first: that frame becomes the mean, sigma is min_sigma and the mask is empty. Mask, opening and closing
  // are those above whatever the method. Errors: a picture of another size than the first (invalid_argument),
  // a picture in another memory than the model's (invalid_argument).
  virtual Result<ForegroundImages> apply(const Picture& picture, int64_t frame) = 0;

  // How often the pictures of a learnt scene are shown to it; a method that keeps samples of what it sees
  // needs many.
  virtual int showings() const { return 1; }

  // What is learnt from now on is at rest already. The camera shakes about this view, to which pictures to
  // segment are brought back, where the model can do that (steady_model.h); null: it keeps still. Until the
  // next reset().
  virtual void follow_shakes(std::shared_ptr<const RestView>) {}
  // How far at most a learnt picture lay from rest, px; 0: the camera kept still, or nobody looked.
  virtual double shake_px() const { return 0; }

  // Errors: unsupported by methods whose state cannot be saved (ForegroundMethodInfo::saves_state).
  virtual Result<std::shared_ptr<const ForegroundState>> save() const = 0;
  virtual Status restore(const ForegroundState& state) = 0;

  // The same for another process. Errors: unsupported where the method or the device cannot; bad_data where
  // the bytes are not what write() wrote.
  virtual Status write(ByteWriter*) const { return no_bytes(); }
  virtual Status read(ByteReader*) { return no_bytes(); }

 protected:
  static Status no_bytes() {
    return fail(ErrorKind::unsupported, "the background model of this method and device cannot be written",
                "foreground", "Let tasks warm up instead (vantage-cli plan --seams warm-up).");
  }
};

}  // namespace vantage
