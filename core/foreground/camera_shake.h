// Shake of a camera: the offset of the scene in a picture from its position at rest, as wind, steps and
// traffic move cameras by some pixels. Turned by so little, a camera sees all of the scene move alike.
//
// On luma, reduced to about kWidth_px: the displacement that explains the picture best by the one at rest,
// over tiles (B. Lucas, T. Kanade, "An iterative image registration technique", 1981, with the gradients of
// the picture at rest: S. Baker, I. Matthews, IJCV 2004), from coarse to fine. Each tile has a brightness and
// a contrast of its own, so that light may change. A tile that differs more than others, as where people are,
// counts less: 1 / (1 + (its squared difference / the tiles' median)^2).
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/byte_stream.h"
#include "core/base/result.h"
#include "core/image/picture.h"

namespace vantage {

// Shift of the scene to the right and down from rest, in pixels of the picture.
struct SceneOffset {
  double x_px = 0, y_px = 0;
};
inline double length_px(const SceneOffset& offset) {
  return std::hypot(offset.x_px, offset.y_px);
}

class RestView {
 public:
  static constexpr int kWidth_px = 320;
  // Offsets beyond so many reduced pixels are not a shake: the camera was moved.
  static constexpr double kReach_px = 8;
  // Pictures are reduced by this factor.
  static int factor_of(int width_px);

  // Makes a view of reduced luma, in host memory. Copies it.
  RestView(const ImageView<const uint8_t>& luma, int factor);
  ~RestView();
  RestView(const RestView&) = delete;
  RestView& operator=(const RestView&) = delete;

  // The offset of reduced luma of the same size. Nothing: inconclusive, with too little texture, the scene
  // too far away, or no offset that explains it better than none. Thread-safe.
  std::optional<SceneOffset> find(const ImageView<const uint8_t>& luma) const;

  int factor() const { return factor_; }
  size_t size_bytes() const;
  void write(ByteWriter* to) const;
  // Errors: bad_data.
  static Result<std::shared_ptr<const RestView>> read(ByteReader* from);

 private:
  struct Level;
  const int factor_;
  int width_ = 0, height_ = 0;
  std::vector<uint8_t> luma_;
  std::vector<Level> levels_;  // from fine to coarse
};

// Result for pictures in host memory: the view at rest, that of the picture with the median offset, and each
// picture's offset from it; nothing if inconclusive. Null: too few are conclusive.
struct ShakenView {
  std::shared_ptr<const RestView> rest;
  std::vector<std::optional<SceneOffset>> offsets;
  double largest_px = 0;
};
Result<ShakenView> find_shake(std::span<const Picture> pictures);

// Offsets below kStill_px are left in pictures; a camera whose offsets never reach kShakes_px does not shake.
inline constexpr double kStill_px = 0.2, kShakes_px = 0.75;

// Shift back to rest; nothing: the picture is unchanged.
inline std::optional<PictureShift> way_back(const std::optional<SceneOffset>& offset) {
  if (!offset || length_px(*offset) < kStill_px) return std::nullopt;
  return PictureShift{static_cast<int>(std::lround(16 * offset->x_px)),
                      static_cast<int>(std::lround(16 * offset->y_px))};
}

}  // namespace vantage
