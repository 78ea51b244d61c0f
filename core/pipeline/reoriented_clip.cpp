#include "core/pipeline/reoriented_clip.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/hash.h"
#include "core/pipeline/background.h"

namespace vantage {
namespace {

// For each pixel after the turn, its position before the turn.
struct PixelMap {
  int width = 0, height = 0;
  std::vector<Eigen::Vector2f> from_px;  // row by row
  std::vector<uint8_t> shown;            // 0: not visible
  size_t at(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
  }
};

PixelMap map_pixels(const Camera& from, const Camera& to) {
  PixelMap map{to.width_px(), to.height_px(), {}, {}};
  map.from_px.resize(map.at(0, map.height));
  map.shown.resize(map.from_px.size());
  tbb::parallel_for(0, map.height, [&](int y) {
    for (int x = 0; x < map.width; ++x) {
      const std::optional<Ray> ray = to.ray({x, y});
      std::optional<Eigen::Vector2d> pixel;
      if (ray) pixel = from.project(from.center_in_world_m() + ray->direction_in_world);
      map.shown[map.at(x, y)] = pixel && pixel->x() >= -0.5 && pixel->y() >= -0.5 &&
                                pixel->x() <= map.width - 0.5 && pixel->y() <= map.height - 0.5;
      map.from_px[map.at(x, y)] = pixel.value_or(Eigen::Vector2d(x, y)).cast<float>();
    }
  });
  return map;
}

Result<Image> unseen_blocks(const PixelMap& map) {
  VANTAGE_ASSIGN(Image unseen,
                 Image::make(ImageType::u8, (map.width + 1) / 2, (map.height + 1) / 2, HostPool::shared()));
  const ImageView<uint8_t> out = unseen.writable_view<uint8_t>();
  for (int y = 0; y < out.height; ++y) std::fill_n(out.row(y), out.width, uint8_t{0});
  for (int y = 0; y < map.height; ++y)
    for (int x = 0; x < map.width; ++x)
      if (map.shown[map.at(x, y)] == 0) out.row(y / 2)[x / 2] = 255;
  return unseen;
}

// Bilinear interpolation; the nearest pixels at and beyond the border.
uint8_t sample(const ImageView<const uint8_t>& plane, float x, float y) {
  x = std::clamp(x, 0.0f, static_cast<float>(plane.width - 1));
  y = std::clamp(y, 0.0f, static_cast<float>(plane.height - 1));
  const int left = static_cast<int>(x), top = static_cast<int>(y);
  const int right = std::min(left + 1, plane.width - 1), bottom = std::min(top + 1, plane.height - 1);
  const float u = x - static_cast<float>(left), v = y - static_cast<float>(top);
  const auto row = [&](int at) {
    return (1 - u) * static_cast<float>(plane.row(at)[left]) + u * static_cast<float>(plane.row(at)[right]);
  };
  return static_cast<uint8_t>((1 - v) * row(top) + v * row(bottom) + 0.5f);
}

Result<Picture> turned(const Picture& picture, const PixelMap& map) {
  VANTAGE_ASSIGN(const Picture from, as_i420(picture));
  VANTAGE_ASSIGN(Picture out, Picture::make(from.format(), HostPool::shared()));
  const ImageView<uint8_t> luma = out.writable_plane(0);
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x) {
      const Eigen::Vector2f& at = map.from_px[map.at(x, y)];
      luma.row(y)[x] = sample(from.plane(0), at.x(), at.y());
    }
  // A chroma sample is in the middle of four pixels.
  for (const int plane : {1, 2}) {
    const ImageView<uint8_t> chroma = out.writable_plane(plane);
    for (int y = 0; y < chroma.height; ++y)
      for (int x = 0; x < chroma.width; ++x) {
        const int right = std::min(2 * x + 1, map.width - 1), bottom = std::min(2 * y + 1, map.height - 1);
        const Eigen::Vector2f middle =
            (map.from_px[map.at(2 * x, 2 * y)] + map.from_px[map.at(right, bottom)]) / 2;
        chroma.row(y)[x] = sample(from.plane(plane), (middle.x() - 0.5f) / 2, (middle.y() - 0.5f) / 2);
      }
  }
  return out;
}

class TurnedSource final : public VideoSource {
 public:
  TurnedSource(std::unique_ptr<VideoSource> clip, PixelMap map, uint64_t hash)
      : clip_(std::move(clip)), map_(std::move(map)), hash_(hash) {}

  VideoInfo info() const override { return clip_->info(); }
  Result<DecodedFrame> read() override {
    VANTAGE_ASSIGN(DecodedFrame frame, clip_->read());
    if (!frame.picture) return frame;
    VANTAGE_ASSIGN(frame.picture, turned(frame.picture, map_));
    return frame;
  }
  Status seek(int64_t index) override { return clip_->seek(index); }
  int64_t start_before(int64_t index) const override { return clip_->start_before(index); }
  Result<int64_t> wait_for_frame_count(const StopSource& stop) override {
    return clip_->wait_for_frame_count(stop);
  }
  std::vector<std::pair<int64_t, std::string>> problems() const override { return clip_->problems(); }
  uint64_t content_hash() const override { return Hasher().add(clip_->content_hash()).add(hash_).value(); }

 private:
  const std::unique_ptr<VideoSource> clip_;
  const PixelMap map_;
  const uint64_t hash_;
};

}  // namespace

Result<ReorientedClip> turn_clip(std::unique_ptr<VideoSource> clip, const Camera& from, const Camera& to) {
  PixelMap map = map_pixels(from, to);
  ReorientedClip made;
  VANTAGE_ASSIGN(made.unseen, unseen_blocks(map));
  Hasher hasher;
  for (const Eigen::Vector2f& pixel : map.from_px) hasher.add(pixel.x()).add(pixel.y());
  const uint64_t hash = hasher.value();
  made.clip = std::make_unique<TurnedSource>(std::move(clip), std::move(map), hash);
  return made;
}

}  // namespace vantage
