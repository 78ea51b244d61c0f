// The messages of one picture on the CPU, so laid out that a vector holds neighbouring pixels of one colour.
//
// Pixel (x, y) is even when x + y is even; in its colour and row it has index i = x / 2. An edge belongs to
// its even end: the even pixel i of row y owns four slots, one towards each neighbour, each of `labels` lines
// (one a label) of `pitch` floats. A slot holds the message last sent along the edge.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <cstdint>

namespace vantage::height_map {

enum Direction { kLeft, kRight, kUp, kDown };
inline constexpr int kDirections = 4;
inline constexpr int kOpposite[kDirections] = {kRight, kLeft, kDown, kUp};
enum Color { kEven, kOdd };

struct BeliefGrid {
  static constexpr size_t kMargin = 16;  // floats next to a line that are read and zeroed, but mean nothing

  int width = 0, height = 0;
  int heights = 0;  // labels are heights + 1, the last "no head"
  int half = 0;     // pixels of a colour in a row, at most
  size_t pitch = 0;
  hwy::AlignedFreeUniquePtr<float[]> cost_memory, message_memory[2], shift_memory;

  // Everything zero. `both_directions`: an array for each colour's messages instead of one for all. Throws
  // std::bad_alloc.
  BeliefGrid(int width, int height, int heights, bool both_directions);

  int labels() const { return heights + 1; }
  bool both_directions() const { return message_memory[1] != nullptr; }
  // x of the first pixel of a colour in a row; the next ones follow every second pixel.
  static int first_x(int color, int y) { return color == kEven ? y & 1 : 1 - (y & 1); }

  float* costs(int color, int y) const {
    return cost_memory.get() + (static_cast<size_t>(color) * rows() + row(y)) * lines_of(labels()) + kMargin;
  }
  // Slots of the messages that `color` sends, of the even pixels of row y, which may be -1 or `height`.
  float* slots(int color, int y, int direction) const {
    float* const memory = message_memory[both_directions() ? color : 0].get();
    return memory + (row(y) * kDirections + static_cast<size_t>(direction)) * lines_of(labels()) + kMargin;
  }
  // The edge's shift as seen from the even pixel.
  float* shifts(int y, int direction) const {
    return shift_memory.get() + (row(y) * kDirections + static_cast<size_t>(direction)) * pitch + kMargin;
  }
  void clear_messages();

  static size_t memory_bytes(int width, int height, int heights, bool both_directions);

 private:
  size_t rows() const { return static_cast<size_t>(height) + 2; }
  static size_t row(int y) { return static_cast<size_t>(y + 1); }
  size_t lines_of(int lines) const { return static_cast<size_t>(lines) * pitch; }
};

struct BeliefStep {
  const BeliefGrid* grid = nullptr;
  int color = kEven;
  float step_cost = 0;  // lambda step_m
  float jump_cost = 0;  // lambda no_head_jump_m
  float damping = 0;
  bool published = false;
};

// All messages of `color`'s pixels of one row. Rows of one step are independent of each other.
void send_row(const BeliefStep& step, int y);
// The labels of `color`'s pixels of one row, the smallest of equals; `labels` is the picture's row.
void label_row(const BeliefGrid& grid, int color, int y, uint8_t* labels);

}  // namespace vantage::height_map
