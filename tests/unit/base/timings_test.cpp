#include "core/base/trace.h"

#include <gtest/gtest.h>

#include "core/base/json.h"

namespace vantage {
namespace {

TraceSpan span(std::string name, std::string lane, int64_t start_ms, int64_t duration_ms, int64_t frame = 0,
               int camera = -1) {
  return {std::move(name),      std::move(lane),         camera, frame, SpanKind::stage,
          start_ms * 1'000'000, duration_ms * 1'000'000, 7};
}

TEST(Timings, SpansThatLieWithinOthersLieARowLower) {
  const std::vector<TraceSpan> spans = {
      span("carve", "carving", 10, 10),          span("blocks", "carving", 11, 3),
      span("shell", "carving", 14, 5),           span("carve", "carving", 20, 2),
      span("decode", "decode cam2", 2, 1, 0, 1), span("decode", "decode cam1", 3, 1, 0, 0),
      span("learn", "cpu", 1, 1, 0, 1),          span("learn", "cpu", 1, 1, 0, 2)};
  const std::vector<TraceLane> lanes = lanes_of(spans, {"cam1", "door"});
  ASSERT_EQ(lanes.size(), 5u);
  EXPECT_EQ(lanes[0].name, "decode cam1");
  EXPECT_EQ(lanes[1].name, "decode cam2");
  EXPECT_EQ(lanes[3].name, "cpu, camera 3");
  EXPECT_EQ(lanes[4].name, "cpu, door");
  EXPECT_EQ(lanes[2].name, "carving");
  EXPECT_EQ(lanes[2].rows, 2);
  std::map<size_t, int> rows;
  for (const TraceLane::Place& place : lanes[2].spans) rows[place.span] = place.row;
  EXPECT_EQ(rows, (std::map<size_t, int>{{0, 0}, {1, 1}, {2, 1}, {3, 0}}));
  EXPECT_TRUE(lanes_of({}, {}).empty());
}

TEST(Timings, LatencyCountsFromTheLastCamera) {
  const std::vector<TraceSpan> spans = {
      span("decode", "decode cam1", 0, 2, 4, 0), span("decode", "decode cam2", 5, 2, 4, 1),
      span("carving", "carving", 8, 3, 4),       span("people", "people", 12, 1, 4),
      span("decode", "decode cam1", 6, 1, 5, 0),  // not yet through
      span("people", "people", 20, 1, 6)};        // decoded before the recorder began
  const std::vector<FrameLatency> latencies = frame_latencies(spans);
  ASSERT_EQ(latencies.size(), 1u);
  EXPECT_EQ(latencies[0].frame, 4);
  EXPECT_DOUBLE_EQ(latencies[0].ms, 8);
}

TEST(Timings, TablesSurviveAsFiles) {
  const std::vector<TraceSpan> spans = {span("a, \"b\"", "cuda:0 x", 0, 4), span("c", "host", 1, 2)};
  const std::vector<SpanStatistics> rows = summarize(spans);
  EXPECT_EQ(timings_csv(rows).substr(0, 18), "name,device,kind,c");
  EXPECT_NE(timings_csv(rows).find("\"a, \"\"b\"\"\",cuda:0,stage,1,4.000000"), std::string::npos);
  EXPECT_NE(spans_csv(spans).find("c,host,stage,-1,0,1000000,2000000,7\n"), std::string::npos);
  const auto read = read_timings(timings_json(spans, 0), "file").value();
  const auto found = matching(rows, read);
  ASSERT_EQ(found.size(), 2u);
  for (size_t i = 0; i < rows.size(); ++i) {
    ASSERT_TRUE(found[i]);
    EXPECT_DOUBLE_EQ(found[i]->mean_ms, rows[i].mean_ms);
    EXPECT_EQ(found[i]->bytes, rows[i].bytes);
  }
  EXPECT_FALSE(matching(rows, {})[0]);
  for (const char* wrong : {"", "[]", "{}", R"({"schema":"vantage-timings-1"})",
                            R"({"schema":"vantage-timings-1","summary":[3]})"}) {
    const auto refused = read_timings(wrong, "somewhere.json");
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().where, "somewhere.json");
  }
}

}  // namespace
}  // namespace vantage
