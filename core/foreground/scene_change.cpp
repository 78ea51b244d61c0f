#include "core/foreground/scene_change.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/foreground/foreground.h"
#include "core/foreground/light_gains.h"
#include "core/foreground/surface_tolerance.h"

namespace vantage {
namespace {

constexpr uint8_t kSteadyShare = 230;  // of 255 pictures
constexpr size_t kBlocksPerMoved = 200;

Result<Picture> mean_of(const LearntScene& scene) {
  VANTAGE_ASSIGN(Picture mean, Picture::make(scene.dark.format(), HostPool::shared()));
  for (const int plane : {0, 1, 2}) {
    const ImageView<uint8_t> out = mean.writable_plane(plane);
    for (int y = 0; y < out.height; ++y) {
      const uint8_t *dark = scene.dark.plane(plane).row(y), *bright = scene.bright.plane(plane).row(y);
      for (int x = 0; x < out.width; ++x) out.row(y)[x] = static_cast<uint8_t>((dark[x] + bright[x] + 1) / 2);
    }
  }
  return mean;
}

Result<Picture> in_light(const Picture& picture, const FrameLight& light) {
  VANTAGE_ASSIGN(Picture out, Picture::make(picture.format(), HostPool::shared()));
  const auto level = [](float value) {
    return static_cast<uint8_t>(std::clamp(std::floor(value + 0.5f), 0.0f, 255.0f));
  };
  const ImageView<uint8_t> luma = out.writable_plane(0);
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x)
      luma.row(y)[x] =
          level(in_learnt_light(static_cast<float>(picture.plane(0).row(y)[x]), light.black, light));
  for (const int plane : {1, 2}) {
    const ImageView<uint8_t> chroma = out.writable_plane(plane);
    for (int y = 0; y < chroma.height; ++y)
      for (int x = 0; x < chroma.width; ++x) {
        const float shown =
            balanced(static_cast<float>(picture.plane(plane).row(y)[x]),
                     block_luma(picture.plane(0), x, y) - light.black, light.balance[plane - 1]);
        chroma.row(y)[x] = level(in_learnt_light(shown, 128.0f, light));
      }
  }
  return out;
}

// Blocks that show another colour, in regions.
class ChangedRegions {
 public:
  ChangedRegions(const Picture& clip, const Picture& recording)
      : columns_((clip.width() + 1) / 2), rows_((clip.height() + 1) / 2) {
    free_.resize(static_cast<size_t>(columns_) * static_cast<size_t>(rows_));
    for (int y = 0; y < rows_; ++y)
      for (int x = 0; x < columns_; ++x) {
        const auto chroma = [&](int plane) {
          return static_cast<float>(recording.plane(plane).row(y)[x]) -
                 static_cast<float>(clip.plane(plane).row(y)[x]);
        };
        free_[index(x, y)] = !same_surface(
            block_luma(recording.plane(0), x, y) - block_luma(clip.plane(0), x, y), chroma(1), chroma(2));
      }
  }

  // The blocks of the next region; none: there is no further one.
  std::vector<size_t> next() {
    std::vector<size_t> region;
    while (start_ < free_.size() && !free_[start_]) ++start_;
    if (start_ == free_.size()) return region;
    take(start_, region);
    for (size_t i = 0; i < region.size(); ++i) {
      const int column = static_cast<int>(region[i]) % columns_, row = static_cast<int>(region[i]) / columns_;
      for (int y = std::max(0, row - kChangeReach); y <= std::min(rows_ - 1, row + kChangeReach); ++y)
        for (int x = std::max(0, column - kChangeReach); x <= std::min(columns_ - 1, column + kChangeReach);
             ++x)
          if (free_[index(x, y)]) take(index(x, y), region);
    }
    return region;
  }

 private:
  size_t index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(columns_) + static_cast<size_t>(x);
  }
  void take(size_t block, std::vector<size_t>& region) {
    free_[block] = false;
    region.push_back(block);
  }

  int columns_, rows_;
  std::vector<bool> free_;  // changed, and in no region yet
  size_t start_ = 0;
};

bool is_thing(const std::vector<size_t>& region, const ImageView<const uint8_t>& seen) {
  if (region.size() < kMinChangeBlocks) return false;
  const auto width = static_cast<size_t>(seen.width);
  const auto moved = std::count_if(region.begin(), region.end(), [&](size_t block) {
    return seen.row(static_cast<int>(block / width))[block % width] < kSteadyShare;
  });
  return static_cast<size_t>(moved) * kBlocksPerMoved <= region.size();
}

}  // namespace

