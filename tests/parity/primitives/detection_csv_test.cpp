#include "core/primitives/detection_csv.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vantage {
namespace {

TEST(DetectionCsv, RowsComeBackUnchanged) {
  const std::string text =
      "x,y,w,h,score,class\r\n1,2,3,4,0.50,car\r\n 1 , 2.5,3,4,+.25 ,person\n\n1,2,3,4,nan,car";
  const Result<DetectionTable> table = read_detections(text, "boxes.csv");
  ASSERT_TRUE(table) << table.error().message();
  ASSERT_EQ(table->detections.size(), 3u);
  EXPECT_TRUE(table->has_class);
  EXPECT_EQ(table->detections[1].y, 2.5f);
  EXPECT_EQ(table->detections[1].score, 0.25f);
  EXPECT_EQ(table->detections[0].class_id, table->detections[2].class_id);
  EXPECT_NE(table->detections[0].class_id, table->detections[1].class_id);
  EXPECT_TRUE(std::isnan(table->detections[2].score));
  EXPECT_EQ(write_kept_rows(*table, {{0, 1}, {0.5f, 0.25f}}, false),
            "x,y,w,h,score,class\n1,2,3,4,0.50,car\n 1 , 2.5,3,4,+.25 ,person\n");
  EXPECT_EQ(write_kept_rows(*table, {{1}, {0.125f}}, true), "x,y,w,h,score,class\n1,2.5,3,4,0.125,person\n");
}

TEST(DetectionCsv, DamagedFilesNameTheLine) {
  for (const auto& [text, line] : {std::pair{"", "line 1"},
                                   {"a,b,c\n", "line 1"},
                                   {"x,y,w,h,score\n1,2,3,4\n", "line 2"},
                                   {"x,y,w,h,score\n1,2,3,4,5\n1,2,three,4,5\n", "line 3"},
                                   {"x,y,w,h,score\n1,2,,4,5\n", "line 2"}}) {
    const Result<DetectionTable> table = read_detections(text, "boxes.csv");
    ASSERT_FALSE(table) << text;
    EXPECT_EQ(table.error().kind, ErrorKind::bad_data);
    EXPECT_NE(table.error().where.find(line), std::string::npos) << table.error().message();
  }
}

}  // namespace
}  // namespace vantage
