// Cells of a heat map: shaded between worst and best, the best framed, unknown ones left out.
#include "core/display/heat_map.h"

#include <gtest/gtest.h>

#include <limits>

namespace vantage {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

HeatMap map_of(std::vector<double> values) {
  HeatMap map;
  map.title = "moda, tuning <span>", map.x_label = "keep_s (s)", map.y_label = "min_own";
  map.columns = {"0.2", "1", "2"}, map.rows = {"0.1", "0.5"};
  map.values = std::move(values);
  return map;
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(HeatMap, TheBestIsDarkestWhicheverWayIsBetter) {
  HeatMap map = map_of({0.1, 0.2, 0.9, kUnknown, 0.5, 0.4});
  EXPECT_EQ(heat_color(map, 0.1), (std::array<uint8_t, 3>{255, 255, 255}));
  EXPECT_EQ(heat_color(map, 0.9), (std::array<uint8_t, 3>{0, 0x72, 0xb2}));
  EXPECT_TRUE(is_dark(heat_color(map, 0.9)));
  EXPECT_FALSE(is_dark(heat_color(map, 0.2)));
  map.lower_is_better = true;
  EXPECT_EQ(heat_color(map, 0.1), (std::array<uint8_t, 3>{0, 0x72, 0xb2}));
  map.range = {{0, 2}};
  EXPECT_EQ(heat_color(map, 2), (std::array<uint8_t, 3>{255, 255, 255}));
}

TEST(HeatMap, MapsStandSideBySideWithWhatIsKnown) {
  std::vector<HeatMap> maps = {map_of({0.1, 0.2, 0.9, kUnknown, 0.5, 0.4}),
                               map_of({0.3, kUnknown, kUnknown, kUnknown, kUnknown, 1.7})};
  maps[0].best = maps[1].best = 2;
  EXPECT_EQ(common_range(maps), (std::pair{0.1, 1.7}));
  const std::string svg = heat_map_svg(maps);
  EXPECT_EQ(count_of(svg, "stroke='#ffffff'"), 7u);
  EXPECT_EQ(count_of(svg, "class='best'"), 1u) << "the other map does not know it";
  EXPECT_EQ(count_of(svg, "moda, tuning &lt;span&gt;"), 2u);
  EXPECT_EQ(count_of(svg, ">0.9</text>"), 1u);
  EXPECT_EQ(heat_map_csv({maps.data(), 1}),
            "map,min_own,keep_s (s),value\n"
            "\"moda, tuning <span>\",0.1,0.2,0.1\n\"moda, tuning <span>\",0.1,1,0.2\n"
            "\"moda, tuning <span>\",0.1,2,0.9\n\"moda, tuning <span>\",0.5,1,0.5\n"
            "\"moda, tuning <span>\",0.5,2,0.4\n");
}

TEST(HeatMap, NothingKnownIsNoPicture) {
  const std::vector<HeatMap> maps = {map_of(std::vector<double>(6, kUnknown))};
  EXPECT_FALSE(common_range(maps));
  EXPECT_EQ(heat_map_svg(maps), "");
}

}  // namespace
}  // namespace vantage
