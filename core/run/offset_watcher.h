// Watches the cameras' synchronisation during an analysis, with the monitors of core/setup/alignment for
// recordings and live cameras. Findings are applied automatically or reported once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/run/analysis.h"
#include "core/setup/alignment/offset_monitor.h"

namespace vantage {

// `apply`: findings are applied at once, until an undo.
enum class OffsetWatch : uint8_t { off, propose, apply };

class OffsetWatcher {
 public:
  // `project` must outlive it; a monitor uses its state at the time of creation.
  explicit OffsetWatcher(const Project& project) : project_(project) {}

  void set_mode(OffsetWatch mode);  // off at first
  OffsetWatch mode() const { return mode_; }
  // Only proposes from now on, until the mode changes.
  void only_propose() { only_propose_ = true; }

  // The analysis of the following frames, with its implementations; null: none. Earlier findings are not
  // reported again.
  void attach(Analysis* analysis, DeviceBackends backends);
  // For another project: findings are new again.
  void forget();
  // Delays of live cameras have changed from that set on.
  void restart_delays(int64_t first_set);

  // Creates the monitor, which otherwise happens at the first frame. unsupported where the cameras cannot be
  // watched.
  // watched.
  Status prepare();

  struct Findings {
    std::vector<OffsetProposal> proposals;  // one per camera
    bool apply = false;
  };
  // Adds an analysed frame: the next one or, after a jump, any. Without a calibration, or where the cameras
  // cannot be watched, nothing is found. An error ends the watching of this analysis.
  Result<Findings> add(const FrameResult& result);

 private:
  SignalWindowOptions window_options() const;
  Result<std::vector<OffsetProposal>> find(const FrameResult& result);
  bool known(const OffsetProposal& proposal) const;
  bool beyond_limit(const OffsetProposal& proposal) const;
  void reset_monitors();

  const Project& project_;
  Analysis* analysis_ = nullptr;
  DeviceBackends backends_;
  OffsetWatch mode_ = OffsetWatch::off;
  bool only_propose_ = false;
  bool impossible_ = false;                      // with this analysis
  std::unique_ptr<OffsetMonitor> monitor_;       // recordings only; null: not yet
  std::unique_ptr<DelayMonitor> delay_monitor_;  // live cameras only; likewise
  int64_t last_frame_ = -1;                      // the last one given to the monitor
  std::vector<OffsetProposal> found_;            // before
};

}  // namespace vantage
