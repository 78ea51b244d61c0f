#include "app/server/file_feed.h"

#include <limits>
#include <utility>

#include "core/base/log.h"

namespace vantage::server {
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

}  // namespace vantage::server
