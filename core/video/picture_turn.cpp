#include "core/video/picture_turn.h"

extern "C" {
#include <libavutil/frame.h>
}

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace vantage {
namespace {

constexpr int kTile = 32;               // samples: rows and columns of a tile stay in the nearest cache
constexpr double kLargestTilt = 0.035;  // of a quarter turn's other entries: two degrees

}  // namespace

// The matrix takes a stored place (x, y) to (m0 x + m3 y, m1 x + m4 y), y pointing down.
PictureTurn turn_of_matrix(const int32_t* matrix) {
  const auto size = [matrix](int entry) { return std::abs(static_cast<double>(matrix[entry])); };
  const double straight = std::min(size(0), size(4)), crossed = std::min(size(1), size(3));
  const double larger = std::max(straight, crossed), rest = std::min(straight, crossed);
  if (larger <= 0 || rest > kLargestTilt * larger) return {};
  if (crossed > straight) return {true, matrix[1] < 0, matrix[3] < 0};
  return {false, matrix[0] < 0, matrix[4] < 0};
}

PictureTurn turn_of(const AVFrame& frame) {
  const AVFrameSideData* data = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
  std::array<int32_t, 9> matrix{};
  if (!data || data->size < sizeof matrix) return {};
  std::memcpy(matrix.data(), data->data, sizeof matrix);
  return turn_of_matrix(matrix.data());
}

std::string turn_text(PictureTurn turn) {
  if (!turn) return {};
  if (!turn.swap_axes) {
    if (turn.mirror_x && turn.mirror_y) return "rotated by 180 degrees";
    return turn.mirror_x ? "mirrored left to right" : "mirrored top to bottom";
  }
  if (turn.mirror_x == turn.mirror_y)
    return std::string("rotated by ") + (turn.mirror_x ? "270" : "90") +
           " degrees clockwise and mirrored left to right";
  return std::string("rotated by ") + (turn.mirror_y ? "90" : "270") + " degrees clockwise";
}

void turn_plane(PictureTurn turn, const uint8_t* from, ptrdiff_t from_stride_bytes,
                const ImageView<uint8_t>& to) {
  const TurnedWalk walk = turned_walk(turn, to.width, to.height, from_stride_bytes);
  from += walk.start;
  for (int top = 0; top < to.height; top += kTile)
    for (int left = 0; left < to.width; left += kTile)
      for (int y = top; y < std::min(top + kTile, to.height); ++y) {
        const uint8_t* row = from + y * walk.down;
        uint8_t* target = to.row(y);
        for (int x = left; x < std::min(left + kTile, to.width); ++x) target[x] = row[x * walk.right];
      }
}

Result<Picture> turned_picture(PictureTurn turn, const Picture& stored, BufferPool& pool) {
  VANTAGE_ASSIGN(Picture upright, Picture::make(turned_format(stored.format(), turn), pool));
  for (int p = 0; p < upright.plane_count(); ++p) {
    const ImageView<const uint8_t> plane = stored.plane(p);
    turn_plane(turn, plane.data, static_cast<ptrdiff_t>(plane.stride_bytes), upright.writable_plane(p));
  }
  return upright;
}

}  // namespace vantage
