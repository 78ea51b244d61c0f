#include "core/height_map/height_map_io.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/file.h"
#include "core/image/color_map.h"

namespace vantage {
namespace {

constexpr std::string_view kMagic = "VHC1";

struct CostHeader {
  int32_t width, height, heights;
  double lowest_m, step_m;
};

// Digits and the point, 3 x 5 pixels, rows from the top, 3 bits each.
constexpr std::string_view kGlyphNames = "0123456789.";
constexpr std::array<std::array<uint8_t, 5>, 11> kGlyphs = {{{7, 5, 5, 5, 7},
                                                             {2, 6, 2, 2, 7},
                                                             {7, 1, 7, 4, 7},
                                                             {7, 1, 7, 1, 7},
                                                             {5, 5, 7, 1, 1},
                                                             {7, 4, 7, 1, 7},
                                                             {7, 4, 7, 5, 7},
                                                             {7, 1, 1, 2, 2},
                                                             {7, 5, 7, 5, 7},
                                                             {7, 5, 7, 1, 7},
                                                             {0, 0, 0, 0, 2}}};
constexpr std::array<uint8_t, 3> kBackground = {0x1e, 0x1e, 0x1e}, kInk = {0xe0, 0xe0, 0xe0};

void set_pixel(const ImageView<uint8_t>& out, int x, int y, const std::array<uint8_t, 3>& color) {
  if (x < 0 || y < 0 || 3 * x + 2 >= out.width || y >= out.height) return;
  for (int c = 0; c < 3; ++c) out.at(3 * x + c, y) = color[c];
}

void draw_number(const ImageView<uint8_t>& out, int x, int y, double value) {
  const std::string text = fmt::format("{:.2f}", value);
  for (size_t i = 0; i < text.size(); ++i, x += 8) {
    const size_t glyph = kGlyphNames.find(text[i]);
    if (glyph == std::string_view::npos) continue;
    for (int row = 0; row < 10; ++row)
      for (int column = 0; column < 6; ++column)
        if (kGlyphs[glyph][row / 2] >> (2 - column / 2) & 1) set_pixel(out, x + column, y + row, kInk);
  }
}

void draw_scale(const ImageView<uint8_t>& out, int left, const HeightLabels& scale) {
  const int top = 10, bottom = out.height - 11, bar = 12;
  for (int y = top; y <= bottom; ++y) {
    const double t = static_cast<double>(bottom - y) / std::max(1, bottom - top);
    for (int x = 0; x < bar; ++x) set_pixel(out, left + 4 + x, y, mapped_color(kViridis, t));
  }
  const int ticks = std::clamp((bottom - top) / 60, 1, 8);
  for (int i = 0; i <= ticks; ++i) {
    const double t = static_cast<double>(i) / ticks;
    const int y = bottom - static_cast<int>(std::lround(t * (bottom - top)));
    draw_number(out, left + bar + 10, y - 5, scale.height_m(0) + t * (scale.count - 1) * scale.step_m);
  }
}

}  // namespace

Status write_cost(const std::filesystem::path& path, const CostVolume& costs) {
  const CostHeader header{costs.width, costs.height, costs.labels.count, costs.labels.lowest_m,
                          costs.labels.step_m};
  std::string bytes(kMagic);
  const auto add = [&bytes](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  add(header.width), add(header.height), add(header.heights), add(header.lowest_m), add(header.step_m);
  const ImageView<const float> view = costs.costs.view<float>();
  for (int row = 0; row < view.height; ++row)
    bytes.append(reinterpret_cast<const char*>(view.row(row)),
                 static_cast<size_t>(view.width) * sizeof(float));
  return write_file_atomically(path, bytes);
}

Result<CostVolume> read_cost(const std::filesystem::path& path, BufferPool& pool) {
  VANTAGE_ASSIGN(const std::string bytes, read_file(path));
  size_t at = kMagic.size();
  const auto damaged = [&path](const char* what) {
    return fail(ErrorKind::bad_data, what, path.string(), "Save it again with --save-cost.");
  };
  constexpr size_t kHeaderBytes = 3 * sizeof(int32_t) + 2 * sizeof(double);
  if (bytes.size() < kMagic.size() + kHeaderBytes || bytes.compare(0, kMagic.size(), kMagic) != 0)
    return damaged("not a file of height costs");
  const auto take = [&](auto& value) {
    std::memcpy(&value, bytes.data() + at, sizeof value);
    at += sizeof value;
  };
  CostHeader header{};
  take(header.width), take(header.height), take(header.heights), take(header.lowest_m), take(header.step_m);
  if (header.width < 1 || header.height < 1 || header.width > 65536 || header.height > 65536 ||
      header.heights < 2 || header.heights > kMaxHeights || !std::isfinite(header.lowest_m) ||
      !(header.step_m > 0))
    return damaged("the sizes in the file are not valid");
  const size_t row_bytes = static_cast<size_t>(header.width) * sizeof(float);
  const size_t rows = static_cast<size_t>(header.height) * (static_cast<size_t>(header.heights) + 1);
  if (bytes.size() - at != rows * row_bytes) return damaged("the file is truncated or too long");
  CostVolume costs{header.width, header.height, {header.lowest_m, header.step_m, header.heights}, {}};
  VANTAGE_ASSIGN(costs.costs, Image::make(ImageType::f32, header.width, static_cast<int>(rows), pool));
  const ImageView<float> view = costs.costs.writable_view<float>();
  for (int row = 0; row < view.height; ++row, at += row_bytes) {
    std::memcpy(view.row(row), bytes.data() + at, row_bytes);
    for (int x = 0; x < view.width; ++x)
      if (!(std::abs(view.at(x, row)) <= 1000.0f))
        return damaged("a cost is not a number or larger than 1000");
  }
  return costs;
}

Result<Image> heights_in_metres(const HeightMap& map, BufferPool& pool) {
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::f32, map.width, map.height, pool));
  const ImageView<const uint8_t> labels = map.labels.view<uint8_t>();
  const ImageView<float> out = image.writable_view<float>();
  std::array<float, 256> heights_m;  // by label
  heights_m.fill(std::numeric_limits<float>::quiet_NaN());
  for (int label = 0; label < map.scale.count; ++label)
    heights_m[label] = static_cast<float>(map.scale.height_m(label));
  tbb::parallel_for(0, map.height, [&](int y) {
    std::transform(labels.row(y), labels.row(y) + map.width, out.row(y),
                   [&](uint8_t label) { return heights_m[label]; });
  });
  return image;
}

