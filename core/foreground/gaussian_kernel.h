// The inner loops of the CPU running Gaussian, compiled once per instruction set and chosen at run time. All
// give the same bits: they do the operations of gaussian_pixel.h in the same order. Rows never overlap each
// other in memory.
#pragma once

#include <cstdint>

#include "core/foreground/gaussian_pixel.h"

namespace vantage::foreground {

// One row of one plane of the model.
struct GaussianRow {
  float* mean;
  float* variance;
};

// `step` is the distance between samples: 1, or 2 for one component of interleaved CbCr.
void learn_row(const uint8_t* samples, int step, int count, float share, GaussianRow model);

// One luma row. chroma holds chroma_distance() of each 2x2 block, (width + 1) / 2 of them. Writes indicator
// and mask, then updates the model where the mask is 0. Returns the number of foreground pixels.
int64_t segment_luma_row(const uint8_t* samples, int width, const float* chroma,
                         const GaussianSettings& settings, GaussianRow model, uint8_t* indicator,
                         uint8_t* mask);

// chroma_distance() of one row of chroma samples.
void chroma_row(const uint8_t* cb, const uint8_t* cr, int step, int count, const GaussianSettings& settings,
                GaussianRow model_cb, GaussianRow model_cr, float* chroma);

// Updates one row of one chroma plane where the mask of the 2x2 block is 0 throughout. `lower_mask` is the
// row below, or the upper one again where the picture ends.
void update_chroma_row(const uint8_t* samples, int step, int width, const uint8_t* upper_mask,
                       const uint8_t* lower_mask, float learning_rate, GaussianRow model);

}  // namespace vantage::foreground
