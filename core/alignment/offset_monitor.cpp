#include "core/alignment/offset_monitor.h"

#include <algorithm>
#include <cmath>

namespace vantage {
namespace {

constexpr double kLeastWindow_s = 4;  // nothing is estimated from less
constexpr double kLatest_s = 3;       // in which one change is looked for
constexpr double kHold_s = 0.48;      // that what was so before them has to be said
constexpr double kSettle_s = 1;       // from a proposal to the next for the same camera
// A change of these last seconds: how probable it has to be that there is one, and which; before the first
// age its size is not settled, at the second it is told as it is.
constexpr double kChanged = 0.98, kSize = 0.9, kLikelier = 0.5;
constexpr double kLeastAge_s = 1.2, kMostAge_s = 1.76;
constexpr double kOutOfStep = 0.75;  // frames
// Faster changes say more about a moment than slow ones, and there are few moments to tell it from.
constexpr double kTrend_s = 0.4;

SyncParameters watching(SyncParameters parameters) {
  parameters.trend_s = std::min(parameters.trend_s, kTrend_s);
  return parameters;
}

}  // namespace

OffsetMonitor::OffsetMonitor(const Project& project, const OffsetMonitorOptions& options)
    : options_(options), parameters_(watching(project.parameters.get<SyncParameters>())) {}

Result<std::unique_ptr<OffsetMonitor>> OffsetMonitor::make(const Project& project,
                                                           const OffsetMonitorOptions& options) {
  if (!project.calibrated())
    return fail(ErrorKind::unsupported, "watching the offsets needs a calibration", project.path.string(),
                "Find them before: vantage-cli sync.");
  std::unique_ptr<OffsetMonitor> monitor(new OffsetMonitor(project, options));
  monitor->twins_ = choose_twin_pairs(project, options.lines);
  if (monitor->twins_.arguments.pairs.empty())
    return fail(ErrorKind::unsupported, "no two cameras see enough in common to watch their offsets",
                project.path.string());
  VANTAGE_ASSIGN(monitor->extractor_, options.backends->create<SignatureExtractor>(
                                          options.device, options.context, monitor->twins_.arguments));
  if (options.device != Device::cpu) {
    VANTAGE_ASSIGN(monitor->transfer_,
                   options.backends->create<MemoryTransfer>(options.device, options.context, {}));
  }
  const size_t cameras = project.cameras.size();
  monitor->rows_.resize(cameras);
  monitor->moment_.assign(cameras, -1);
  monitor->candidates_.resize(cameras);
  monitor->out_of_step_.resize(cameras);
  monitor->expected_.resize(cameras);
  monitor->waiting_until_.assign(cameras, -1);
  return monitor;
}

Status OffsetMonitor::keep(const FrameResult& result) {
  std::vector<Image> indicators;
  for (const ForegroundImages& camera : result.foreground()->cameras) indicators.push_back(camera.indicator);
  VANTAGE_ASSIGN(Image sums, extractor_->extract(indicators, result.frame));
  if (transfer_) {
    VANTAGE_ASSIGN(sums, transfer_->download(sums, result.frame, -1));
  }
  const ImageView<const uint32_t> view = sums.view<uint32_t>();
  const auto& cameras = result.frames()->cameras;
  const auto window = static_cast<int64_t>(options_.window_s * options_.frame_rate);
  for (size_t c = 0; c < cameras.size(); ++c) {
    moment_[c] = indicators[c] ? cameras[c].camera_frame : -1;
    if (moment_[c] < 0) continue;
    see_realignment(c, moment_[c] - result.frame);
    std::deque<Row>& rows = rows_[c];
    while (!rows.empty() && rows.back().camera_frame >= moment_[c]) rows.pop_back();  // seen again
    Row row{moment_[c], {}};
    row.sums.resize(2 * twins_.extracted.size());
    for (size_t p = 0; p < twins_.extracted.size(); ++p) {
      const PairSignals& pair = twins_.pairs[twins_.extracted[p]];
      for (const size_t side : {size_t{0}, size_t{1}}) {
        if (static_cast<size_t>(side == 0 ? pair.first : pair.second) != c) continue;
        const uint32_t* from = view.row(static_cast<int>(2 * p + side));
        row.sums[2 * p + side].assign(from, from + options_.lines);
      }
    }
    rows.push_back(std::move(row));
    while (rows.front().camera_frame <= moment_[c] - window) rows.pop_front();
  }
  return {};
}

void OffsetMonitor::expect(const OffsetProposal& proposal) {
  const auto c = static_cast<size_t>(proposal.camera);
  expected_[c] = {proposal.frames, moment_[c] - proposal.base_frame};
}

// By half at least: a drift may turn up in the same frames.
void OffsetMonitor::see_realignment(size_t camera, int64_t beside) {
  Expected& expected = expected_[camera];
  const int64_t moved = (beside - expected.beside) * (expected.frames > 0 ? 1 : -1);
  if (2 * moved >= std::abs(expected.frames)) expected = {};
}

// From the camera's frame `first` on, up to the last that was seen; frames that were never shown are missing.
LineSignals OffsetMonitor::signals_of(int camera, size_t side, int lines, int64_t first) const {
  LineSignals signals;
  signals.lines = lines;
  const std::vector<uint32_t> none(static_cast<size_t>(lines), kNoSignature);
  int64_t next = first;
  for (const Row& row : rows_[static_cast<size_t>(camera)]) {
    if (row.camera_frame < first) continue;
    for (; next < row.camera_frame; ++next) append_sums(none.data(), false, &signals);
    append_sums(row.sums[side].data(), true, &signals);
    ++next;
  }
  return signals;
}

// Every camera's signals begin window_s before its present frame, so that lag 0 is the present alignment.
std::vector<PairSignals> OffsetMonitor::window_signals() const {
  const auto window = static_cast<int64_t>(options_.window_s * options_.frame_rate);
  std::vector<PairSignals> pairs = twins_.pairs;
  for (PairSignals& pair : pairs) pair.a.lines = pair.b.lines = 0;
  for (size_t p = 0; p < twins_.extracted.size(); ++p) {
    PairSignals& pair = pairs[twins_.extracted[p]];
    const auto first = [&](int camera) { return moment_[static_cast<size_t>(camera)] - window + 1; };
    pair.lowest_lag = -options_.max_offset, pair.highest_lag = options_.max_offset;
    pair.a = signals_of(pair.first, 2 * p, options_.lines, first(pair.first));
    pair.b = signals_of(pair.second, 2 * p + 1, options_.lines, first(pair.second));
  }
  for (PairSignals& pair : pairs)
    if (pair.a.lines == 0 && pair.impossible.empty()) pair.impossible = "not compared";
  return pairs;
}

// The base frame that frame 0 of the estimate is.
int64_t OffsetMonitor::window_begin(int64_t base_frame) const {
  return base_frame - static_cast<int64_t>(options_.window_s * options_.frame_rate) + 1;
}

// The window says when a loss in it was; what it begins with was so before, and is said once.
int64_t OffsetMonitor::out_of_step_since(const CameraAlignment& camera, int frames, int64_t base_frame,
                                         OutOfStep* known) const {
  if (known->frames == frames) return known->since;
  const int64_t begin = window_begin(base_frame);
  int64_t since = begin <= first_frame_ ? 0 : begin;
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
  const double age_s = seconds(base_frame - window_begin(base_frame) - latest.since);
  if (age_s >= kMostAge_s) return latest.probability >= kLikelier;
  return age_s >= kLeastAge_s && again && latest.probability >= kSize;
}

std::vector<OffsetProposal> OffsetMonitor::estimate(int64_t base_frame) {
  EstimateOptions how;
  how.cameras = static_cast<int>(rows_.size());
  how.frame_rate = options_.frame_rate;
  how.latest_s = kLatest_s;
  const SyncEstimate found = estimate_alignment(window_signals(), parameters_, how);
  std::vector<OffsetProposal> proposals;
  for (size_t c = 1; c < found.cameras.size(); ++c) {
    const CameraAlignment& camera = found.cameras[c];
    Candidate& candidate = candidates_[c];
    const LatestOffset latest = camera.latest.value_or(LatestOffset{});
    const int beside =
        std::abs(latest.offset_frames) < kOutOfStep ? 0 : static_cast<int>(std::lround(latest.offset_frames));
    if (beside == 0 && camera.latest) out_of_step_[c] = {};
    if (beside == 0 || base_frame <= waiting_until_[c] || expected_[c].frames != 0) {
      candidate = {};
      continue;
    }
    const bool again = candidate.since >= 0 && candidate.frames == beside;
    if (!again) candidate = {beside, base_frame};
    if (!settled(latest, again, candidate.since, base_frame)) continue;
    if (camera.confidence < parameters_.least_confidence) continue;
    const int64_t since = out_of_step_since(camera, beside, base_frame, &out_of_step_[c]);
    proposals.push_back({static_cast<int>(c), beside, base_frame, camera.confidence, since});
    candidate = {};
    waiting_until_[c] = base_frame + static_cast<int64_t>(kSettle_s * options_.frame_rate);
  }
  return proposals;
}

Result<std::vector<OffsetProposal>> OffsetMonitor::add(const FrameResult& result) {
  if (!result.frames() || !result.foreground()) return std::vector<OffsetProposal>();
  VANTAGE_TRY(keep(result));
  ++frames_;
  if (first_frame_ < 0) first_frame_ = result.frame;
  const auto period = std::max<int64_t>(1, std::llround(options_.period_s * options_.frame_rate));
  const bool due =
      frames_ % period == 0 && static_cast<double>(frames_) >= kLeastWindow_s * options_.frame_rate;
  if (!due || std::find(moment_.begin(), moment_.end(), -1) != moment_.end())
    return std::vector<OffsetProposal>();
  return estimate(result.frame);
}

}  // namespace vantage
