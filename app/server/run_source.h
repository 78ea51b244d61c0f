// A run that goes on, recorded or live, as a server's source: the last lines in memory, older ones from the
// file that the run writes, pictures from the newest result. What the run calls never waits for a client.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/server/kept_lines.h"
#include "app/server/result_source.h"
#include "core/backend/memory_transfer.h"
#include "core/live/health.h"
#include "core/pipeline/frame_result.h"

namespace vantage::server {

inline constexpr size_t kMostKept_bytes = size_t{16} << 20;

struct RunSourceOptions {
  std::filesystem::path folder;        // of the results; the header line is there
  size_t kept_lines = 1000;            // at most, and kMostKept_bytes
  std::optional<int64_t> total;        // frames that are analysed; nothing: live cameras, without an end
  std::function<LiveHealth()> health;  // of live cameras; empty: a recording
  std::vector<std::string> places;     // files and folders of this machine: answers name their last part
  std::shared_ptr<MemoryTransfer> transfer;  // fetches pictures from a device; null on the CPU
};

class RunSource final : public ResultSource {
 public:
  static Result<std::unique_ptr<RunSource>> open(RunSourceOptions options);

  // The run's side: a line of the file, without its newline, and what it was made of.
  void add_line(const std::string& line);
  void publish(FrameResultRef result);

  const std::string& header() const override { return file_.header(); }
  std::string status() const override;
  Result<std::string> line(std::optional<int64_t> frame) const override;
  Result<FrameLines::Range> lines(int64_t from, int64_t to) const override;
  std::unique_ptr<Feed> feed(std::optional<int64_t> after) const override { return lines_->feed(after); }
  Result<FramePicture> picture(std::optional<int64_t> frame, PictureKind kind, size_t camera) const override;
  Result<FileBody> tracks() const override;
  Result<std::string> timings() const override;
  void close() override { lines_->close(); }

 private:
  RunSource(RunSourceOptions options, FrameLines file);
  FrameResultRef newest() const;
  Result<std::string> encoded(const FrameResult& result, PictureKind kind, size_t camera) const;
  double recent_rate() const;
  LiveHealth health() const;

  const RunSourceOptions options_;
  const FrameLines file_;
  const std::vector<std::string> cameras_;
  const bool calibrated_;
  const std::shared_ptr<KeptLines> lines_;
  const int64_t start_ns_;
  mutable std::mutex mutex_;  // guards what follows
  FrameResultRef newest_;
  std::deque<int64_t> line_times_ns_;  // of the last lines
  mutable LiveHealth health_;
  mutable int64_t health_ns_ = 0;  // when it was asked for
};

}  // namespace vantage::server
