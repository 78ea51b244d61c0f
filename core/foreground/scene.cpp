#include "core/foreground/scene.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "core/foreground/foreground.h"
#include "core/foreground/scene_agreement.h"
#include "core/foreground/scene_change.h"

namespace vantage {
namespace {

constexpr int kMax = kMaxScenePictures;
constexpr int kRowsPerTask = 4;  // of blocks

double mean_luma(const Picture& picture) {
  const ImageView<const uint8_t> luma = picture.plane(0);
  int64_t sum = 0, count = 0;
  for (int y = 0; y < luma.height; y += 4)
    for (int x = 0; x < luma.width; x += 4) sum += luma.row(y)[x], ++count;
  return static_cast<double>(sum) / static_cast<double>(std::max<int64_t>(count, 1));
}

size_t reference_of(const std::vector<SceneSample>& samples) {
  std::vector<std::pair<double, size_t>> brightness;
  for (size_t i = 0; i < samples.size(); ++i) brightness.emplace_back(mean_luma(samples[i].picture), i);
  std::sort(brightness.begin(), brightness.end());
  return brightness[brightness.size() / 2].second;
}

// Sums for each sample of a row over the pictures that show the scene there: their number, the first value,
// and the sums of differences from it and of their squares.
class RowSums {
 public:
  explicit RowSums(int samples)
      : samples_(samples),
        shown_(static_cast<size_t>(samples)),
        first_(shown_),
        sum_(shown_),
        squares_(shown_) {}

  void add(const std::vector<float>& values, const std::vector<int32_t>& shows) {
    const float* const value = values.data();
    const int32_t* const show = shows.data();
    float *const shown = shown_.data(), *const first = first_.data();
    float *const sum = sum_.data(), *const squares = squares_.data();
    for (int x = 0; x < samples_; ++x) {
      const bool in = show[x] != 0, is_first = in & (shown[x] == 0.0f);
      const float from = is_first ? value[x] : first[x], above = value[x] - from;
      first[x] = from;
      sum[x] = in ? sum[x] + above : sum[x];
      squares[x] = in ? squares[x] + above * above : squares[x];
      shown[x] = in ? shown[x] + 1.0f : shown[x];
    }
  }

  // The mean less and plus the deviation.
  void write(uint8_t* dark, uint8_t* bright) const {
    const auto level = [](float value) {
      return static_cast<uint8_t>(std::clamp(std::floor(value + 0.5f), 0.0f, 255.0f));
    };
    for (int x = 0; x < samples_; ++x) {
      const auto i = static_cast<size_t>(x);
      const float apart = sum_[i] / shown_[i];
      const float deviation = std::sqrt(std::max(0.0f, squares_[i] / shown_[i] - apart * apart));
      dark[x] = level(first_[i] + apart - deviation);
      bright[x] = level(first_[i] + apart + deviation);
    }
  }

 private:
  int samples_;
  std::vector<float> shown_, first_, sum_, squares_;
};

class SceneLearner {
 public:
  SceneLearner(const std::vector<SceneSample>& samples, const StopSource& stop)
      : samples_(samples), stop_(stop), count_(static_cast<int>(samples.size())) {}

  Result<LearntScene> learn() {
    const PictureFormat format = samples_[0].picture.format();
    VANTAGE_ASSIGN(scene_.dark, Picture::make(format, HostPool::shared()));
    VANTAGE_ASSIGN(scene_.bright, Picture::make(format, HostPool::shared()));
    const int columns = (format.width + 1) / 2, rows = (format.height + 1) / 2;
    VANTAGE_ASSIGN(scene_.seen, Image::make(ImageType::u8, columns, rows, HostPool::shared()));
    scene_.pictures = count_;
    find_light();
    const auto length =
        static_cast<float>(std::max<int64_t>(1, samples_.back().frame - samples_.front().frame));
    for (int i = 0; i < count_; ++i)
      times_[i] = static_cast<float>(samples_[i].frame - samples_[0].frame) / length;
    std::vector<SceneModes> blocks(static_cast<size_t>(columns) * static_cast<size_t>(rows));
    VANTAGE_TRY(for_each_row([&](int row) { find_modes(row, &blocks[row_index(row)]); }));
    VANTAGE_TRY(choose_by_agreement(blocks, columns, stop_));
    VANTAGE_TRY(for_each_row([&](int row) { learn_row(row, &blocks[row_index(row)]); }));
    return std::move(scene_);
  }

 private:
  void find_light() {
    const Picture& reference = samples_[reference_of(samples_)].picture;
    black_ = black_level(reference.format());
    light_.resize(samples_.size());
    tbb::parallel_for(size_t{0}, samples_.size(), [&](size_t i) {
      const Picture& picture = samples_[i].picture;
      light_[i] = frame_light(black_, light_between(picture, reference), 1);
    });
    for (const FrameLight& light : light_) scene_.light.push_back(light.gain);
  }

  float luma_in_reference(int i, float value) const { return in_learnt_light(value, black_, light_[i]); }

