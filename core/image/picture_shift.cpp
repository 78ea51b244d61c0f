#include "core/image/picture_shift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace vantage {
namespace {

static_assert(ShiftWeights::kOneSquared == 1 << 14);

// A row of samples `step` bytes apart in sums of the horizontal weights.
void weigh_row(const uint8_t* from, int samples, int step, const ShiftWeights& x, int* to) {
  const auto at = [&](int i) { return int{from[std::clamp(i, 0, samples - 1) * step]}; };
  const auto weighed = [&](int i) {
    int sum = 0;
    for (int k = 0; k < 4; ++k) sum += x.weight[k] * at(i + x.first + k);
    return sum;
  };
  const int begin = std::clamp(-x.first, 0, samples), end = std::clamp(samples - x.first - 3, begin, samples);
  for (int i = 0; i < begin; ++i) to[i] = weighed(i);
  for (int i = begin; i < end; ++i) {
    const uint8_t* first = from + static_cast<ptrdiff_t>(i + x.first) * step;
    to[i] = x.weight[0] * first[0] + x.weight[1] * first[step] + x.weight[2] * first[2 * step] +
            x.weight[3] * first[3 * step];
  }
  for (int i = end; i < samples; ++i) to[i] = weighed(i);
}

// One channel of a plane, whose samples are `step` bytes apart.
void shift_channel(const ImageView<const uint8_t>& from, const ImageView<uint8_t>& to, int channel, int step,
                   const PlaneShift& by) {
  const int samples = from.width / step, rows = from.height;
  std::array<std::vector<int>, 4> kept;
  std::array<int, 4> row_of;
  row_of.fill(-1);
  for (std::vector<int>& one : kept) one.resize(static_cast<size_t>(samples));
  for (int y = 0; y < rows; ++y) {
    std::array<const int*, 4> weighed;
    for (int k = 0; k < 4; ++k) {
      const int row = std::clamp(y + by.y.first + k, 0, rows - 1);
      const auto slot = static_cast<size_t>(row % 4);
      if (row_of[slot] != row) {
        weigh_row(from.row(row) + channel, samples, step, by.x, kept[slot].data());
        row_of[slot] = row;
      }
      weighed[static_cast<size_t>(k)] = kept[slot].data();
    }
    uint8_t* out = to.row(y) + channel;
    for (int i = 0; i < samples; ++i)
      out[static_cast<ptrdiff_t>(i) * step] =
          shifted_level(by.y.weight[0] * weighed[0][i] + by.y.weight[1] * weighed[1][i] +
                        by.y.weight[2] * weighed[2][i] + by.y.weight[3] * weighed[3][i]);
  }
}

}  // namespace

ShiftWeights shift_weights(int thirty_seconds) {
  const int whole = thirty_seconds >= 0 ? thirty_seconds / 32 : -((31 - thirty_seconds) / 32);
  const double f = (thirty_seconds - 32 * whole) / 32.0;
  ShiftWeights weights{whole - 1, {}};
  const auto level = [](double weight) { return static_cast<int>(std::lround(ShiftWeights::kOne * weight)); };
  weights.weight[0] = level(f * (-0.5 + f * (1 - 0.5 * f)));
  weights.weight[2] = level(f * (0.5 + f * (2 - 1.5 * f)));
  weights.weight[3] = level(f * f * (-0.5 + 0.5 * f));
  weights.weight[1] = ShiftWeights::kOne - weights.weight[0] - weights.weight[2] - weights.weight[3];
  return weights;
}

PlaneShift plane_shift(const PictureShift& shift, bool chroma) {
  const int scale = chroma ? 1 : 2;
  return {shift_weights(scale * shift.dx_16), shift_weights(scale * shift.dy_16)};
}

Result<Picture> shifted(const Picture& picture, const PictureShift& shift, BufferPool& pool) {
  VANTAGE_ASSIGN(Picture out, Picture::make(picture.format(), pool));
  for (int plane = 0; plane < picture.plane_count(); ++plane) {
    const int step = picture.format().layout == PictureLayout::nv12 && plane == 1 ? 2 : 1;
    for (int channel = 0; channel < step; ++channel)
      shift_channel(picture.plane(plane), out.writable_plane(plane), channel, step,
                    plane_shift(shift, plane > 0));
  }
  return out;
}

}  // namespace vantage
