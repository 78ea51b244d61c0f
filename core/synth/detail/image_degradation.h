// Degradation of pictures by cameras and codecs: blur of lens and motion, contrast and brightness, noise, and
// the loss of a codec that rounds the cosine transform of 8 x 8 blocks.
#pragma once

#include <cstdint>

#include "core/image/image_view.h"

namespace vantage::synth {

struct ImageDegradation {
  double blur_px = 0;   // standard deviation
  int motion_px = 0;    // length of a sideways movement, at most 15
  double contrast = 1;  // about the middle grey
  double brightness = 0;
  double noise = 0;     // standard deviation
  double rounding = 0;  // of the mean frequency's coefficient; 0: no codec
};

// Drawn so that most pictures suffer a little and some a lot.
ImageDegradation random_degradation(uint64_t seed);
void degrade(const ImageDegradation& degradation, uint64_t seed, ImageView<uint8_t> picture);

}  // namespace vantage::synth
