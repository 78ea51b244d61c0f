#include "core/run/offset_watcher.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/base/log.h"

namespace vantage {
namespace {

constexpr double kSameLoss_s = 1;  // findings about one loss differ by less

}  // namespace

void OffsetWatcher::set_mode(OffsetWatch mode) {
  if (mode == mode_) return;
  mode_ = mode;
  only_propose_ = false;
  if (mode == OffsetWatch::off) reset_monitors();
}

void OffsetWatcher::attach(Analysis* analysis, DeviceBackends backends) {
  analysis_ = analysis;
  backends_ = std::move(backends);
  impossible_ = false;
  reset_monitors();
}

void OffsetWatcher::forget() {
  found_.clear();
  only_propose_ = false;
}

void OffsetWatcher::restart_delays(int64_t first_set) {
  if (delay_monitor_) delay_monitor_->restart(first_set);
  found_.clear();
}

void OffsetWatcher::reset_monitors() {
  monitor_.reset();
  delay_monitor_.reset();
}

SignalWindowOptions OffsetWatcher::window_options() const {
  SignalWindowOptions options;
  options.backends = backends_;
  options.frame_rate = analysis_->source().frame_rate();
  return options;
}

Status OffsetWatcher::prepare() {
  if (monitor_ || delay_monitor_) return {};
  if (analysis_->live()) {
    VANTAGE_ASSIGN(delay_monitor_, DelayMonitor::make(project_, window_options()));
  } else {
    VANTAGE_ASSIGN(monitor_, OffsetMonitor::make(project_, {window_options()}));
  }
  return {};
}

Result<OffsetWatcher::Findings> OffsetWatcher::add(const FrameResult& result) {
  if (mode_ == OffsetWatch::off || impossible_ || !analysis_->grid()) return Findings();
  // A monitor compares frames in order: after a jump it restarts.
  const bool continues = result.frame == last_frame_ || result.frame == last_frame_ + 1;
  if (!continues) monitor_.reset();
  last_frame_ = result.frame;
  if (const Status prepared = prepare(); !prepared) {
    impossible_ = true;
    log_info("the cameras' offsets are not watched: " + prepared.error().message());
    return Findings();
  }
  Result<std::vector<OffsetProposal>> proposals = find(result);
  if (!proposals) {
    impossible_ = true;
    return fail(std::move(proposals).error());
  }
  const bool apply = mode_ == OffsetWatch::apply && !only_propose_;
  // A proposal that comes again after it was applied still applies.
  if (!apply) std::erase_if(*proposals, [&](const OffsetProposal& proposal) { return known(proposal); });
  found_.insert(found_.end(), proposals->begin(), proposals->end());
  return Findings{std::move(*proposals), apply};
}

Result<std::vector<OffsetProposal>> OffsetWatcher::find(const FrameResult& result) {
  if (monitor_) return monitor_->add(result);
  VANTAGE_ASSIGN(std::vector<OffsetProposal> proposals,
                 delay_monitor_->add(result, analysis_->live()->thinning()));
  std::erase_if(proposals, [&](const OffsetProposal& proposal) { return beyond_limit(proposal); });
  return proposals;
}

// Monitors repeat findings that still apply: equal in whole frames or sets.
bool OffsetWatcher::known(const OffsetProposal& proposal) const {
  const double rate = analysis_->source().frame_rate();
  return std::any_of(found_.begin(), found_.end(), [&](const OffsetProposal& other) {
    if (other.camera != proposal.camera || other.delay_s.has_value() != proposal.delay_s.has_value())
      return false;
    if (proposal.delay_s) return std::abs(*other.delay_s - *proposal.delay_s) * rate < 1;
    return other.frames == proposal.frames &&
           std::llabs(other.since - proposal.since) <= static_cast<int64_t>(kSameLoss_s * rate);
  });
}

// The project's limit excludes such a correction.
bool OffsetWatcher::beyond_limit(const OffsetProposal& proposal) const {
  const double present_s = project_.cameras[proposal.camera].live_delay_s;
  return std::abs(present_s + *proposal.delay_s) > kMaxLiveDelay_s;
}

}  // namespace vantage
