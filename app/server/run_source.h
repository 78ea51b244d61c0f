// A run in progress, recorded or live, as a server's source: the last lines in memory, older ones from the
// run's file, pictures from the newest result. Live cameras may be watched without writing: then only the
// last lines exist. Calls by the run never wait for clients.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/server/feed.h"
#include "app/server/folder_source.h"
#include "app/server/result_source.h"
#include "core/base/byte_stream.h"
#include "core/base/threads.h"
#include "core/base/trace.h"
#include "core/image/backend/memory_transfer.h"
#include "core/live/health.h"
#include "core/pipeline/frame_result.h"

namespace vantage::server {

// The newest result of a run with its pictures: each is encoded at the first request, concurrent requests
// wait for it, and it is kept until the next result comes.

class PublishedResult {
 public:
  using People = std::optional<std::vector<CasePerson>>;  // nothing: unknown
  // `transfer` copies pictures from the device. `people`: as RunPeople has them.
  PublishedResult(FrameResultRef result, std::shared_ptr<MemoryTransfer> transfer, People people = {})
      : result_(std::move(result)), transfer_(std::move(transfer)), people_(std::move(people)) {}
  PublishedResult(const PublishedResult&) = delete;
  PublishedResult& operator=(const PublishedResult&) = delete;

  int64_t frame() const { return result_->frame; }
  // `camera`: whose mask or flow. not_found where the result has none.
  Result<std::string> picture(PictureKind kind, size_t camera) const;
  // The camera's picture; `described` must be the same each time.
  Result<Still> still(size_t camera, const RunCamera& described, const StillMarks& marks) const;

 private:
  Result<std::string> encoded(PictureKind kind, size_t camera) const;

  const FrameResultRef result_;
  const std::shared_ptr<MemoryTransfer> transfer_;
  const People people_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<PictureKind, size_t>, Deferred<std::string>> pictures_;  // guarded by mutex_
  mutable std::map<std::pair<size_t, StillMarks>, Deferred<Still>> stills_;           // likewise
};

// The newest spans of a run, at most kMaxSpans or those of its newest frame, in the form of timings.json.

inline constexpr size_t kMaxSpans = 20'000;

class KeptSpans {
 public:
  // Never waits for readers.
  void add(std::vector<TraceSpan> spans);
  bool empty() const;
  // {"schema":"vantage-timings-1", …} (core/base/trace.h); spans no longer kept count as dropped.
  std::string json() const;

 private:
  using Block = std::shared_ptr<const std::vector<TraceSpan>>;
  mutable std::mutex mutex_;
  std::deque<Block> blocks_;
  size_t spans_ = 0;  // in total
  uint64_t dropped_ = 0;
};

inline constexpr size_t kMaxKept_bytes = size_t{16} << 20;

struct RunSourceOptions {
  std::filesystem::path folder;        // of the results, with the header line; empty: none are written,
  std::string header;                  // then the header line
  size_t kept_lines = 1000;            // maximum, as is kMaxKept_bytes
  bool pictures = false;               // also serves those of the cameras, which show people
  std::optional<int64_t> total;        // frames to be analysed; nothing: live cameras, without an end
  std::function<LiveHealth()> health;  // live cameras' health; empty: a recording
  // Recording of live cameras, as BegunResults::kept; empty: nothing is kept.
  std::function<Result<Project>(FrameRange)> kept;
  std::shared_ptr<MemoryTransfer> transfer = host_memory();  // fetches pictures from the device
  SpanReaders* spans = nullptr;                              // used only by publish(); null: no timing
};

class RunSource final : public ResultSource {
 public:
  static Result<std::unique_ptr<RunSource>> open(RunSourceOptions options);

  // For the run: a line of the file, without its newline, and its result, with the time spans since the last
  // one.
  void add_line(const std::string& line);
  void publish(FrameResultRef result);

  const RunFacts& facts() const override { return facts_; }
  nlohmann::ordered_json status() const override;
  Result<std::string> line(std::optional<int64_t> frame) const override;
  Result<FrameLines::Range> lines(int64_t from, int64_t to) const override;
  std::unique_ptr<Feed> feed(std::optional<int64_t> after) const override;
  Result<FramePicture> picture(std::optional<int64_t> frame, PictureKind kind, size_t camera) const override;
  Result<FrameStill> still(std::optional<int64_t> frame, size_t camera,
                           const StillMarks& marks) const override;
  Result<FileBody> table(StoredTable table) const override;
  Result<std::string> timings() const override;
  Result<Project> recording(FrameRange span) const override;
  Result<EventMarks> marks() const override;
  Result<EventMarks> change_marks(const EventMarks&) const override { return marks(); }
  void close() override;

 private:
  RunSource(RunSourceOptions options, std::shared_ptr<const FrameLines> file);
  double recent_rate() const;
  LiveHealth ask_health() const;
  std::string make_timings() const;
  std::shared_ptr<const PublishedResult> newest() const;

  const RunSourceOptions options_;
  const std::shared_ptr<const FrameLines> file_;  // null: nothing is written
  const std::shared_ptr<std::atomic<bool>> closed_ = std::make_shared<std::atomic<bool>>(false);
  const RunFacts facts_;
  const std::shared_ptr<KeptLines> lines_;
  KeptSpans spans_;
  const Refreshed<LiveHealth> health_;  // live cameras only
  const Refreshed<std::string> timings_;
  const int64_t start_ns_;
  uint64_t place_;                                 // position among the spans; used only by publish()
  RunPeople people_;                               // likewise
  mutable std::mutex mutex_;                       // guards the following
  std::shared_ptr<const PublishedResult> newest_;  // null: none yet
  std::deque<int64_t> line_times_ns_;              // the last lines'
  std::atomic<int64_t> people_unknown_{0};         // lines with unknown people
};

}  // namespace vantage::server
