// How stored pictures are turned to stand upright. Phones store them as the sensor lies and state next to
// them how they are shown: the display matrix of MP4 and QuickTime, the display orientation of H.264 and
// HEVC, Exif in JPEG. Whatever opens a picture delivers it upright, and every size is that of upright
// pictures.
//
// The container's statement counts, without one that of the stream's first picture (FrameDecoder). Turns by
// quarters and mirrored ones; other angles are left alone. Planes are turned one by one without
// interpolation, as FFmpeg's transpose and flip do, chroma with its own size.
//
// Plain data and functions up to the line: .cu files include this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/image/picture.h"

struct AVFrame;

namespace vantage {

struct PictureTurn {
  bool swap_axes = false;                   // rows become columns
  bool mirror_x = false, mirror_y = false;  // along the axes of the stored picture
  constexpr explicit operator bool() const { return swap_axes || mirror_x || mirror_y; }
  bool operator==(const PictureTurn&) const = default;
};

// The same picture's format upright, and the other way round.
constexpr PictureFormat turned_format(PictureFormat format, PictureTurn turn) {
  if (!turn.swap_axes) return format;
  const int width = format.width;
  format.width = format.height;
  format.height = width;
  return format;
}

// The position of sample (x, y) of an upright plane in the stored one: start + x * right + y * down, counted
// in samples and rows of `row` samples. `width`, `height`: of the upright plane.
struct TurnedWalk {
  ptrdiff_t start, right, down;
};
constexpr TurnedWalk turned_walk(PictureTurn turn, int width, int height, ptrdiff_t row) {
  const ptrdiff_t stored_width = turn.swap_axes ? height : width, rows = turn.swap_axes ? width : height;
  const ptrdiff_t along = turn.mirror_x ? -1 : 1, across = turn.mirror_y ? -row : row;
  return {(turn.mirror_x ? stored_width - 1 : 0) + (turn.mirror_y ? (rows - 1) * row : 0),
          turn.swap_axes ? across : along, turn.swap_axes ? along : across};
}

// ---- Not for .cu files ----

// The turn of a display matrix as FFmpeg gives it: nine numbers, of which the first, second, fourth and fifth
// turn.
PictureTurn turn_of_matrix(const int32_t* matrix);
// As the frame states it; upright where it states nothing.
PictureTurn turn_of(const AVFrame& frame);

// "rotated by 90 degrees clockwise"; empty when nothing is turned.
std::string turn_text(PictureTurn turn);

// Fills an upright plane. `from`: the stored plane, one byte a sample.
void turn_plane(PictureTurn turn, const uint8_t* from, ptrdiff_t from_stride_bytes,
                const ImageView<uint8_t>& to);
// Turns an I420 picture in host memory.
Result<Picture> turned_picture(PictureTurn turn, const Picture& stored, BufferPool& pool);

}  // namespace vantage
