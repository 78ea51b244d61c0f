// Everybody to whom `run` hands each result: the server, the results' files, the watch over the cameras'
// offsets, the rules of live cameras, the summary; and the recording of live cameras beside it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/chain.h"
#include "app/cli/offset_watch.h"
#include "app/cli/run_live.h"
#include "app/cli/run_summary.h"
#include "app/cli/served_run.h"
#include "core/counting/rule_watch.h"
#include "core/project/results_events.h"
#include "core/project/results_writer.h"

namespace vantage::cli {

struct RunOptions {
  ChainOptions chain;
  std::string out;  // folder; empty: the project's own
  std::string offsets = "keep";
  bool sequential = false, json = false, force = false, write_offsets = false;
  ResultsPictureOptions pictures;
  LiveRunOptions live;
  ServeOptions serve;
};

class RunOutputs {
 public:
  // Opens all of them, or ends the command with the error. `range`: the frames that will be analysed;
  // `server`: null where nothing is served. With a recording its project takes the chain's place.
  RunOutputs(const RunOptions& options, OpenedChain& chain, const FrameRange& range,
             std::unique_ptr<server::ResultServer> server);

  // False: no more is wanted. Of recordings where writing failed; live cameras are analysed nevertheless.
  bool take(const FrameResultRef& result);

  // However the analysis ended, what was computed is kept and complete. What failed, in order.
  std::vector<Error> finish();
  // After finish(), on stdout.
  void print(double seconds);

 private:
  struct Rules {
    RuleWatch watch;
    std::unique_ptr<EventWriter> file;
  };
  std::optional<Rules> watch_rules_or_fail() const;
  Status write(const FrameResult& result);
  Status tell_events(const FrameResult& result);

  const RunOptions& options_;
  OpenedChain& chain_;
  OffsetWatch offsets_;
  const std::unique_ptr<Recorder> recorder_;  // null: nothing is recorded
  ServedRun served_;
  std::unique_ptr<ResultsWriter> writer_;
  std::optional<Rules> rules_;  // nothing: there are none, or they are found afterwards
  Status written_;
  RunSummary summary_;
};

}  // namespace vantage::cli
