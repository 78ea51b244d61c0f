#include "core/display/heat_map.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/display/plot.h"

namespace vantage {
namespace {

constexpr double kMapLeft = 150, kMapTop = 70, kMapBottom = 50, kCellWidth = 74, kCellHeight = 30,
                 kMapGap = 30;

std::string hex(const std::array<uint8_t, 3>& color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color[0], color[1], color[2]);
}

// 0 at the worst, 1 at the best.
double share_of(const HeatMap& map, double value) {
  const auto range = map.range ? map.range : common_range({&map, 1});
  if (!range || range->second <= range->first) return 1;
  const double share = std::clamp((value - range->first) / (range->second - range->first), 0.0, 1.0);
  return map.lower_is_better ? 1 - share : share;
}

std::string cell_svg(const HeatMap& map, size_t cell, double x, double y) {
  const double value = map.values[cell];
  const auto color = heat_color(map, value);
  std::string svg =
      fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}' stroke='#ffffff'/>",
                  x, y, kCellWidth, kCellHeight, hex(color));
  if (map.best == cell)
    svg += fmt::format(
        "<rect class='best' x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='none' "
        "stroke='#d55e00' "
        "stroke-width='3'/>",
        x + 2, y + 2, kCellWidth - 4, kCellHeight - 4);
  return svg + fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle' fill='{}'>{:.4g}</text>\n",
                           x + kCellWidth / 2, y + kCellHeight / 2 + 4,
                           is_dark(color) ? "#ffffff" : "#000000", value);
}

std::string map_svg(const HeatMap& map, double left) {
  std::string svg =
      fmt::format("<text x='{:.0f}' y='24' font-size='14'>", left) + xml_escaped(map.title) + "</text>\n";
  svg += fmt::format("<text x='{:.0f}' y='44'>", left) + xml_escaped(map.x_label) + "</text>\n";
  for (size_t x = 0; x < map.columns.size(); ++x)
    svg += fmt::format("<text x='{:.1f}' y='62' text-anchor='middle'>",
                       left + kCellWidth * (static_cast<double>(x) + 0.5)) +
           xml_escaped(map.columns[x]) + "</text>\n";
  for (size_t y = 0; y < map.rows.size(); ++y) {
    const double top = kMapTop + kCellHeight * static_cast<double>(y);
    svg +=
        fmt::format("<text x='{:.0f}' y='{:.1f}' text-anchor='end'>", left - 8, top + kCellHeight / 2 + 4) +
        xml_escaped(map.rows[y]) + "</text>\n";
    for (size_t x = 0; x < map.columns.size(); ++x)
      if (const size_t cell = y * map.columns.size() + x; std::isfinite(map.values[cell]))
        svg += cell_svg(map, cell, left + kCellWidth * static_cast<double>(x), top);
  }
  return svg;
}

}  // namespace

std::optional<std::pair<double, double>> common_range(std::span<const HeatMap> maps) {
  std::optional<std::pair<double, double>> range;
  for (const HeatMap& map : maps)
    for (const double value : map.values) {
      if (!std::isfinite(value)) continue;
      if (!range) range = {value, value};
      range->first = std::min(range->first, value), range->second = std::max(range->second, value);
    }
  return range;
}

std::array<uint8_t, 3> heat_color(const HeatMap& map, double value) {
  const double share = share_of(map, value);
  const auto mix = [&](int to) { return static_cast<uint8_t>(std::lround(255 + share * (to - 255))); };
  return {mix(0x00), mix(0x72), mix(0xb2)};
}

bool is_dark(const std::array<uint8_t, 3>& color) {
  return 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2] < 155;
}

std::string heat_map_svg(std::span<const HeatMap> maps) {
  if (!common_range(maps)) return {};
  std::string body;
  double left = kMapLeft, bottom = kMapTop;
  for (const HeatMap& map : maps) {
    body += map_svg(map, left);
    left += kCellWidth * static_cast<double>(map.columns.size()) + kMapLeft;
    bottom = std::max(bottom, kMapTop + kCellHeight * static_cast<double>(map.rows.size()));
  }
  body += fmt::format("<text x='10' y='{:.0f}'>rows: ", bottom + 34) + xml_escaped(maps.front().y_label) +
          "; the darker the better; framed: the best of the tuning span</text>\n";
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' width='{:.0f}' height='{:.0f}' "
             "font-family='sans-serif' "
             "font-size='12'>\n<rect width='100%' height='100%' fill='#ffffff'/>\n",
             std::max(left - kMapLeft + kMapGap, 560.0), bottom + kMapBottom) +
         body + "</svg>\n";
}

std::string heat_map_csv(std::span<const HeatMap> maps) {
  if (maps.empty()) return {};
  std::string text =
      "map," + csv_quoted(maps.front().y_label) + "," + csv_quoted(maps.front().x_label) + ",value\n";
  for (const HeatMap& map : maps)
    for (size_t cell = 0; cell < map.values.size(); ++cell)
      if (std::isfinite(map.values[cell]))
        text += csv_quoted(map.title) + "," + csv_quoted(map.rows[map.row(cell)]) + "," +
                csv_quoted(map.columns[map.column(cell)]) + fmt::format(",{:.9g}\n", map.values[cell]);
  return text;
}

}  // namespace vantage
