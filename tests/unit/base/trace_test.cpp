#include "core/base/trace.h"

#include <gtest/gtest.h>

#include "core/base/byte_stream.h"
#include "core/base/json.h"

namespace vantage {
namespace {

TraceSpan span(std::string name, int64_t start_ns, int64_t duration_ns, SpanKind kind = SpanKind::stage) {
  return {std::move(name), "lane", 1, 5, kind, start_ns, duration_ns, 10};
}

TEST(Trace, RingDropsTheOldestAndCounts) {
  TraceRecorder recorder(3);
  for (int i = 0; i < 5; ++i) recorder.record(span(std::to_string(i), i, 1));
  EXPECT_EQ(recorder.dropped(), 2u);
  const auto spans = recorder.snapshot();
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_EQ(spans.front().name, "2");
  EXPECT_EQ(spans.back().name, "4");
  EXPECT_EQ(recorder.take_new().size(), 3u);
  EXPECT_TRUE(recorder.take_new().empty());
  recorder.record(span("5", 5, 1));
  EXPECT_EQ(recorder.take_new().size(), 1u);
}

TEST(Trace, ReadersFollowFromPlacesOfTheirOwn) {
  TraceRecorder recorder;
  SpanReaders readers(&recorder, 3);
  const auto names = [&](uint64_t* place) {
    std::string all;
    for (const TraceSpan& read : readers.take_new(place)) all += read.name;
    return all;
  };
  for (int i = 0; i < 2; ++i) recorder.record(span(std::to_string(i), i, 1));
  uint64_t first = 0, second = readers.end(), late = 0;
  EXPECT_EQ(names(&first), "01");
  EXPECT_EQ(names(&first), "");
  for (int i = 2; i < 4; ++i) recorder.record(span(std::to_string(i), i, 1));
  EXPECT_EQ(names(&second), "23") << "from where it began";
  EXPECT_EQ(names(&first), "23") << "whoever else has read them";
  recorder.record(span("4", 4, 1));
  EXPECT_EQ(names(&late), "234") << "what is kept";
  for (int i = 5; i < 9; ++i) recorder.record(span(std::to_string(i), i, 1));
  EXPECT_EQ(names(&first), "678") << "who reads too seldom loses the oldest";
}

TEST(Trace, GuardMeasuresItsScope) {
  TraceRecorder recorder;
  {
    const SpanGuard guard(&recorder, "work", "thread", 7, 2, SpanKind::wait);
  }
  {
    const SpanGuard nobody(nullptr, "work", "thread");
  }
  const auto spans = recorder.snapshot();
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].frame, 7);
  EXPECT_EQ(spans[0].camera, 2);
  EXPECT_EQ(spans[0].kind, SpanKind::wait);
  EXPECT_GE(spans[0].duration_ns, 0);
}

TEST(Trace, StatisticsOfKnownSpans) {
  std::vector<TraceSpan> spans;
  for (int i = 1; i <= 5; ++i) spans.push_back(span("a", 0, i * 1'000'000));
  spans.push_back(span("b", 0, 15'000'000));
  spans.push_back(span("c", 0, 1'000'000, SpanKind::copy));
  const auto rows = summarize(spans);
  ASSERT_EQ(rows.size(), 3u);
  const auto row = [&](const std::string& name) {
    return *std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == name; });
  };
  EXPECT_EQ(row("a").count, 5);
  EXPECT_DOUBLE_EQ(row("a").mean_ms, 3);
  EXPECT_DOUBLE_EQ(row("a").p50_ms, 3);
  EXPECT_DOUBLE_EQ(row("a").p95_ms, 4.8);
  EXPECT_DOUBLE_EQ(row("a").share, 0.5);
  EXPECT_DOUBLE_EQ(row("c").share, 1) << "shares are within a kind";
  EXPECT_EQ(row("a").bytes, 50);
}

TEST(Trace, HostAndDeviceSpansOfOneNameStayApart) {
  TraceSpan on_device = span("carving", 0, 3'000'000);
  on_device.lane = "cuda:0 carving";
  const auto rows = summarize({span("carving", 0, 1'000'000), on_device});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].device, "cuda:0");
  EXPECT_DOUBLE_EQ(rows[0].mean_ms, 3);
  EXPECT_DOUBLE_EQ(rows[0].share, 1);
  EXPECT_EQ(rows[1].device, "host");
  EXPECT_DOUBLE_EQ(rows[1].mean_ms, 1);
}

TEST(Trace, JsonIsWellFormed) {
  const std::vector<TraceSpan> spans = {span("a \"quoted\"", 1000, 2000), span("b", 3000, 1000)};
  const std::string text = timings_json(spans, 3);
  EXPECT_EQ(json_text(parse_ordered_json(text)), text) << "byte for byte as the library writes it";
  const auto timings = parse_json_or_throw(text);
  EXPECT_EQ(timings["spans"][0]["name"], "a \"quoted\"");
  EXPECT_EQ(timings["schema"], "vantage-timings-1");
  EXPECT_EQ(timings["dropped_spans"], 3);
  EXPECT_EQ(timings["spans"][0]["duration_ns"], 2000);
  const auto trace = parse_json_or_throw(chrome_trace_json(spans));
  EXPECT_EQ(trace["traceEvents"][0]["ph"], "M");
  EXPECT_DOUBLE_EQ(trace["traceEvents"][1]["dur"], 2.0);
  ASSERT_EQ(timings["spans"].size(), 2u);
  EXPECT_EQ(timings["spans"][1]["name"], "b");
  EXPECT_EQ(timings["summary"].size(), 2u);
  EXPECT_EQ(trace["traceEvents"].size(), 3u);  // one lane
  EXPECT_EQ(trace["displayTimeUnit"], "ms");
  EXPECT_TRUE(parse_json_or_throw(timings_json({}, 0))["spans"].empty());
  EXPECT_TRUE(parse_json_or_throw(chrome_trace_json({}))["traceEvents"].empty());
}

}  // namespace
}  // namespace vantage
