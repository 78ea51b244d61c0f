#include "app/server/kept_lines.h"

#include <algorithm>
#include <utility>

namespace vantage::server {

class KeptLines::KeptFeed final : public Feed {
 public:
  KeptFeed(std::shared_ptr<const KeptLines> lines, uint64_t next, bool missed)
      : lines_(std::move(lines)), next_(next), missed_(missed) {}

  FeedEvent next(std::chrono::milliseconds wait) override {
    std::unique_lock lock(lines_->mutex_);
    lines_->changed_.wait_for(lock, wait, [&] { return lines_->closed_ || next_ < end(); });
    FeedEvent event;
    if (next_ >= end()) {
      event.kind = lines_->closed_ ? FeedEvent::Kind::end : FeedEvent::Kind::quiet;
      return event;
    }
    event.kind = FeedEvent::Kind::line;
    if (std::exchange(missed_, false)) {
      event.dropped = true;
    } else if (next_ < lines_->first_) {
      event.dropped = true;
      event.dropped_lines = lines_->first_ - next_;
    }
    next_ = std::max(next_, lines_->first_);
    event.line = lines_->lines_[next_++ - lines_->first_];
    return event;
  }

 private:
  uint64_t end() const { return lines_->first_ + lines_->lines_.size(); }

  const std::shared_ptr<const KeptLines> lines_;
  uint64_t next_;  // its position among all lines
  bool missed_;    // lines before that; how many is not known
};

void KeptLines::add(FrameLine line) {
  auto kept = std::make_shared<const FrameLine>(std::move(line));
  const std::lock_guard lock(mutex_);
  bytes_ += kept->text.size();
  lines_.push_back(std::move(kept));
  while (lines_.size() > 1 && (lines_.size() > max_lines_ || bytes_ > max_bytes_)) {
    bytes_ -= lines_.front()->text.size();
    lines_.pop_front();
    ++first_;
  }
  changed_.notify_all();
}

void KeptLines::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

FrameLineRef KeptLines::newest() const {
  const std::lock_guard lock(mutex_);
  return lines_.empty() ? nullptr : lines_.back();
}

std::deque<FrameLineRef>::const_iterator KeptLines::from(int64_t frame) const {
  return std::ranges::lower_bound(lines_, frame, {}, [](const FrameLineRef& line) { return line->frame; });
}

FrameLineRef KeptLines::find(int64_t frame) const {
  const std::lock_guard lock(mutex_);
  const auto found = from(frame);
  return found != lines_.end() && (*found)->frame == frame ? *found : nullptr;
}

FrameLines::Range KeptLines::range(int64_t from, int64_t to, int64_t max_lines, size_t max_bytes) const {
  const std::lock_guard lock(mutex_);
  FrameLines::Range range;
  int64_t lines = 0;
  for (auto line = this->from(from); line != lines_.end() && (*line)->frame < to; ++line, ++lines) {
    if (lines > 0 && (lines == max_lines || range.text.size() + (*line)->text.size() > max_bytes)) {
      range.next = (*line)->frame;
      break;
    }
    range.text += (*line)->text + '\n';
  }
  return range;
}

int64_t KeptLines::added() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(first_ + lines_.size());
}

bool KeptLines::holds_all_behind(int64_t frame) const {
  return first_ == 0 || lines_.front()->frame <= frame + 1;  // one is always kept
}

bool KeptLines::reach_back_to(int64_t after) const {
  const std::lock_guard lock(mutex_);
  return holds_all_behind(after);
}

std::unique_ptr<Feed> KeptLines::feed(std::optional<int64_t> after) const {
  const std::lock_guard lock(mutex_);
  const uint64_t end = first_ + lines_.size();
  uint64_t next = lines_.empty() ? end : end - 1;
  bool missed = false;
  if (after) {
    next = first_ + static_cast<uint64_t>(from(*after + 1) - lines_.begin());
    missed = !holds_all_behind(*after);
  }
  return std::make_unique<KeptFeed>(shared_from_this(), next, missed);
}

}  // namespace vantage::server