  template <typename Work>
  Status for_each_row(const Work& work) const {
    const int rows = scene_.seen.height();
    tbb::parallel_for(tbb::blocked_range<int>(0, rows, kRowsPerTask), [&](const auto& range) {
      for (int row = range.begin(); row < range.end() && !stop_.stop_requested(); ++row) work(row);
    });
    if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    return {};
  }
  size_t row_index(int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(scene_.seen.width());
  }
  const uint8_t* row_of(int i, int plane, int y) const { return samples_[i].picture.plane(plane).row(y); }
  float shown_luma(int i, int column, int row) const {
    return block_luma(samples_[i].picture.plane(0), column, row);
  }
  float luma_of(int i, int column, int row) const { return luma_in_reference(i, shown_luma(i, column, row)); }
  float block_chroma(int i, int plane, int column, int row) const {
    const FrameLight& light = light_[i];
    const auto shown = static_cast<float>(row_of(i, plane, row)[column]);
    return in_learnt_light(balanced(shown, shown_luma(i, column, row) - black_, light.balance[plane - 1]),
                           128.0f, light);
  }
  void find_modes(int row, SceneModes* blocks) const {
    BlockModes modes(times_, count_);
    float y[kMax], cb[kMax], cr[kMax];
    for (int column = 0; column < scene_.seen.width(); ++column) {
      for (int i = 0; i < count_; ++i) {
        y[i] = luma_of(i, column, row);
        cb[i] = block_chroma(i, 1, column, row), cr[i] = block_chroma(i, 2, column, row);
      }
      blocks[column] = modes.find(y, cb, cr);
    }
  }

  // Picture by picture, so that the rows' samples are read and summed side by side.
  void learn_row(int row, const SceneModes* blocks) {
    const PictureFormat& format = scene_.dark.format();
    const int columns = scene_.seen.width(), width = format.width;
    const int lumas = std::min(2, format.height - 2 * row);
    std::vector<int32_t> shows(static_cast<size_t>(columns)), luma_shows(static_cast<size_t>(width));
    std::vector<float> values(static_cast<size_t>(width));
    std::array<RowSums, 4> sums = {RowSums(width), RowSums(width), RowSums(columns), RowSums(columns)};
    for (int i = 0; i < count_; ++i) {
      for (int x = 0; x < columns; ++x) shows[x] = holds(blocks[x].chosen.shown, i);
      for (int u = 0; u < width; ++u) luma_shows[u] = shows[u / 2];
      for (int k = 0; k < lumas; ++k) {
        const uint8_t* const from = row_of(i, 0, 2 * row + k);
        for (int u = 0; u < width; ++u) values[u] = luma_in_reference(i, static_cast<float>(from[u]));
        sums[k].add(values, luma_shows);
      }
      for (const int plane : {1, 2}) {
        for (int x = 0; x < columns; ++x) values[x] = block_chroma(i, plane, x, row);
        sums[plane + 1].add(values, shows);
      }
    }
    uint8_t* seen = scene_.seen.writable_view<uint8_t>().row(row);
    for (int x = 0; x < columns; ++x) {
      const ScenePictures& shown = blocks[x].chosen.shown;
      const int pictures = std::popcount(shown[0]) + std::popcount(shown[1]);
      seen[x] = static_cast<uint8_t>((255 * pictures + count_ / 2) / count_);
    }
    for (int k = 0; k < lumas; ++k) write(sums[k], 0, 2 * row + k);
    for (const int plane : {1, 2}) write(sums[plane + 1], plane, row);
  }

  void write(const RowSums& sums, int plane, int y) {
    sums.write(scene_.dark.writable_plane(plane).row(y), scene_.bright.writable_plane(plane).row(y));
  }

  const std::vector<SceneSample>& samples_;
  const StopSource& stop_;
  int count_;
  float black_ = 16;
  std::vector<FrameLight> light_;
  float times_[kMax] = {};
  LearntScene scene_;
};

}  // namespace

double seldom_seen_share(const LearntScene& scene, const IgnoredRegions& ignored) {
  const ImageView<const uint8_t> seen = scene.seen.view<uint8_t>();
  const IgnoredPixels skipped(ignored, 2 * seen.width, 2 * seen.height);
  int64_t seldom = 0;
  for (int y = 0; y < seen.height; ++y)
    for (int x = 0; x < seen.width; ++x) seldom += seen.at(x, y) < 128 && !skipped.at(2 * x, 2 * y);
  return static_cast<double>(seldom) / (static_cast<double>(seen.width) * seen.height);
}

Result<LearntScene> learn_scene(const std::vector<SceneSample>& samples, const StopSource& stop) {
  if (samples.size() < kMinScenePictures || samples.size() > kMaxScenePictures)
    return fail(ErrorKind::invalid_argument, "a scene is learnt from " + std::to_string(kMinScenePictures) +
                                                 " to " + std::to_string(kMaxScenePictures) + " pictures");
  for (const SceneSample& sample : samples)
    if (!sample.picture || sample.picture.place().kind != MemoryKind::host ||
        sample.picture.format() != samples[0].picture.format() ||
        sample.picture.format().layout != PictureLayout::i420)
      return fail(ErrorKind::invalid_argument, "the pictures of a scene differ in size or layout");
  return SceneLearner(samples, stop).learn();
}

}  // namespace vantage
