#include "core/setup/alignment/offset_monitor.h"

#include <algorithm>
#include <cmath>

#include "core/project/span_footage.h"

namespace vantage {

Result<SignalWindow> SignalWindow::make(const Project& project, const SignalWindowOptions& options) {
  if (!project.calibrated())
    return fail(ErrorKind::unsupported, "watching the offsets needs a calibration", project.path.string(),
                "Find them first: vantage-cli sync.");
  SignalWindow window;
  window.options_ = options;
  for (const StandingSpan& span : standing_spans(project))
    window.spans_.push_back({span.begin, choose_epipolar_pairs(project, options.lines, span.begin)});
  if (std::ranges::all_of(window.spans_,
                          [](const Span& span) { return span.line_pairs.arguments.pairs.empty(); }))
    return fail(ErrorKind::unsupported, "no two cameras see enough in common to watch their offsets",
                project.path.string());
  VANTAGE_TRY(window.make_extractor());
  VANTAGE_ASSIGN(window.transfer_, options.backends.create<MemoryTransfer>({}));
  window.rows_.resize(project.cameras.size());
  window.moment_.assign(project.cameras.size(), -1);
  return window;
}

int64_t SignalWindow::frames() const {
  return static_cast<int64_t>(options_.window_s * options_.frame_rate);
}

void SignalWindow::restart(double frame_rate, int max_offset) {
  options_.frame_rate = frame_rate;
  options_.max_offset = max_offset;
  for (std::deque<Row>& rows : rows_) rows.clear();
}

Status SignalWindow::make_extractor() {
  extractor_.reset();
  if (line_pairs().arguments.pairs.empty()) return {};
  VANTAGE_ASSIGN(extractor_, options_.backends.create<SignatureExtractor>(line_pairs().arguments));
  return {};
}

Status SignalWindow::go_to_span_of(int64_t frame) {
  size_t span = 0;
  while (span + 1 < spans_.size() && spans_[span + 1].begin <= frame) ++span;
  if (span == span_) return {};
  span_ = span;
  for (std::deque<Row>& rows : rows_) rows.clear();
  return make_extractor();
}

Status SignalWindow::keep(const FrameResult& result, const std::vector<int64_t>& camera_frames) {
  VANTAGE_TRY(go_to_span_of(result.frame));
  if (!extractor_) {
    std::ranges::fill(moment_, -1);
    return {};
  }
  std::vector<Image> indicators;
  for (const ForegroundImages& camera : result.foreground()->cameras) indicators.push_back(camera.indicator);
  VANTAGE_ASSIGN(Image sums, extractor_->extract(indicators, result.frame));
  VANTAGE_ASSIGN(sums, transfer_->download(sums, result.frame, -1));
  for (size_t c = 0; c < rows_.size(); ++c) {
    moment_[c] = indicators[c] ? camera_frames[c] : -1;
    if (moment_[c] >= 0) keep_row(c, sums.view<uint32_t>());
  }
  return {};
}

void SignalWindow::keep_row(size_t camera, const ImageView<const uint32_t>& sums) {
  std::deque<Row>& rows = rows_[camera];
  while (!rows.empty() && rows.back().camera_frame >= moment_[camera]) rows.pop_back();  // seen again
  Row row{moment_[camera], {}};
  row.sums.resize(2 * line_pairs().extracted.size());
  for (size_t p = 0; p < line_pairs().extracted.size(); ++p) {
    const PairSignals& pair = line_pairs().pairs[line_pairs().extracted[p]];
    for (const size_t side : {size_t{0}, size_t{1}}) {
      if (static_cast<size_t>(side == 0 ? pair.first : pair.second) != camera) continue;
      const uint32_t* from = sums.row(static_cast<int>(2 * p + side));
      row.sums[2 * p + side].assign(from, from + options_.lines);
    }
  }
  rows.push_back(std::move(row));
  while (rows.front().camera_frame <= moment_[camera] - frames()) rows.pop_front();
}

// Signals from the camera's frame `first` on, up to the last that was seen; frames that were never shown are
// missing.
LineSignals SignalWindow::signals_of(int camera, size_t side, int lines, int64_t first) const {
  LineSignals signals;
  signals.lines = lines;
  const std::vector<uint32_t> none(static_cast<size_t>(lines), kNoSignature);
  int64_t next = first;
  for (const Row& row : rows_[camera]) {
    if (row.camera_frame < first) continue;
    for (; next < row.camera_frame; ++next) append_sums(none.data(), false, &signals);
    append_sums(row.sums[side].data(), true, &signals);
    ++next;
  }
  return signals;
}

std::vector<PairSignals> SignalWindow::signals_now() const {
  std::vector<PairSignals> pairs = line_pairs().pairs;
  for (PairSignals& pair : pairs) pair.a.lines = pair.b.lines = 0;
  for (size_t p = 0; p < line_pairs().extracted.size(); ++p) {
    PairSignals& pair = pairs[line_pairs().extracted[p]];
    const auto first = [&](int camera) { return moment_[camera] - frames() + 1; };
    pair.lowest_lag = -options_.max_offset, pair.highest_lag = options_.max_offset;
    pair.a = signals_of(pair.first, 2 * p, options_.lines, first(pair.first));
    pair.b = signals_of(pair.second, 2 * p + 1, options_.lines, first(pair.second));
  }
  for (PairSignals& pair : pairs)
    if (pair.a.lines == 0 && pair.impossible.empty()) pair.impossible = "not compared";
  return pairs;
}

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
