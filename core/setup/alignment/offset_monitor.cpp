#include "core/setup/alignment/offset_monitor.h"

#include <algorithm>
#include <cmath>

namespace vantage {
namespace {

constexpr double kMinWindow_s = 4;  // nothing is estimated from less
constexpr double kLatest_s = 3;     // in which one change is searched for
constexpr double kHold_s = 0.48;    // that what was so before them has to be said
constexpr double kSettle_s = 1;     // from a proposal to the next for the same camera
// A change of these last seconds: how probable it has to be that there is one, and which; before the first
// age (since its end) its size is not settled, at the second it is told as it is, if it is likely to within a
// frame.
constexpr double kChanged = 0.98, kSize = 0.9, kLikelier = 0.5;
constexpr double kMinAge_s = 1.2, kMaxAge_s = 1.6;
constexpr double kOutOfStep = 0.75;  // frames
// Faster changes say more about an instant than slow ones, and there are few instants to tell it from.
constexpr double kTrend_s = 0.4;

SyncParameters watching(SyncParameters parameters) {
  parameters.trend_s = std::min(parameters.trend_s, kTrend_s);
  return parameters;
}

}  // namespace

OffsetMonitor::OffsetMonitor(const Project& project, const OffsetMonitorOptions& options, SignalWindow window)
    : options_(options),
      parameters_(watching(project.parameters.get<SyncParameters>())),
      window_(std::move(window)) {
  const size_t cameras = project.cameras.size();
  candidates_.resize(cameras);
  out_of_step_.resize(cameras);
  waiting_until_.assign(cameras, -1);
}

Result<std::unique_ptr<OffsetMonitor>> OffsetMonitor::make(const Project& project,
                                                           const OffsetMonitorOptions& options) {
  VANTAGE_ASSIGN(SignalWindow window, SignalWindow::make(project, options));
  return std::unique_ptr<OffsetMonitor>(new OffsetMonitor(project, options, std::move(window)));
}

Status OffsetMonitor::keep(const FrameResult& result) {
  std::vector<int64_t> own;
  for (const CameraFrame& camera : result.frames()->cameras) own.push_back(camera.camera_frame);
  return window_.keep(result, own);
}

// The cameras stand otherwise from this frame on: what was estimated before is known no more.
void OffsetMonitor::restart() {
  frames_ = 0, first_frame_ = -1;
  std::ranges::fill(candidates_, Candidate());
}

// The base frame that frame 0 of the estimate is.
int64_t OffsetMonitor::window_begin(int64_t base_frame) const {
  return base_frame - window_.frames() + 1;
}

// The window says when a loss in it was; what it begins with was so before, and is said once.
int64_t OffsetMonitor::out_of_step_since(const CameraAlignment& camera, int frames, int64_t base_frame,
                                         OutOfStep* known) const {
  if (known->frames == frames) return known->since;
  const int64_t begin = window_begin(base_frame);
  // Watched from where the cameras came to stand as they do: of what was before, other lines told.
  const int64_t watched_since = first_frame_ == window_.stands_since() ? first_frame_ : 0;
  int64_t since = begin <= first_frame_ ? watched_since : begin;
  if (camera.latest && camera.latest->changed_frames != 0)
    since = std::max<int64_t>(0, begin + camera.latest->since);
  else if (!camera.changes.empty())
    since = std::max<int64_t>(0, begin + camera.changes.back().base_frame);
  *known = {frames, since};
  return since;
}

// `again`: the estimate before said the same number of frames.
bool OffsetMonitor::settled(const LatestOffset& latest, bool again, int64_t said_since,
                            int64_t base_frame) const {
  const auto seconds = [&](int64_t frames) { return static_cast<double>(frames) / options_.frame_rate; };
  if (latest.changed_frames == 0) return seconds(base_frame - said_since) >= kHold_s;
  if (latest.changed < kChanged) return false;
  const int64_t end = latest.since + std::max(0, -latest.changed_frames);
  const double age_s = seconds(base_frame - window_begin(base_frame) - end);
  if (age_s >= kMaxAge_s) return latest.near >= kLikelier;
  return age_s >= kMinAge_s && again && latest.probability >= kSize;
}

std::vector<OffsetProposal> OffsetMonitor::estimate(int64_t base_frame) {
  EstimateOptions how;
  how.cameras = static_cast<int>(window_.moment().size());
  how.frame_rate = options_.frame_rate;
  how.latest_s = kLatest_s;
  const SyncEstimate found = estimate_alignment(window_.signals_now(), parameters_, how);
  std::vector<OffsetProposal> proposals;
  for (size_t c = 1; c < found.cameras.size(); ++c) {
    const CameraAlignment& camera = found.cameras[c];
    Candidate& candidate = candidates_[c];
    const LatestOffset latest = camera.latest.value_or(LatestOffset{});
    const int beside =
        std::abs(latest.offset_frames) < kOutOfStep ? 0 : static_cast<int>(std::lround(latest.offset_frames));
    if (beside == 0 && camera.latest) out_of_step_[c] = {};
    if (beside == 0 || base_frame <= waiting_until_[c]) {
      candidate = {};
      continue;
    }
    const bool again = candidate.since >= 0 && candidate.frames == beside;
    if (!again) candidate = {beside, base_frame};
    if (!settled(latest, again, candidate.since, base_frame)) continue;
    if (camera.confidence < parameters_.min_confidence) continue;
    const int64_t since = out_of_step_since(camera, beside, base_frame, &out_of_step_[c]);
    proposals.push_back({static_cast<int>(c), beside, base_frame, camera.confidence, since});
    candidate = {};
    waiting_until_[c] = base_frame + static_cast<int64_t>(kSettle_s * options_.frame_rate);
  }
  return proposals;
}

Result<std::vector<OffsetProposal>> OffsetMonitor::add(const FrameResult& result) {
  if (!result.frames() || !result.foreground()) return std::vector<OffsetProposal>();
  const int64_t stood_since = window_.stands_since();
  VANTAGE_TRY(keep(result));
  if (window_.stands_since() != stood_since) restart();
  ++frames_;
  if (first_frame_ < 0) first_frame_ = result.frame;
  const auto period = std::max<int64_t>(1, std::llround(options_.period_s * options_.frame_rate));
  const bool due =
      frames_ % period == 0 && static_cast<double>(frames_) >= kMinWindow_s * options_.frame_rate;
  const std::vector<int64_t>& moment = window_.moment();
  if (!due || std::find(moment.begin(), moment.end(), -1) != moment.end())
    return std::vector<OffsetProposal>();
  return estimate(result.frame);
}

}  // namespace vantage
