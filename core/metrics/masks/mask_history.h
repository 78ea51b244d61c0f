// The steps in which masks were painted, to go back and forth.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/image/picture.h"

namespace vantage {

struct MaskChange {
  std::string camera;
  int64_t frame = 0;
  Image before, after;  // empty: there was, or is, no mask
};
// What one command did: a stroke changes one mask, carrying those of all cameras.
using MaskStep = std::vector<MaskChange>;

class MaskHistory {
 public:
  static constexpr size_t kMaxSteps = 100;  // older ones go

  void add(MaskStep step);  // what was undone goes; a step without a change is none
  void clear() { undo_.clear(), redo_.clear(); }
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  // The masks become what `after` says. Nothing: there is no step.
  std::optional<MaskStep> undo();
  std::optional<MaskStep> redo();

 private:
  std::deque<MaskStep> undo_, redo_;
};

}  // namespace vantage
