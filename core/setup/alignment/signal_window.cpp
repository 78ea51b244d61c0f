#include "core/setup/alignment/signal_window.h"

#include <algorithm>

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
  for (const Row& row : rows_[static_cast<size_t>(camera)]) {
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
    const auto first = [&](int camera) { return moment_[static_cast<size_t>(camera)] - frames() + 1; };
    pair.lowest_lag = -options_.max_offset, pair.highest_lag = options_.max_offset;
    pair.a = signals_of(pair.first, 2 * p, options_.lines, first(pair.first));
    pair.b = signals_of(pair.second, 2 * p + 1, options_.lines, first(pair.second));
  }
  for (PairSignals& pair : pairs)
    if (pair.a.lines == 0 && pair.impossible.empty()) pair.impossible = "not compared";
  return pairs;
}

}  // namespace vantage