Result<SceneChange> find_scene_change(const LearntScene& clip, const LearntScene& recording,
                                      const Image& unseen, bool only_unseen) {
  if (clip.dark.format() != recording.dark.format())
    return fail(ErrorKind::invalid_argument, "the empty-scene clip and the recording differ in format");
  VANTAGE_ASSIGN(const Picture before, mean_of(clip));
  VANTAGE_ASSIGN(Picture after, mean_of(recording));
  const FrameLight light = frame_light(black_level(before.format()), light_between(after, before), 1);
  VANTAGE_ASSIGN(after, in_light(after, light));
  SceneChange change;
  const ImageView<const uint8_t> seen = recording.seen.view<uint8_t>();
  VANTAGE_ASSIGN(change.things, Image::make(ImageType::u8, seen.width, seen.height, HostPool::shared()));
  const ImageView<uint8_t> things = change.things.writable_view<uint8_t>();
  for (int y = 0; y < things.height; ++y) std::fill_n(things.row(y), things.width, uint8_t{0});
  ChangedRegions regions(before, after);
  for (std::vector<size_t> region = regions.next(); !only_unseen && !region.empty();
       region = regions.next()) {
    if (!is_thing(region, seen)) continue;
    const auto width = static_cast<size_t>(seen.width);
    for (const size_t block : region) things.row(static_cast<int>(block / width))[block % width] = 255;
  }
  size_t blocks = 0;
  for (int y = 0; y < things.height; ++y)
    for (int x = 0; x < things.width; ++x) {
      if (unseen && unseen.view<uint8_t>().row(y)[x] != 0) things.row(y)[x] = 255;
      if (things.row(y)[x] != 0) ++blocks;
    }
  change.share = static_cast<double>(blocks) / (static_cast<double>(seen.width) * seen.height);
  if (blocks == 0) return change;
  VANTAGE_ASSIGN(change.dark, in_light(recording.dark, light));
  VANTAGE_ASSIGN(change.bright, in_light(recording.bright, light));
  return change;
}

Result<Picture> with_change(const Picture& picture, const SceneChange& change, int64_t index) {
  const Picture& surface = index % 2 == 0 ? change.dark : change.bright;
  const ImageView<const uint8_t> things = change.things.view<uint8_t>();
  VANTAGE_ASSIGN(Picture out, Picture::make(picture.format(), HostPool::shared()));
  for (const int plane : {0, 1, 2}) {
    const ImageView<uint8_t> to = out.writable_plane(plane);
    const int shift = plane == 0 ? 1 : 0;
    for (int y = 0; y < to.height; ++y) {
      const uint8_t *from = picture.plane(plane).row(y), *changed = surface.plane(plane).row(y),
                    *thing = things.row(y >> shift);
      for (int x = 0; x < to.width; ++x) to.row(y)[x] = thing[x >> shift] != 0 ? changed[x] : from[x];
    }
  }
  return out;
}

namespace {

constexpr float kLargestSceneChange = 4;

}  // namespace

LightGains light_between(const Picture& picture, const Picture& reference) {
  const float black = black_level(reference.format());
  std::array<uint32_t, size_t{kLightChannels} * kLightBins> histograms{};
  for (int y = 0; y < picture.height() / 2; y += 2)
    for (int x = 0; x < picture.width() / 2; x += 2) {
      const float luma = block_luma(picture.plane(0), x, y) - black,
                  expected = block_luma(reference.plane(0), x, y) - black;
      const int bin = light_bin(4 * luma, 4 * expected);
      if (bin < 0) continue;
      ++histograms[kBrightness * kLightBins + bin];
      for (const LightChannel channel : {kBlue, kRed}) {
        const int plane = channel == kBlue ? 1 : 2;
        const int its = balance_bin(luma, static_cast<float>(picture.plane(plane).row(y)[x]) - 128, expected,
                                    static_cast<float>(reference.plane(plane).row(y)[x]) - 128,
                                    1 / (channel == kBlue ? kBlueShare : kRedShare));
        if (its >= 0) ++histograms[channel * kLightBins + its];
      }
    }
  return light_gains(histograms, kLargestSceneChange);
}

}  // namespace vantage
