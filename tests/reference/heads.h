// Head detection as its definition says it: one window after another, every code from an integral image.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/heads/head_model.h"
#include "core/heads/head_search.h"
#include "core/heads/head_window.h"
#include "core/image/image_view.h"

namespace vantage::reference {

struct Gray {
  int width = 0, height = 0;
  std::vector<int> pixels;
  int at(int x, int y) const {
    return pixels[static_cast<size_t>(std::clamp(y, 0, height - 1)) * static_cast<size_t>(width) +
                  static_cast<size_t>(std::clamp(x, 0, width - 1))];
  }
};

inline Gray halved(const Gray& from) {
  Gray to{from.width / 2, from.height / 2, {}};
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x)
      to.pixels.push_back(
          static_cast<int>(std::floor((from.at(2 * x, 2 * y) + from.at(2 * x + 1, 2 * y) +
                                       from.at(2 * x, 2 * y + 1) + from.at(2 * x + 1, 2 * y + 1)) /
                                          4.0 +
                                      0.5)));
  return to;
}

// Bilinear with weights of 1/128, rounded down.
inline Gray sampled(const Gray& from, const HeadLevel& level) {
  Gray to{level.width, level.height, {}};
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      // The place in 1/65536, half a step rounded down.
      const double sx = (x * double(level.step) + std::floor(level.step / 2.0)) / 65536 - 0.5;
      const double sy = (y * double(level.step) + std::floor(level.step / 2.0)) / 65536 - 0.5;
      const int x0 = static_cast<int>(std::floor(sx)), y0 = static_cast<int>(std::floor(sy));
      const double wx = std::floor((sx - x0) * 128) / 128, wy = std::floor((sy - y0) * 128) / 128;
      const double top = from.at(x0, y0) * (1 - wx) + from.at(x0 + 1, y0) * wx;
      const double bottom = from.at(x0, y0 + 1) * (1 - wx) + from.at(x0 + 1, y0 + 1) * wx;
      to.pixels.push_back(static_cast<int>(std::floor(top * (1 - wy) + bottom * wy + 0.5)));
    }
  return to;
}

class Integral {
 public:
  explicit Integral(const Gray& gray)
      : width_(gray.width + 1), sums_(static_cast<size_t>(width_) * (gray.height + 1)) {
    for (int y = 0; y < gray.height; ++y)
      for (int x = 0; x < gray.width; ++x)
        at(x + 1, y + 1) = gray.at(x, y) + at(x, y + 1) + at(x + 1, y) - at(x, y);
  }
  int64_t block(int x, int y, int size) const {
    return get(x + size, y + size) - get(x, y + size) - get(x + size, y) + get(x, y);
  }
  int code(int x, int y, int size) const {
    const int around[8][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    const int64_t middle = block(x + size, y + size, size);
    int code = 0;
    for (int k = 0; k < 8; ++k)
      if (block(x + around[k][0] * size, y + around[k][1] * size, size) >= middle) code += 1 << k;
    return code;
  }

 private:
  int64_t& at(int x, int y) {
    return sums_[static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x)];
  }
  int64_t get(int x, int y) const {
    return sums_[static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x)];
  }
  int width_;
  std::vector<int64_t> sums_;
};

struct HeadWindow {
  int level, x, y;
  int64_t score;
  bool operator==(const HeadWindow&) const = default;
};

// What a search looks at: the picture, turned about its middle where its people lean.
inline Gray turned(const Gray& picture, const HeadTurn& turn) {
  Gray to{turn.width, turn.height, {}};
  const double c = turn.cosine / 65536.0, s = turn.sine / 65536.0;
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      const double dx = x - (to.width - 1) / 2.0, dy = y - (to.height - 1) / 2.0;
      // Places in 1/65536, as whole numbers.
      const double sx = std::floor(65536 * ((picture.width - 1) / 2.0 + c * dx - s * dy)) / 65536;
      const double sy = std::floor(65536 * ((picture.height - 1) / 2.0 + s * dx + c * dy)) / 65536;
      const int x0 = static_cast<int>(std::floor(sx)), y0 = static_cast<int>(std::floor(sy));
      const double wx = std::floor((sx - x0) * 128) / 128, wy = std::floor((sy - y0) * 128) / 128;
      const double top = picture.at(x0, y0) * (1 - wx) + picture.at(x0 + 1, y0) * wx;
      const double bottom = picture.at(x0, y0 + 1) * (1 - wx) + picture.at(x0 + 1, y0 + 1) * wx;
      to.pixels.push_back(static_cast<int>(std::floor(top * (1 - wy) + bottom * wy + 0.5)));
    }
  return to;
}

// Every window of the search that is a head, by level, row and column.
inline std::vector<HeadWindow> head_windows(ImageView<const uint8_t> luma, const HeadSearch& search,
                                            const HeadModel& model, int accept_from) {
  std::vector<Gray> octaves(1);
  octaves[0] = {luma.width, luma.height, {}};
  for (int y = 0; y < luma.height; ++y)
    for (int x = 0; x < luma.width; ++x) octaves[0].pixels.push_back(luma.at(x, y));
  if (search.turn.turned()) octaves[0] = turned(octaves[0], search.turn);
  while (octaves.size() < search.octaves.size()) octaves.push_back(halved(octaves.back()));
  std::vector<HeadWindow> found;
  for (int l = 0; l < static_cast<int>(search.levels.size()); ++l) {
    const HeadLevel& level = search.levels[l];
    const Integral integral(sampled(octaves[level.octave], level));
    for (int y = 0; y + 24 <= level.height; y += level.window_step)
      for (int x = 0; x + 24 <= level.width; x += level.window_step) {
        const bool searched =
            std::any_of(search.tiles.begin(), search.tiles.end(), [&](const HeadTile& tile) {
              return tile.level == l && x >= tile.x && x < tile.x + 64 && y >= tile.y && y < tile.y + 16;
            });
        if (!searched) continue;
        int64_t score = 0;
        bool alive = true;
        for (const WeakHeadClassifier& weak : model.weak) {
          const int code = integral.code(x + weak.x, y + weak.y, kHeadBlocks[weak.block]);
          score += weak.table[static_cast<size_t>(code)];
          alive = score >= weak.reject_below;
          if (!alive) break;
        }
        if (alive && score >= accept_from) found.push_back({l, x, y, score});
      }
  }
  return found;
}

}  // namespace vantage::reference
