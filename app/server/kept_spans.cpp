#include "app/server/kept_spans.h"

#include <utility>

namespace vantage::server {

void KeptSpans::add(std::vector<TraceSpan> spans) {
  if (spans.empty()) return;
  auto block = std::make_shared<const std::vector<TraceSpan>>(std::move(spans));
  std::vector<Block> over;  // goes behind the lock
  const std::lock_guard lock(mutex_);
  spans_ += block->size();
  blocks_.push_back(std::move(block));
  while (blocks_.size() > 1 && spans_ > kMaxSpans) {
    spans_ -= blocks_.front()->size();
    dropped_ += blocks_.front()->size();
    over.push_back(std::move(blocks_.front()));
    blocks_.pop_front();
  }
}

bool KeptSpans::empty() const {
  const std::lock_guard lock(mutex_);
  return blocks_.empty();
}

std::string KeptSpans::json() const {
  std::unique_lock lock(mutex_);
  const std::deque<Block> blocks = blocks_;
  const uint64_t dropped = dropped_;
  lock.unlock();
  std::vector<TraceSpan> spans;
  for (const Block& block : blocks) spans.insert(spans.end(), block->begin(), block->end());
  return timings_json(spans, dropped);
}

}  // namespace vantage::server
