#include "core/sync/coarse_signals.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace vantage {

LineSignals sound_signals(std::span<const float> samples, int sample_rate) {
  // Differences between samples: the hum below some hundred hertz says little.
  constexpr double kSilence = 1e-8;
  LineSignals signals;
  signals.lines = 1;
  const double step = sample_rate / kSoundSignals_hz;
  for (int64_t t = 0;; ++t) {
    const auto begin = static_cast<size_t>(std::llround(static_cast<double>(t) * step));
    const auto end = static_cast<size_t>(std::llround(static_cast<double>(t + 1) * step));
    if (end >= samples.size() || end <= begin) return signals;
    double power = 0;
    for (size_t i = begin; i < end; ++i) {
      const double change = static_cast<double>(samples[i + 1]) - samples[i];
      power += change * change / static_cast<double>(end - begin);
    }
    signals.values.push_back(static_cast<float>(std::log(power + kSilence)));
    signals.valid.push_back(1);
  }
}

LineSignals resample_signals(const LineSignals& signals, double step) {
  LineSignals out;
  out.lines = signals.lines;
  for (int64_t m = 0;; ++m) {
    const double at = static_cast<double>(m) * step;
    const auto before = static_cast<int64_t>(at);
    if (before + 1 >= signals.frames()) return out;
    const auto share = static_cast<float>(at - static_cast<double>(before));
    const float *a = signals.frame(before), *b = signals.frame(before + 1);
    for (int r = 0; r < signals.lines; ++r) out.values.push_back(a[r] + share * (b[r] - a[r]));
    out.valid.push_back(signals.valid[before] & signals.valid[before + 1]);
  }
}

Result<CameraAlignment> alignment_from_marks(std::span<const MarkedInstant> marks, double rate_ratio,
                                             double base_frame_rate) {
  if (marks.empty()) return fail(ErrorKind::invalid_argument, "no instant is marked", "synchronisation");
  double mean_base = 0, mean_frame = 0;
  for (const MarkedInstant& mark : marks) {
    mean_base += mark.base_frame / static_cast<double>(marks.size());
    mean_frame += mark.frame / static_cast<double>(marks.size());
  }
  double product = 0, square = 0;
  for (const MarkedInstant& mark : marks) {
    product += (mark.base_frame - mean_base) * (mark.frame - mean_frame);
    square += (mark.base_frame - mean_base) * (mark.base_frame - mean_base);
  }
  CameraAlignment camera;
  double slope = rate_ratio;
  if (marks.size() > 1) {
    const auto [low, high] = std::minmax_element(
        marks.begin(), marks.end(),
        [](const MarkedInstant& a, const MarkedInstant& b) { return a.base_frame < b.base_frame; });
    if (high->base_frame - low->base_frame >= kDriftFrom_s * base_frame_rate) {
      slope = product / square;
      camera.drift_ppm = 1e6 * (slope / rate_ratio - 1);
    }
  }
  camera.offset_frames = mean_frame - slope * mean_base;
  camera.confidence = 1;
  return camera;
}

namespace {

constexpr int kMinNeighbours = 3;
constexpr float kStill = 30;  // grey levels, over all cells of a picture of kCellsTold
constexpr float kCellsTold = 160 * 120;

constexpr float kLuma[ColorMotion::kLumaNodes] = {30, 70, 110, 160, 210};
constexpr float kChroma[ColorMotion::kChromaNodes] = {90, 112, 122, 128, 134, 144, 166};

// The two nodes a value lies between, and how much of it is the second's.
struct Between {
  int first = 0;
  float share = 0;
};
template <size_t N>
Between between(uint8_t value, const float (&nodes)[N]) {
  if (value <= nodes[0]) return {0, 0};
  if (value >= nodes[N - 1]) return {static_cast<int>(N) - 2, 1};
  int i = 0;
  while (value > nodes[i + 1]) ++i;
  return {i, (value - nodes[i]) / (nodes[i + 1] - nodes[i])};
}

int mean_of(const ImageView<const uint8_t>& plane, int x, int y, int width, int height, int step) {
  int sum = 0, count = 0;
  for (int j = y; j < std::min(y + height, plane.height); ++j) {
    const uint8_t* row = plane.row(j);
    for (int i = x; i < std::min(x + width * step, plane.width); i += step) sum += row[i], ++count;
  }
  return count > 0 ? (sum + count / 2) / count : 0;
}

}  // namespace

