// Lines of a results file as a client's feed, and what goes on with the lines of a run that are kept in
// memory. Both drop nothing that the file holds, however slow the client: the file stays.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <sstream>

#include "app/server/kept_lines.h"
#include "core/results/frame_lines.h"

namespace vantage::server {

// Ends behind the last line that is there, or at once when `closed` is set.
class FileFeed final : public Feed {
 public:
  FileFeed(std::shared_ptr<const FrameLines> file, std::shared_ptr<const std::atomic<bool>> closed,
           std::optional<int64_t> after);
  FeedEvent next(std::chrono::milliseconds wait) override;

 private:
  bool read_block();

  const std::shared_ptr<const FrameLines> file_;
  const std::shared_ptr<const std::atomic<bool>> closed_;
  int64_t from_;  // the first frame that was not read yet
  std::istringstream block_;
};

// Lines from the file until the kept ones reach back to the client, then from these. Where the file ends
// before, the lines between are told as dropped.
class ResumedFeed final : public Feed {
 public:
  // `after`: the last frame that the client has.
  ResumedFeed(FileFeed file, std::shared_ptr<const KeptLines> lines, int64_t after);
  FeedEvent next(std::chrono::milliseconds wait) override;

 private:
  FileFeed file_;
  const std::shared_ptr<const KeptLines> lines_;
  int64_t after_;
  std::unique_ptr<Feed> kept_;  // null: the file is read still
};

}  // namespace vantage::server
