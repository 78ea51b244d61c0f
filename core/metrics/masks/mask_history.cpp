#include "core/metrics/masks/mask_history.h"

#include <utility>

namespace vantage {

void MaskHistory::add(MaskStep step) {
  if (step.empty()) return;
  redo_.clear();
  undo_.push_back(std::move(step));
  if (undo_.size() > kMaxSteps) undo_.pop_front();
}

std::optional<MaskStep> MaskHistory::undo() {
  if (undo_.empty()) return std::nullopt;
  redo_.push_back(std::move(undo_.back()));
  undo_.pop_back();
  MaskStep step = redo_.back();
  for (MaskChange& change : step) std::swap(change.before, change.after);
  return step;
}

std::optional<MaskStep> MaskHistory::redo() {
  if (redo_.empty()) return std::nullopt;
  undo_.push_back(std::move(redo_.back()));
  redo_.pop_back();
  return undo_.back();
}

}  // namespace vantage