// Chroma samples a side; twice as many luma samples.
int ColorMotion::cell_half(const Picture& picture) {
  return std::max(1, static_cast<int>(std::lround(picture.width() / (2.0 * kCellsAcross))));
}

void ColorMotion::find_ignored(const Picture& picture, const Cells& cells) {
  if (ignored_.empty()) return;
  const int size = 2 * cell_half(picture);
  ignored_cells_.assign(cells.colors.size(), 0);
  for (const IgnoredRegion& region : ignored_)
    for_rows_in_polygon(region.corners_px, cells.width * size, cells.height * size,
                        [&](int y, int left, int right) {
                          const auto row = ignored_cells_.begin() + ptrdiff_t{y / size} * cells.width;
                          std::fill(row + left / size, row + right / size + 1, uint8_t{1});
                        });
}

ColorMotion::Cells ColorMotion::average(const Picture& picture) {
  const int half = cell_half(picture);
  const int size = 2 * half;  // luma samples a side
  Cells cells;
  cells.width = picture.width() / size, cells.height = picture.height() / size;
  cells.colors.resize(static_cast<size_t>(cells.width) * static_cast<size_t>(cells.height));
  const bool interleaved = picture.format().layout == PictureLayout::nv12;
  const int step = interleaved ? 2 : 1;
  for (int y = 0; y < cells.height; ++y)
    for (int x = 0; x < cells.width; ++x) {
      auto& color =
          cells.colors[static_cast<size_t>(y) * static_cast<size_t>(cells.width) + static_cast<size_t>(x)];
      color[0] = static_cast<uint8_t>(mean_of(picture.plane(0), x * size, y * size, size, size, 1));
      for (int c = 0; c < 2; ++c)
        color[static_cast<size_t>(c) + 1] = static_cast<uint8_t>(
            mean_of(picture.plane(interleaved ? 1 : 1 + c), x * half * step + (interleaved ? c : 0), y * half,
                    half, half, step));
    }
  return cells;
}

void ColorMotion::find_changes(const Cells& now) {
  std::array<int, 511> histogram{};
  const auto counts = [&](size_t i) { return ignored_cells_.empty() || ignored_cells_[i] == 0; };
  int64_t below = 0, counted = 0;
  for (size_t i = 0; i < now.colors.size(); ++i)
    if (counts(i)) ++histogram[now.colors[i][0] - before_.colors[i][0] + 255], ++counted;
  int median = -255;
  for (const int count : histogram) {
    below += count;
    if (2 * below > counted) break;
    ++median;
  }
  changes_.resize(now.colors.size());
  for (size_t i = 0; i < now.colors.size(); ++i) {
    const auto &a = now.colors[i], &b = before_.colors[i];
    const int change = std::abs(a[0] - b[0] - median) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
    changes_[i] = counts(i) ? std::clamp(change - kMinChange, 0, kMaxChange) : 0;
  }
}

void ColorMotion::add(const std::array<uint8_t, 3>& color, float weight) {
  const Between luma = between(color[0], kLuma), blue = between(color[1], kChroma),
                red = between(color[2], kChroma);
  for (int k = 0; k < 8; ++k) {
    const int y = k & 1, b = (k >> 1) & 1, r = k >> 2;
    const float share = (y ? luma.share : 1 - luma.share) * (b ? blue.share : 1 - blue.share) *
                        (r ? red.share : 1 - red.share);
    lines_[static_cast<size_t>(((luma.first + y) * kChromaNodes + blue.first + b) * kChromaNodes + red.first +
                               r)] += weight * share;
  }
}

bool ColorMotion::next(const Picture& picture) {
  Cells now = average(picture);
  lines_.fill(0);
  const bool comparable = before_.width == now.width && before_.height == now.height && now.width > 2;
  if (before_.width != now.width || before_.height != now.height) find_ignored(picture, now);
  if (comparable) {
    find_changes(now);
    for (int y = 1; y + 1 < now.height; ++y)
      for (int x = 1; x + 1 < now.width; ++x) {
        const int i = y * now.width + x;
        const int* here = changes_.data() + i;
        if (*here == 0) continue;
        int neighbours = -1;
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx) neighbours += here[dy * now.width + dx] > 0;
        if (neighbours < kMinNeighbours) continue;
        add(now.colors[i], static_cast<float>(*here));
        add(before_.colors[i], static_cast<float>(*here));
      }
    const float scale = kCellsTold / static_cast<float>(now.colors.size());
    for (float& line : lines_) line = std::log(line * scale + kStill);
  }
  before_ = std::move(now);
  return comparable;
}

}  // namespace vantage
