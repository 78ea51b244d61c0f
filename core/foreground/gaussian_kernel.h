// The inner loops of the CPU running Gaussian, compiled once per instruction set and chosen at run time. All
// give the same bits: they do the operations of gaussian_pixel.h and gaussian_evidence.h in the same order.
// Rows never overlap each other in memory.
#pragma once

#include <cstdint>

#include "core/foreground/cleaning.h"
#include "core/foreground/gaussian_evidence.h"
#include "core/foreground/light_change.h"

namespace vantage::foreground {

// One row of one plane of the model.
struct GaussianRow {
  float* mean;
  float* variance;
};

// `step` is the distance between samples: 1, or 2 for one component of interleaved CbCr.
void learn_row(const uint8_t* samples, int step, int count, float share, GaussianRow model);

// A row and the rows above and below it; at the picture's border the row itself replaces a missing one.
struct Neighbours {
  const float* above;
  const float* row;
  const float* below;
};
// displaced() of a row of means.
void interval_row(Neighbours mean, int count, float displacement, float* low, float* high);

// Two luma rows and the model's means under them; both lower ones are null where the picture ends.
struct LumaRows {
  const uint8_t* upper;
  const uint8_t* lower;
  const float* upper_mean;
  const float* lower_mean;
};
// Evidence of each 2x2 block, (width + 1) / 2 of them: mean luma above black, block_light(),
// block_difference().
void light_row(const LumaRows& rows, int width, const FrameLight& frame, float* luma, float* light,
               float* difference);

// One row of chroma samples of a picture. `step` is 1, or 2 for interleaved CbCr.
struct ChromaSamples {
  const uint8_t* cb;
  const uint8_t* cr;
  int step;
};

// Counts every kLightSpacing-th whole block of a pair of rows in the kLightChannels * kLightBins bins of
// `histograms`; the means are the model's.
void count_light(const LumaRows& rows, const ChromaSamples& chroma, const float* mean_cb,
                 const float* mean_cr, int width, float black, uint32_t* histograms);

struct SceneRow {
  const float* low;
  const float* high;
  const float* variance;
};
// One row of blocks: block_light() and block_difference(), and what follows from them. The rows of
// differences have samples -1 and `count` that repeat the border.
struct BlockRow {
  float* luma;  // mean of the picture, above black
  float* light;
  float* difference;
  float* cb;  // without_shade()
  float* cr;
  float* chroma;  // chroma_distance()
};
// Chroma of one row of chroma samples, from luma, light and difference.
void chroma_row(const ChromaSamples& samples, int count, const FrameLight& frame,
                const GaussianSettings& settings, SceneRow scene_cb, SceneRow scene_cr, BlockRow row);

// Raises chroma of the middle row to shaded_distance(). Above and below the picture the middle row replaces
// the missing one.
void shade_row(const BlockRow& above, const BlockRow& row, const BlockRow& below, int count,
               const FrameLight& frame, const GaussianSettings& settings);

// The chroma rows next to a luma row: its own and the next nearer one. Samples -1 and `chroma width` exist
// and repeat the border.
struct ChromaRows {
  const float* own_distance;
  const float* own_difference;
  const float* next_distance;
  const float* next_difference;
};
// pixel_distance() of one luma row. light holds block_light() of each 2x2 block.
void distance_row(const uint8_t* samples, int width, const float* mean, SceneRow scene, const float* light,
                  const ChromaRows& chroma, const FrameLight& frame, const GaussianSettings& settings,
                  float* distance);

// The light of a row of blocks: as in BlockRow.
struct BlockLight {
  const float* luma;
  const float* light;
};
// The votes of one luma row from the distances, sharpened; at least undecided_level() of their blocks.
void vote_row(Neighbours distance, int width, BlockLight blocks, const FrameLight& frame,
              const GaussianSettings& settings, uint8_t* votes);

// mask = is_foreground(indicator). Returns the number of foreground pixels.
int64_t mask_row(const uint8_t* indicator, int width, uint8_t* mask);

// Updates the model where the mask is 0 and lets it absorb elsewhere.
void update_luma_row(const uint8_t* samples, int width, const uint8_t* mask, const FrameLight& frame,
                     const GaussianSettings& settings, GaussianRow model);

// The same for one row of one chroma plane: background is where the mask of the 2x2 block is 0 throughout.
// `lower_mask` is the row below, or the upper one again where the picture ends; `luma` BlockRow's.
void update_chroma_row(const uint8_t* samples, int step, int width, const float* luma, ChromaBalance balance,
                       const uint8_t* upper_mask, const uint8_t* lower_mask, const FrameLight& frame,
                       const GaussianSettings& settings, GaussianRow model);

// The minimum or maximum over `count` rows, sample by sample.
void extreme_of_rows(const uint8_t* const* rows, int count, int width, bool maximum, uint8_t* out);

// The minimum or maximum over [x - radius, x + radius]; radius at most 2 * kMaxCleaningRadius. `in` has
// `radius` more.
void extreme_along_row(const uint8_t* in, int width, int radius, bool maximum, uint8_t* out);

}  // namespace vantage::foreground
