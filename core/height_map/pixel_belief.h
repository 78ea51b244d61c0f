// The belief of a pixel, from what an implementation has in memory; for the solvers of CPU and CUDA alone.
#pragma once

#include <functional>

#include "core/height_map/height_map.h"

namespace vantage::height_map {

// Values read of a pixel: its cost, and what lies in the slots of its four edges (empty: no edge).
using PixelSlots = PixelBelief;  // without the belief

struct PixelReader {
  int width = 0, height = 0;
  // The colour that sent last (x + y even: 0): its own messages lie in the slots. -1: both directions are
  // kept.
  int sent_last = -1;
  std::function<Result<PixelSlots>(int x, int y)> read;
};

Result<PixelBelief> belief_of(const PixelReader& reader, const EdgeShifts& shifts,
                              const HeightMapParameters& parameters, int x, int y);

}  // namespace vantage::height_map
