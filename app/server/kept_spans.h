// The newest spans of a run, at most kMaxSpans or those of its newest frame, as timings.json tells them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/trace.h"

namespace vantage::server {

inline constexpr size_t kMaxSpans = 20'000;

class KeptSpans {
 public:
  // Waits for no reader.
  void add(std::vector<TraceSpan> spans);
  bool empty() const;
  // {"schema":"vantage-timings-1", …} (core/base/trace.h); what is no longer kept counts as dropped.
  std::string json() const;

 private:
  using Block = std::shared_ptr<const std::vector<TraceSpan>>;
  mutable std::mutex mutex_;
  std::deque<Block> blocks_;
  size_t spans_ = 0;  // in all of them
  uint64_t dropped_ = 0;
};

}  // namespace vantage::server
