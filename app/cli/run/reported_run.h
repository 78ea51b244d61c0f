// A run with what `run` prints and writes in addition to the results: events and offsets as they come, and
// the summary; and with the server that gets its results.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/common/chain.h"
#include "app/cli/project/offset_report.h"
#include "app/cli/run/run_live.h"
#include "app/cli/run/run_summary.h"
#include "app/cli/run/served_run.h"
#include "core/run/run.h"

namespace vantage::cli {

struct RunArguments {
  ChainOptions chain;
  std::string out;       // folder; empty: the project's own
  std::string variant;   // whose parameters are used, and under whose name results are kept; empty: none
  bool replace = false;  // results that are kept under its name
  std::string offsets = "keep";
  std::string push = "live";  // live, always or never
  bool sequential = false, json = false, force = false, no_check = false, write_offsets = false;
  ResultsPictureOptions pictures;
  LiveRunOptions live;
  ServeOptions serve;
};

class ReportedRun final : public RunListener {
 public:
  // Begins the results, or ends the command with the error. `range`: the frames that will be analysed;
  // `server`: null where nothing is served.
  ReportedRun(const RunArguments& options, OpenedChain& chain, const FrameRange& range,
              std::unique_ptr<server::ResultServer> server);

  // Every frame of the range, or of live cameras every set until the time is over.
  Status analyse();
  // However the analysis ended, what was computed is kept and complete. What failed, in order.
  std::vector<Error> finish();
  // After finish(), on stdout.
  void print(double seconds);

 private:
  void open_push_or_fail();
  void begin_results_or_fail();
  void finish_push();
  void on_offset_proposal(const OffsetProposal& proposal) override;
  void on_offset_applied(const AppliedOffset& applied) override;
  void on_delays(const std::vector<OffsetProposal>& proposals) override;
  void on_events(const std::vector<FloorEvent>& events) override;
  void on_event_to_record(int64_t raised_frame) override;
  void on_events_over() override;
  void on_writing_failed(const Error& error) override;
  void on_watching_failed(const Error& error) override;

  const RunArguments& options_;
  OpenedChain& chain_;
  const FrameRange range_;
  OffsetReport offsets_;
  const std::shared_ptr<ServedRun> served_;  // null: nothing is served
  Run run_;
  RunSummary summary_;
  bool writing_failed_ = false;
  bool recording_events_ = false;  // what is recorded is an event
  std::vector<Error> failed_;      // while it went on
};

}  // namespace vantage::cli
