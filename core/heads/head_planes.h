// A picture as the weak classifiers see it: the levels of its pyramid and, for each block size, the codes at
// every position, one byte each. On the CPU; gpu/heads makes the same bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/heads/head_search.h"
#include "core/image/image_view.h"

namespace vantage {

class HeadPlanes {
 public:
  // `luma` is the camera's picture. Only levels, and their rows, with tiles on them are made; the rest is
  // undefined. Keeps its memory from picture to picture.
  void build(ImageView<const uint8_t> luma, const HeadSearch& search);

  // The code of block size kHeadBlocks[block] at (0, 0) of a level; rows are the level's stride apart.
  const uint8_t* codes(const HeadLevel& level, int block) const {
    return codes_.data() + static_cast<size_t>(block) * plane_bytes_ + level.offset;
  }
  size_t plane_bytes() const { return plane_bytes_; }  // from one block size's codes to the next's

 private:
  void turn(ImageView<const uint8_t> picture, const HeadTurn& turn);
  void build_octaves(const HeadSearch& search);
  void build_level_rows(const HeadSearch& search, const HeadLevel& level, int begin, int end);
  void build_code_rows(const HeadLevel& level, int begin, int end);

  ImageView<const uint8_t> luma_;
  std::vector<uint8_t> turned_, octaves_, levels_, codes_;
  size_t plane_bytes_ = 0;
};

}  // namespace vantage
