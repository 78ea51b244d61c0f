// A figure over two parameters: a table of shaded cells, the darker the better. The window draws it, and as
// SVG text it opens in any browser.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vantage {

struct HeatMap {
  std::string title, x_label, y_label;
  std::vector<std::string> columns, rows;  // the parameters' values; the first row is the uppermost
  std::vector<double> values;              // row by row; NaN: unknown
  bool lower_is_better = false;
  std::optional<size_t> best;  // of the values: marked
  // Range of the shades; nothing: that of the values.
  std::optional<std::pair<double, double>> range;

  size_t row(size_t cell) const { return cell / columns.size(); }
  size_t column(size_t cell) const { return cell % columns.size(); }
};

// Range of the known values of all, so that their shades can be compared; nothing: none is known.
std::optional<std::pair<double, double>> common_range(std::span<const HeatMap> maps);

// White to the blue of Okabe and Ito, red, green, blue.
std::array<uint8_t, 3> heat_color(const HeatMap& map, double value);
bool is_dark(const std::array<uint8_t, 3>& color);  // letters on it are white

// Side by side. Empty where nothing is known.
std::string heat_map_svg(std::span<const HeatMap> maps);
// A line a cell: map,Y,X,value.
std::string heat_map_csv(std::span<const HeatMap> maps);

}  // namespace vantage
