// The inner loops of the CPU running Gaussian, compiled once per instruction set and chosen at run time. All
// give the same bits: they do the operations of gaussian_pixel.h in the same order. Rows never overlap each
// other in memory.
#pragma once

#include <cstdint>

#include "core/foreground/cleaning.h"
#include "core/foreground/gaussian_pixel.h"

namespace vantage::foreground {

// One row of one plane of the model.
struct GaussianRow {
  float* mean;
  float* variance;
};

// `step` is the distance between samples: 1, or 2 for one component of interleaved CbCr.
void learn_row(const uint8_t* samples, int step, int count, float share, GaussianRow model);

// Two luma rows and the model's means under them; both lower ones are null where the picture ends.
struct LumaRows {
  const uint8_t* upper;
  const uint8_t* lower;
  const float* upper_mean;
  const float* lower_mean;
};
// block_light() of each 2x2 block, (width + 1) / 2 of them.
void light_row(const LumaRows& rows, int width, float darkest_shadow, float* light);

// chroma_distance() of one row of chroma samples.
void chroma_row(const uint8_t* cb, const uint8_t* cr, int step, int count, const GaussianSettings& settings,
                GaussianRow model_cb, GaussianRow model_cr, const float* light, float* chroma);

// The votes of one luma row. light and chroma hold block_light() and chroma_distance() of each 2x2 block.
void vote_row(const uint8_t* samples, int width, const float* light, const float* chroma,
              const GaussianSettings& settings, GaussianRow model, uint8_t* votes);

// mask = is_foreground(indicator). Returns the number of foreground pixels.
int64_t mask_row(const uint8_t* indicator, int width, uint8_t* mask);

// Updates the model where the mask is 0 and lets it absorb elsewhere.
void update_luma_row(const uint8_t* samples, int width, const uint8_t* mask, const GaussianSettings& settings,
                     GaussianRow model);

// The same for one row of one chroma plane: background is where the mask of the 2x2 block is 0 throughout.
// `lower_mask` is the row below, or the upper one again where the picture ends.
void update_chroma_row(const uint8_t* samples, int step, int width, const uint8_t* upper_mask,
                       const uint8_t* lower_mask, const GaussianSettings& settings, GaussianRow model);

// The minimum or maximum over `count` rows, sample by sample.
void extreme_of_rows(const uint8_t* const* rows, int count, int width, bool maximum, uint8_t* out);

// The minimum or maximum over [x - radius, x + radius]; radius at most 2 * kMaxCleaningRadius. `in` has
// `radius` more
void extreme_along_row(const uint8_t* in, int width, int radius, bool maximum, uint8_t* out);

}  // namespace vantage::foreground
