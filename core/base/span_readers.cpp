#include "core/base/span_readers.h"

#include <algorithm>
#include <iterator>

namespace vantage {

void SpanReaders::fetch() {
  std::vector<TraceSpan> fresh = trace_->take_new();
  spans_.insert(spans_.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
  if (spans_.size() <= max_) return;
  const size_t over = spans_.size() - max_;
  spans_.erase(spans_.begin(), spans_.begin() + static_cast<std::ptrdiff_t>(over));
  first_ += over;
}

uint64_t SpanReaders::end() {
  const std::lock_guard lock(mutex_);
  fetch();
  return first_ + spans_.size();
}

std::vector<TraceSpan> SpanReaders::take_new(uint64_t* place) {
  const std::lock_guard lock(mutex_);
  fetch();
  const uint64_t from = std::max(*place, first_);
  *place = first_ + spans_.size();
  return {spans_.begin() + static_cast<std::ptrdiff_t>(from - first_), spans_.end()};
}

}  // namespace vantage