Result<Image> height_levels(const ImageView<const float>& heights_m, const HeightLabels& scale,
                            BufferPool& pool) {
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, heights_m.width, heights_m.height, pool));
  const ImageView<uint8_t> out = image.writable_view<uint8_t>();
  tbb::parallel_for(0, out.height, [&](int y) {
    std::transform(heights_m.row(y), heights_m.row(y) + out.width, out.row(y), [&](float height_m) {
      if (std::isnan(height_m)) return uint8_t{kHeightLevels};
      const double share = std::clamp(scale.share(static_cast<double>(height_m)), 0.0, 1.0);
      return static_cast<uint8_t>(std::lround((kHeightLevels - 1) * share));
    });
  });
  return image;
}

Result<Image> colored_heights(const ImageView<const float>& heights_m, const HeightLabels& scale,
                              const ImageView<const uint8_t>& picture, BufferPool& pool) {
  const int width = heights_m.width, height = heights_m.height;
  VANTAGE_ASSIGN(Image image, Image::make(ImageType::u8, 3 * (width + kScaleWidth_px), height, pool));
  const ImageView<uint8_t> out = image.writable_view<uint8_t>();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width + kScaleWidth_px; ++x) set_pixel(out, x, y, kBackground);
    for (int x = 0; x < width; ++x) {
      const double height_m = static_cast<double>(heights_m.at(x, y));
      const auto grey = static_cast<uint8_t>(picture.data ? picture.at(x, y) * 6 / 10 : kBackground[0]);
      set_pixel(out, x, y,
                std::isnan(height_m) ? std::array<uint8_t, 3>{grey, grey, grey}
                                     : mapped_color(kViridis, scale.share(height_m)));
    }
  }
  draw_scale(out, width, scale);
  return image;
}

}  // namespace vantage
