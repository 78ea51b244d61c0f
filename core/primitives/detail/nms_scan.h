// Tests one box against many: the inner loop of non-maximum suppression on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/primitives/nms_rule.h"

namespace vantage::nms {

// Boxes as one array per number, padded with boxes that never overlap anything, so that a vector never reads
// past the end.
class BoxArrays {
 public:
  static constexpr size_t kPadding = 64;  // elements; the longest vector is 16 floats

  explicit BoxArrays(size_t capacity);
  void push_back(const Corners& corners, float area, float score, int32_t class_id);
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // The i-th numbers of all boxes, side by side.
  const float* x1() const { return numbers_.data(); }
  const float* y1() const { return numbers_.data() + stride_; }
  const float* x2() const { return numbers_.data() + 2 * stride_; }
  const float* y2() const { return numbers_.data() + 3 * stride_; }
  const float* area() const { return numbers_.data() + 4 * stride_; }
  const float* score() const { return numbers_.data() + 5 * stride_; }
  const int32_t* class_id() const { return classes_.data(); }

 private:
  size_t stride_, size_ = 0;
  std::vector<float> numbers_;
  std::vector<int32_t> classes_;
};

struct Candidate {
  Corners corners;
  float area, score;
  int32_t class_id;
};

// Does any of the boxes overlap the candidate enough to suppress it? For map-reduce (only_better) a box must
// also have a higher score. Vectorised for the widest instruction set of this machine.
bool any_suppresses(const BoxArrays& boxes, const Candidate& candidate, const NmsRule& rule,
                    bool only_better);

}  // namespace vantage::nms
