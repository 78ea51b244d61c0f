// What a session writes: the results begin, get frame after frame and end, and whoever watches them is told.
// Live cameras are also told of while nothing is written. All on the session's thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/project/results_writer.h"
#include "core/run/results_watcher.h"

namespace vantage {

// What became of written results.
struct EndedResults {
  Status status;  // whatever it says, what was written is kept
  int64_t frames = 0;
  std::optional<PathFollower> follower;  // as ResultsWriter::take_follower()
};

class ResultsOutput {
 public:
  // Either may be null: nobody watches, nothing is timed. The trace outlives it.
  ResultsOutput(std::shared_ptr<ResultsWatcher> watcher, const TraceRecorder* trace)
      : watcher_(std::move(watcher)), trace_(trace) {}

  // In the project's folder. `frames`: that will be analysed; nothing: live cameras, without an end.
  Status begin(const Project& project, RunDescription run, OlderFrames older, std::optional<int64_t> frames);
  Status write(const FrameResultRef& result);
  // `live`: the health that goes into the timings, of live cameras.
  EndedResults end(std::optional<LiveHealth> live = {});
  const ResultsWriter* writer() const { return writer_.get(); }  // null: nothing is written

  // Live cameras, from now until leave(): told of whenever nothing is written. Again when parameters change;
  // who follows is only interrupted where other stages run then.
  void watch(const Project& project, const RunDescription& run);
  void show(const FrameResultRef& result);  // with the numbers that are shown
  void leave();

 private:
  void tell(const BegunResults& begun);

  const std::shared_ptr<ResultsWatcher> watcher_;
  const TraceRecorder* const trace_;
  std::unique_ptr<ResultsWriter> writer_;
  std::optional<BegunResults> watched_;  // live cameras, as they are told of
  std::vector<std::string> cameras_;     // their names
  std::vector<std::string_view> stages_;
};

}  // namespace vantage
