// Pictures of a floor with a pattern and noise, and of what stands on it in the light that there is.
#pragma once

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "core/image/picture.h"

namespace vantage::test {

inline constexpr int kSceneWidth = 65, kSceneHeight = 49;  // odd: borders have blocks of fewer samples

struct Color {
  int y, cb, cr;
};
inline constexpr Color kFloor{120, 124, 131}, kCoat{60, 140, 118}, kChair{90, 110, 150};

// In blocks, the ends excluded.
struct BlockRectangle {
  int left, top, right, bottom;
  bool holds(int x, int y) const { return x >= left && x < right && y >= top && y < bottom; }
};
inline constexpr BlockRectangle kPlace{10, 5, 16, 18};

class SceneFootage {
 public:
  Picture picture(const std::vector<std::pair<BlockRectangle, Color>>& things, double gain = 1) {
    PictureFormat format;
    format.width = kSceneWidth, format.height = kSceneHeight;
    Picture made = Picture::make(format, HostPool::shared()).value();
    for (int plane = 0; plane < 3; ++plane) {
      const ImageView<uint8_t> view = made.writable_plane(plane);
      for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x) {
          const int column = plane == 0 ? x / 2 : x, row = plane == 0 ? y / 2 : y;
          Color color = kFloor;
          color.y += 25 * ((column / 4 + row / 4) % 2);
          for (const auto& [place, its_color] : things)
            if (place.holds(column, row)) color = its_color;
          const int black = plane == 0 ? 16 : 128;
          const int level = plane == 0 ? color.y : plane == 1 ? color.cb : color.cr;
          view.row(y)[x] =
              static_cast<uint8_t>(std::lround(black + gain * (level - black) + noise_(generator_)));
        }
    }
    return made;
  }

 private:
  std::mt19937 generator_{7};
  std::normal_distribution<double> noise_{0, 1.5};
};

}  // namespace vantage::test
