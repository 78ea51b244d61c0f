#include "app/server/feed.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/log.h"

namespace vantage::server {
namespace {

constexpr std::chrono::seconds kHeartBeat{10};
// Delay before clients reconnect.
constexpr const char* kBegin = "retry: 2000\n\n";

std::string line_events(const FeedEvent& event) {
  const std::string frame = std::to_string(event.line->frame);
  std::string text;
  if (event.dropped)
    text = "event: dropped\ndata: {\"lines\":" +
           (event.dropped_lines ? std::to_string(*event.dropped_lines) : "null") + ",\"next\":" + frame +
           "}\n\n";
  return text + "id: " + frame + "\nevent: frame\ndata: " + event.line->text + "\n\n";
}

}  // namespace

std::optional<std::string> EventStream::next() {
  if (state_ == State::over) return std::nullopt;
  if (state_ == State::begin) {
    state_ = State::lines;
    return kBegin;
  }
  const FeedEvent event = feed_->next(kHeartBeat);
  if (event.kind == FeedEvent::Kind::line) return line_events(event);
  if (event.kind == FeedEvent::Kind::quiet) return ": still here\n\n";
  state_ = State::over;
  return "event: end\ndata: {}\n\n";
}

namespace {

constexpr int64_t kBlockLines = 64;  // read at once
constexpr size_t kReadBlock_bytes = size_t{1} << 20;

}  // namespace

FileFeed::FileFeed(std::shared_ptr<const FrameLines> file, std::shared_ptr<const std::atomic<bool>> closed,
                   std::optional<int64_t> after)
    : file_(std::move(file)), closed_(std::move(closed)), from_(after ? *after + 1 : 0) {}

FeedEvent FileFeed::next(std::chrono::milliseconds) {
  FeedEvent event;
  event.kind = FeedEvent::Kind::end;
  if (*closed_) return event;
  auto line = std::make_shared<FrameLine>();
  if (!std::getline(block_, line->text) && !(read_block() && std::getline(block_, line->text))) return event;
  line->frame = frame_of_line(line->text).value_or(from_);
  from_ = line->frame + 1;
  event.kind = FeedEvent::Kind::line;
  event.line = std::move(line);
  return event;
}

bool FileFeed::read_block() {
  Result<FrameLines::Range> range =
      file_->range(from_, std::numeric_limits<int64_t>::max(), kBlockLines, kReadBlock_bytes);
  if (!range) {
    log_error("result server: " + range.error().message());
    return false;
  }
  block_ = std::istringstream(std::move(range->text));
  return true;
}

ResumedFeed::ResumedFeed(FileFeed file, std::shared_ptr<const KeptLines> lines, int64_t after)
    : file_(std::move(file)), lines_(std::move(lines)), after_(after) {}

FeedEvent ResumedFeed::next(std::chrono::milliseconds wait) {
  if (!kept_ && !lines_->reach_back_to(after_)) {
    FeedEvent event = file_.next(wait);
    if (event.kind == FeedEvent::Kind::line) {
      after_ = event.line->frame;
      return event;
    }
  }
  if (!kept_) kept_ = lines_->feed(after_);
  return kept_->next(wait);
}

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
  bool missed_;    // lines before that; their number is unknown
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
