// Ground truth painted over a picture: a mask is a u8 image of the picture's size in host memory, 255 where a
// person is and 0 elsewhere. Positions are pixels of the picture, whose (0, 0) is the centre of the first.
// Parts outside the picture are left out.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>

#include "core/image/picture.h"

namespace vantage {

inline constexpr uint8_t kInMask = 255;
// Threshold for a grey picture from any program: above it is inside.
inline constexpr uint8_t kMaskThreshold = 127;

// A mask with no one in it.
Result<Image> empty_mask(int width, int height, BufferPool& pool);
// Above kMaskThreshold: kInMask; otherwise 0.
Result<Image> mask_of(const ImageView<const uint8_t>& gray, BufferPool& pool);

// Effect of a tool on the pixels that it meets.
enum class Paint : uint8_t { add, erase };

// The pixels whose centre is within the radius of the line between the positions. A radius below half a pixel
// counts as that: a click always covers one.
void paint_stroke(const ImageView<uint8_t>& mask, const Eigen::Vector2d& from_px,
                  const Eigen::Vector2d& to_px, double radius_px, Paint paint);

// The pixels whose centre is in the closed polygon; where it crosses itself, by the even-odd rule. Fewer than
// three corners: none.
void paint_polygon(const ImageView<uint8_t>& mask, std::span<const Eigen::Vector2d> corners_px, Paint paint);

// The area of equal pixels around the position, joined by their sides: a hole is filled, or one body of
// several is erased. Returns its pixels; 0 where they are as wanted already.
int64_t fill_area(const ImageView<uint8_t>& mask, const Eigen::Vector2d& at_px, Paint paint);

// The pixels around the position, joined by their sides, whose colour is within the tolerance of the mean of
// 3 x 3 pixels there: the distance of red, green and blue, 0 to 442. `rgb`: 3 * width elements a row, of the
// mask's size. `reach_px`: no farther than that from the position along either axis. Returns the pixels.
int64_t grow_by_color(const ImageView<uint8_t>& mask, const ImageView<const uint8_t>& rgb,
                      const Eigen::Vector2d& at_px, double tolerance, int reach_px, Paint paint);

}  // namespace vantage
