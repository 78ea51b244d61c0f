// Annotations made by hand, places worked out by hand.
#include "core/metrics/wildtrack.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

class Wildtrack : public ::testing::Test {
 protected:
  void write(const char* name, const std::string& text) {
    ASSERT_TRUE(write_file_atomically(folder_.path() / name, text));
  }
  static std::string person(int id, int64_t position, const std::string& views = "[]") {
    return R"({"personID": )" + std::to_string(id) + R"(, "positionID": )" + std::to_string(position) +
           R"(, "views": )" + views + "}";
  }
  const test::TemporaryFolder folder_;
};

TEST_F(Wildtrack, PlacesAreThoseOfTheGrid) {
  // 0: the corner. 479: the end of the first row, 479 * 2.5 cm = 11.975 m further. 480: one row up.
  // 172,920 = 360 * 480 + 120: 3 m along x, 9 m along y, so the origin. 691,199: the last cell.
  write("00000000.json", "[" + person(1, 0) + "," + person(2, 479) + "," + person(3, 480) + "," +
                             person(4, 172'920) + "," + person(5, 691'199) + "]");
  write("00000005.json", "[]");
  write("notes.json", "{}");
  EXPECT_TRUE(is_wildtrack(folder_.path()));
  const WildtrackTracks tracks = read_wildtrack(folder_.path(), {}).value();
  EXPECT_EQ(tracks.frames, (std::set<int64_t>{1, 6}));
  ASSERT_EQ(tracks.rows.size(), 5u);
  const double expected[5][2] = {{-3, -9}, {8.975, -9}, {-3, -8.975}, {0, 0}, {8.975, 26.975}};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(tracks.rows[i].frame, 1);
    EXPECT_EQ(tracks.rows[i].id, static_cast<int64_t>(i) + 1);
    EXPECT_NEAR(tracks.rows[i].x_m, expected[i][0], 1e-9) << "person " << i + 1;
    EXPECT_NEAR(tracks.rows[i].y_m, expected[i][1], 1e-9) << "person " << i + 1;
    EXPECT_EQ(tracks.rows[i].width_px, -1);
  }
  EXPECT_EQ(read_wildtrack(folder_.path(), {.step = 5}).value().frames, (std::set<int64_t>{1, 2}));
  EXPECT_FALSE(read_wildtrack(folder_.path(), {.step = 3}));
}

TEST_F(Wildtrack, BoxesAreOneCameras) {
  const std::string seen = R"([{"viewNum": 0, "xmin": 10, "ymin": 20, "xmax": 40, "ymax": 95},
                               {"viewNum": 1, "xmin": -1, "ymin": -1, "xmax": -1, "ymax": -1}])";
  write("00000010.json", "[" + person(9, 0, seen) + "]");
  const auto rows = read_wildtrack(folder_.path(), {.step = 5, .view = 0}).value().rows;
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].frame, 3);
  EXPECT_EQ(rows[0].left_px, 10);
  EXPECT_EQ(rows[0].top_px, 20);
  EXPECT_EQ(rows[0].width_px, 30);
  EXPECT_EQ(rows[0].height_px, 75);
  EXPECT_TRUE(read_wildtrack(folder_.path(), {.step = 5, .view = 1}).value().rows.empty()) << "not seen";
  EXPECT_TRUE(read_wildtrack(folder_.path(), {.step = 5, .view = 2}).value().rows.empty())
      << "no such camera";
}

TEST_F(Wildtrack, WrongFilesAreNamed) {
  EXPECT_EQ(read_wildtrack(folder_.path(), {}).error().kind, ErrorKind::not_found);
  EXPECT_FALSE(is_wildtrack(folder_.path() / "tracks.csv"));
  for (const std::string& text : {std::string("{"), std::string("{}"), "[" + person(1, 691'200) + "]",
                                  "[" + person(1, -1) + "]", std::string(R"([{"personID": 1}])")}) {
    write("00000000.json", text);
    const auto read = read_wildtrack(folder_.path(), {});
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message().find("00000000.json"), std::string::npos);
  }
}

}  // namespace
}  // namespace vantage
