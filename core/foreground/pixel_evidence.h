// The evidence of a foreground method about one pixel of one frame, from its colour to the vote before
// cleaning: it explains why the pixel is in the mask or not. Values as the method computes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

// One component of the pixel's colour compared with its model.
struct ComponentEvidence {
  std::string name;   // "Y'", "Cb", "Cr"; "B", "G", "R"
  double value = 0;   // grey levels
  double mean = 0;    // of the model
  double weight = 1;  // of the model among the pixel's models
  // Values of the method `gaussian` alone. Noise is at least foreground.min_sigma.
  std::optional<double> sigma;
  std::optional<double> low, high;  // the values of the scene in this frame's light, within the displacement
  std::optional<double> beyond;     // distance of the value from them; signed, grey levels
};

struct PixelEvidence {
  std::vector<ComponentEvidence> components;
  double distance = 0;     // from the model: sigma, or grey levels of the method `knn`
  double mask_begins = 0;  // the distance from which on the pixel votes for the mask
  // Nothing: the method does not report it.
  std::optional<double> vote;  // for foreground, before cleaning, 0 to 1

  // Figures of the method `gaussian`; the names are those of foreground.h's formulas.
  struct Gaussian {
    double luma_distance = 0, chroma_distance = 0;  // l and c
    double sharpened = 0;                           // d', which votes
    double gain = 1, blue = 1, red = 1;             // g, q_B, q_R of the picture
    double light = 1;       // k of its 2x2 block, as a share of the gain: 1 is full light
    double darkest = 0;     // the minimum k of a shadow, likewise
    double difference = 0;  // of the block's luma from the scene in full light, grey levels
    double shade = 0;       // shade of the block, 0 to 1
    double undecided = 0;   // the lowest vote there, 0 to 1
    uint8_t before_cleaning = 0, cleaned = 0;  // the indicator's levels
  };
  std::optional<Gaussian> gaussian;
};

// Extension of a foreground model that can explain a pixel.
class PixelExplainer {
 public:
  virtual ~PixelExplainer() = default;
  // Evidence that ForegroundModel::apply() would find about one pixel of this picture; the model is
  // unchanged. The picture is in host memory, wherever the model is. Errors: a picture of another size, or no
  // such pixel (invalid_argument); out_of_memory, device_lost.
  virtual Result<PixelEvidence> explain(const Picture& picture, int x_px, int y_px) const = 0;
};

}  // namespace vantage
