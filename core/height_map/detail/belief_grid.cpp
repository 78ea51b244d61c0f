#include "core/height_map/detail/belief_grid.h"

#include <algorithm>
#include <new>

namespace vantage::height_map {
namespace {

struct Sizes {
  size_t pitch, costs, messages, shifts;  // in floats

  Sizes(int width, int height, int heights) {
    const size_t half = (static_cast<size_t>(width) + 1) / 2, rows = static_cast<size_t>(height) + 2;
    pitch = (half + 15) / 16 * 16 + 2 * BeliefGrid::kMargin;
    const size_t labels = static_cast<size_t>(heights) + 1;
    costs = 2 * rows * labels * pitch;
    messages = rows * kDirections * labels * pitch;
    shifts = rows * kDirections * pitch;
  }
};

hwy::AlignedFreeUniquePtr<float[]> zeros(size_t count) {
  auto memory = hwy::AllocateAligned<float>(count);
  if (!memory) throw std::bad_alloc();
  std::fill_n(memory.get(), count, 0.0f);
  return memory;
}

}  // namespace

BeliefGrid::BeliefGrid(int picture_width, int picture_height, int height_labels, bool two_arrays)
    : width(picture_width), height(picture_height), heights(height_labels), half((picture_width + 1) / 2) {
  const Sizes sizes(width, height, heights);
  pitch = sizes.pitch;
  cost_memory = zeros(sizes.costs);
  shift_memory = zeros(sizes.shifts);
  message_memory[0] = zeros(sizes.messages);
  if (two_arrays) message_memory[1] = zeros(sizes.messages);
}

void BeliefGrid::clear_messages() {
  const size_t count = Sizes(width, height, heights).messages;
  for (auto& memory : message_memory)
    if (memory) std::fill_n(memory.get(), count, 0.0f);
}

size_t BeliefGrid::memory_bytes(int width, int height, int heights, bool both_directions) {
  const Sizes sizes(width, height, heights);
  return (sizes.costs + sizes.shifts + sizes.messages * (both_directions ? 2 : 1)) * sizeof(float);
}

}  // namespace vantage::height_map
