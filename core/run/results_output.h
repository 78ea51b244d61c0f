// The output of a run: results that begin, get frame after frame and end, with a watcher. Live cameras are
// also watched while nothing is written. Used on the run's thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/image/backend/memory_transfer.h"
#include "core/live/health.h"
#include "core/pipeline/frame_result.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"
#include "core/results/results_writer.h"

namespace vantage {

// Gets a session's results while they are written, for a server.

struct BegunResults {
  std::filesystem::path
      folder;          // its results.jsonl.part has the header line; empty: nothing is written (live cameras)
  std::string header;  // without a folder: the header line
  std::optional<int64_t> frames;  // number to be analysed; nothing: live cameras, without an end
  std::shared_ptr<MemoryTransfer> transfer = host_memory();  // as RunDescription has it
  // The recording of live cameras that has pictures of that span, from the past or the recording in progress.
  // Thread-safe; not_found where they are not kept, or no longer. Empty: a recording of files.
  std::function<Result<Project>(FrameRange)> kept = {};
};

// Called on the session's thread, on_line() also on the one that assigns IDs; must not block.
class ResultsWatcher {
 public:
  virtual ~ResultsWatcher() = default;
  virtual void on_begun(const BegunResults& results) = 0;  // replaces earlier results
  // Lines have a reader: those that are not written are made only then.
  virtual bool wants_lines() const = 0;
  virtual void on_line(const std::string& line) = 0;  // as RunDescription::line_written
  virtual void on_result(const FrameResultRef& result) = 0;
  virtual void on_health(const LiveHealth& health) = 0;  // live cameras only, several times a second
  virtual void on_ended() = 0;                           // the folder is complete
};

// Written results that have ended.
struct EndedResults {
  Status status;  // in any case, what was written is kept
  int64_t frames = 0;
  std::optional<PathFollower> follower;  // as ResultsWriter::take_follower()
};

struct ResultsOptions {
  std::filesystem::path folder;
  OlderFrames older = OlderFrames::replace;
  std::optional<int64_t> frames;  // number to be analysed; nothing: live cameras, without an end
  // Pictures of every frame are not needed: stages whose figures are on disk do not run again.
  bool figures_suffice = false;
};

class ResultsOutput {
 public:
  // Either may be null: no watcher, no timing. `trace` must outlive it.
  ResultsOutput(std::shared_ptr<ResultsWatcher> watcher, const TraceRecorder* trace)
      : watcher_(std::move(watcher)), trace_(trace) {}

  // Recording of live cameras, as in BegunResults.
  void set_kept(std::function<Result<Project>(FrameRange)> kept) { kept_ = std::move(kept); }
  Status begin(const Project& project, RunDescription run, const ResultsOptions& options);
  // Passes a frame to the watcher before it is written.
  void publish(const FrameResultRef& result);
  Status write(const FrameResult& result) { return writer_->write(result); }
  // As ResultsWriter::note_version_change(); does nothing while nothing is written.
  void note_version_change(const VersionChange& change);
  // `live`: health of live cameras, for the timings.
  EndedResults end(std::optional<LiveHealth> live = {});
  const ResultsWriter* writer() const { return writer_.get(); }  // null: nothing is written

  // Watches live cameras from now until leave(), whenever nothing is written. Call again when parameters
  // change; a watcher is interrupted only if other stages run then.
  void watch(const Project& project, const RunDescription& run);
  // `ids`: those shown, as in LineOptions.
  void show(const FrameResultRef& result, std::optional<std::vector<int64_t>> ids);
  void leave();

 private:
  void report(const BegunResults& begun);

  const std::shared_ptr<ResultsWatcher> watcher_;
  const TraceRecorder* const trace_;
  std::function<Result<Project>(FrameRange)> kept_;
  std::unique_ptr<ResultsWriter> writer_;
  std::optional<BegunResults> watched_;  // live cameras, while they are watched
  std::vector<std::string> cameras_;     // their names
  std::vector<std::string_view> stages_;
  std::shared_ptr<const StageVersions> versions_;  // stated in the header
};

}  // namespace vantage
