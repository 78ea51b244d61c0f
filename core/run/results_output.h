// The output of a run: results that begin, get frame after frame and end, all of which a watcher gets, too.
// Live cameras are also watched while nothing is written. All on the run's thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/results/results_writer.h"
#include "core/run/results_watcher.h"

namespace vantage {

// Written results that have ended.
struct EndedResults {
  Status status;  // whatever it says, what was written is kept
  int64_t frames = 0;
  std::optional<PathFollower> follower;  // as ResultsWriter::take_follower()
};

struct ResultsOptions {
  std::filesystem::path folder;
  OlderFrames older = OlderFrames::replace;
  std::optional<int64_t> frames;  // that will be analysed; nothing: live cameras, without an end
  // No one needs the pictures of every frame: stages whose figures are kept on disk do not run again.
  bool figures_suffice = false;
};

class ResultsOutput {
 public:
  // Either may be null: no one watches, nothing is timed. The trace outlives it.
  ResultsOutput(std::shared_ptr<ResultsWatcher> watcher, const TraceRecorder* trace)
      : watcher_(std::move(watcher)), trace_(trace) {}

  // Recording of live cameras, as BegunResults has it.
  void set_kept(std::function<Result<Project>(FrameRange)> kept) { kept_ = std::move(kept); }
  Status begin(const Project& project, RunDescription run, const ResultsOptions& options);
  // For the watcher, before it is written.
  void publish(const FrameResultRef& result);
  Status write(const FrameResult& result) { return writer_->write(result); }
  // As ResultsWriter::note_version_change(); nothing is done where nothing is written.
  void note_version_change(const VersionChange& change);
  // `live`: the health that goes into the timings, of live cameras.
  EndedResults end(std::optional<LiveHealth> live = {});
  const ResultsWriter* writer() const { return writer_.get(); }  // null: nothing is written

  // Live cameras, from now until leave(): watched whenever nothing is written. Again when parameters change;
  // a watcher is interrupted only where other stages run then.
  void watch(const Project& project, const RunDescription& run);
  // `ids`: those that are shown, as LineOptions has them.
  void show(const FrameResultRef& result, std::optional<std::vector<int64_t>> ids);
  void leave();

 private:
  void report(const BegunResults& begun);

  const std::shared_ptr<ResultsWatcher> watcher_;
  const TraceRecorder* const trace_;
  std::function<Result<Project>(FrameRange)> kept_;
  std::unique_ptr<ResultsWriter> writer_;
  std::optional<BegunResults> watched_;  // live cameras, as they are watched
  std::vector<std::string> cameras_;     // their names
  std::vector<std::string_view> stages_;
  std::shared_ptr<const StageVersions> versions_;  // that their header states
};

}  // namespace vantage
