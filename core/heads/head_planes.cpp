#include "core/heads/head_planes.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/heads/detail/head_rows.h"
#include "core/heads/head_window.h"

namespace vantage {
namespace {

constexpr int kStripRows = 48;

struct Strip {
  const HeadLevel* level;
  int begin, end;  // rows
};

std::vector<Strip> strips_of(const HeadSearch& search) {
  std::vector<Strip> strips;
  for (const HeadLevel& level : search.levels)
    for (int y = level.first_row; y < level.end_row; y += kStripRows)
      strips.push_back({&level, y, std::min(y + kStripRows, level.end_row)});
  return strips;
}

template <class Function>
void for_each_strip(const std::vector<Strip>& strips, const Function& function) {
  tbb::parallel_for(size_t{0}, strips.size(), [&](size_t i) { function(strips[i]); });
}

// Block sums of a strip's rows and of those below that its codes reach.
class BlockSums {
 public:
  BlockSums(const uint8_t* pixels, const HeadLevel& level, int begin, int end)
      : first_(begin), stride_(level.stride) {
    // Codes of block size b reach 2b rows below their own; a sum of size 4 or 6 two or four more of size 2.
    const int rows2 = std::max(0, std::min(end + 16, level.height - 1) - begin), width = level.width;
    twos_.resize(static_cast<size_t>(rows2) * stride_);
    for (int r = 0; r < rows2; ++r) {
      const uint8_t* upper = pixels + static_cast<size_t>(begin + r) * level.stride;
      heads::sum_pixels(upper, upper + level.stride, row(&twos_, r), width - 1);
    }
    combine(2, std::min(end + 8, level.height - 3) - begin, width - 3, &fours_);
    combine(3, std::min(end + 12, level.height - 5) - begin, width - 5, &sixes_);
  }
  const uint16_t* row(int block, int y) const {
    const std::vector<uint16_t>& sums = block == 2 ? twos_ : block == 4 ? fours_ : sixes_;
    return sums.data() + static_cast<size_t>(y - first_) * stride_;
  }

 private:
  uint16_t* row(std::vector<uint16_t>* sums, int r) const {
    return sums->data() + static_cast<size_t>(r) * stride_;
  }
  void combine(int parts, int rows, int width, std::vector<uint16_t>* out) {
    out->resize(static_cast<size_t>(std::max(0, rows)) * stride_);
    for (int r = 0; r < rows; ++r) {
      const uint16_t* in[3] = {};
      for (int i = 0; i < parts; ++i) in[i] = row(&twos_, r + 2 * i);
      heads::sum_blocks(in, parts, row(out, r), width);
    }
  }

  int first_;
  size_t stride_;
  std::vector<uint16_t> twos_, fours_, sixes_;
};

}  // namespace

void HeadPlanes::build(ImageView<const uint8_t> luma, const HeadSearch& search) {
  luma_ = luma;
  if (search.turn.turned()) turn(luma, search.turn);
  plane_bytes_ = search.level_bytes;
  octaves_.resize(search.octave_bytes + 160);
  levels_.resize(search.level_bytes + 160);
  codes_.resize(kHeadBlockCount * plane_bytes_ + 160);
  build_octaves(search);
  const std::vector<Strip> strips = strips_of(search);
  for_each_strip(strips,
                 [&](const Strip& strip) { build_level_rows(search, *strip.level, strip.begin, strip.end); });
  for_each_strip(strips, [&](const Strip& strip) { build_code_rows(*strip.level, strip.begin, strip.end); });
}

void HeadPlanes::turn(ImageView<const uint8_t> picture, const HeadTurn& turn) {
  const size_t stride = static_cast<size_t>(turn.width) + 160;
  turned_.resize(stride * static_cast<size_t>(turn.height));
  tbb::parallel_for(0, turn.height, [&](int y) {
    uint8_t* out = turned_.data() + static_cast<size_t>(y) * stride;
    for (int x = 0; x < turn.width; ++x)
      out[x] = heads::turned_pixel(turn, picture.data, static_cast<int64_t>(picture.stride_bytes), x, y);
  });
  luma_ = {turned_.data(), turn.width, turn.height, stride};
}

void HeadPlanes::build_octaves(const HeadSearch& search) {
  const uint8_t* from = luma_.data;
  size_t from_stride = luma_.stride_bytes;
  for (size_t o = 1; o < search.octaves.size(); ++o) {
    const HeadOctave& octave = search.octaves[o];
    uint8_t* to = octaves_.data() + octave.offset;
    tbb::parallel_for(0, octave.height, [&](int y) {
      const uint8_t *upper = from + static_cast<size_t>(2 * y) * from_stride, *lower = upper + from_stride;
      uint8_t* out = to + static_cast<size_t>(y) * octave.stride;
      for (int x = 0; x < octave.width; ++x)
        out[x] = static_cast<uint8_t>(
            (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1] + 2) >> 2);
    });
    from = to;
    from_stride = octave.stride;
  }
}

void HeadPlanes::build_level_rows(const HeadSearch& search, const HeadLevel& level, int begin, int end) {
  const HeadOctave& octave = search.octaves[level.octave];
  const bool picture = level.octave == 0;
  const uint8_t* from = picture ? luma_.data : octaves_.data() + octave.offset;
  const auto stride = static_cast<int64_t>(picture ? luma_.stride_bytes : octave.stride);
  for (int y = begin; y < end; ++y) {
    uint8_t* out = levels_.data() + level.offset + static_cast<size_t>(y) * level.stride;
    if (level.step == 65536) {
      std::copy_n(from + y * stride, level.width, out);
      continue;
    }
    for (int x = 0; x < level.width; ++x)
      out[x] = heads::level_pixel(from, stride, octave.width, octave.height, level.step, x, y);
  }
}

void HeadPlanes::build_code_rows(const HeadLevel& level, int begin, int end) {
  const uint8_t* pixels = levels_.data() + level.offset;
  const BlockSums sums(pixels, level, begin, std::min(end, level.end_row));
  for (int i = 0; i < kHeadBlockCount; ++i) {
    const int block = kHeadBlocks[i], last = std::min(end, level.end_row - 3 * block + 1);
    uint8_t* plane = codes_.data() + static_cast<size_t>(i) * plane_bytes_ + level.offset;
    for (int y = begin; y < last; ++y) {
      uint8_t* out = plane + static_cast<size_t>(y) * level.stride;
      const int count = level.width - 3 * block + 1;
      if (block == 1) {
        const uint8_t* rows[3];
        for (int r = 0; r < 3; ++r) rows[r] = pixels + static_cast<size_t>(y + r) * level.stride;
        heads::code_pixels(rows, out, count);
      } else {
        const uint16_t* rows[3];
        for (int r = 0; r < 3; ++r) rows[r] = sums.row(block, y + r * block);
        heads::code_blocks(rows, block, out, count);
      }
    }
  }
}

}  // namespace vantage
