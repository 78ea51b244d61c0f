#include "core/setup/alignment/delay_monitor.h"

#include <algorithm>
#include <cmath>

namespace vantage {
namespace {

int reach(double rate) {
  return static_cast<int>(std::ceil(DelayMonitor::kReach_s * rate));
}

}  // namespace

DelayMonitor::DelayMonitor(const Project& project, const SignalWindowOptions& options, SignalWindow window)
    : options_(options),
      parameters_(project.parameters.get<SyncParameters>()),
      window_(std::move(window)),
      before_(project.cameras.size(), 0.0) {}

Result<std::unique_ptr<DelayMonitor>> DelayMonitor::make(const Project& project,
                                                         SignalWindowOptions options) {
  options.max_offset = reach(options.frame_rate);
  VANTAGE_ASSIGN(SignalWindow window, SignalWindow::make(project, options));
  return std::unique_ptr<DelayMonitor>(new DelayMonitor(project, options, std::move(window)));
}

void DelayMonitor::restart(int64_t first_set) {
  not_before_ = first_set;
  first_set_ = estimated_ = -1;
  window_.restart(rate(), reach(rate()));
  before_.assign(before_.size(), 0.0);
}

Result<std::vector<OffsetProposal>> DelayMonitor::add(const FrameResult& result, int every) {
  std::vector<OffsetProposal> none;
  if (every != every_) {
    every_ = every;
    restart(result.frame);
  }
  if (!result.frames() || !result.foreground() || result.frame < not_before_ || result.frame % every_ != 0)
    return none;
  VANTAGE_TRY(window_.keep(result, std::vector<int64_t>(before_.size(), result.frame / every_)));
  if (first_set_ < 0) first_set_ = estimated_ = result.frame;
  const auto seconds_since = [&](int64_t set) {
    return static_cast<double>(result.frame - set) / options_.frame_rate;
  };
  const std::vector<int64_t>& moment = window_.moment();
  const bool whole = std::find(moment.begin(), moment.end(), -1) == moment.end();
  if (!whole || seconds_since(first_set_) < kMinWindow_s || seconds_since(estimated_) < kEvery_s) return none;
  return estimate(result.frame);
}

std::vector<OffsetProposal> DelayMonitor::estimate(int64_t set) {
  estimated_ = set;
  EstimateOptions how;
  how.cameras = static_cast<int>(before_.size());
  how.frame_rate = rate();
  how.follow = false;
  const SyncEstimate found = estimate_alignment(window_.signals_now(), parameters_, how);
  std::vector<OffsetProposal> proposals;
  for (size_t c = 1; c < before_.size(); ++c) {
    const CameraAlignment& camera = found.cameras[c];
    const bool sure = camera.offset_frames && camera.confidence >= parameters_.min_confidence;
    const double periods = sure && std::abs(*camera.offset_frames) > kWorthWhile ? *camera.offset_frames : 0;
    const double before = std::exchange(before_[c], periods);
    if (periods == 0 || before == 0 || std::abs(periods - before) > kAlike) continue;
    OffsetProposal proposal;
    proposal.camera = static_cast<int>(c);
    proposal.base_frame = set;
    proposal.confidence = camera.confidence;
    proposal.delay_s = periods / rate();
    proposals.push_back(proposal);
  }
  return proposals;
}

}  // namespace vantage
