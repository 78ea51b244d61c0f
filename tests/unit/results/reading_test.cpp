// Reading results and tracks of unusual lengths and forms: in pieces, damaged, from other programs.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/base/byte_stream.h"
#include "core/base/file.h"
#include "core/results/results_paths.h"
#include "core/results/results_reader.h"
#include "tests/support/data.h"
#include "tests/support/seed.h"

namespace vantage {
namespace {

const auto kVersions = std::make_shared<const StageVersions>(StageVersions{{"tracking", 7}});

// Everything that readers use of frame lines, and much that they do not.
std::string some_line(int64_t frame) {
  return fmt::format(
      R"({{"frame":{},"time_s":1.5,"cameras":[{{"foreground_share":0.04}},{{"frame":-1,"problem":"no picture"}},{{"frame":3}}],)"
      R"("volume":{{"litres":1655.0400000000002,"occupied_voxels":25860}},"continued_on_cpu":false,"heads":null,)"
      R"("people":{{"count":2,"covered_share":1.0,"carried":true,"people":[)"
      R"({{"id":null,"x_m":-3.109,"y_m":-0.695,"height_m":1.87,"confidence":0.753,"evidence":{{"cameras":[[1,-2.5e-05]]}}}},)"
      R"({{"id":12,"x_m":2,"y_m":-0,"height_m":1.7,"confidence":1E-3,"motion":null,"seated":false}}],)"
      R"("rejected":[{{"x_m":0.1,"y_m":0.2,"height_m":0.3,"confidence":0.0,"reason":"ghost"}}],"stopped_at":null}}}})",
      frame);
}

// The same line with a key that only JSON's own parser reads.
std::string not_plain(const std::string& line) {
  return line.substr(0, line.find('{') + 1) + R"("not\u0020plain":0,)" + line.substr(line.find('{') + 1);
}

void expect_same(const FloorPerson& a, const FloorPerson& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.x_m, b.x_m);
  EXPECT_EQ(a.y_m, b.y_m);
  EXPECT_EQ(std::signbit(a.y_m), std::signbit(b.y_m));
  EXPECT_EQ(a.height_m, b.height_m);
  EXPECT_EQ(a.confidence, b.confidence);
  EXPECT_EQ(a.colors.size(), b.colors.size());
  EXPECT_EQ(a.velocity_m_per_s, b.velocity_m_per_s);
}

void expect_read_alike(const std::string& line) {
  SCOPED_TRACE(line);
  const Result<StoredFrame> quick = parse_frame_line(line, kVersions);
  const Result<StoredFrame> slow = parse_frame_line(not_plain(line), kVersions);
  ASSERT_EQ(quick.has_value(), slow.has_value());
  if (!quick) return;
  EXPECT_EQ(quick->frame, slow->frame);
  EXPECT_EQ(quick->cameras, slow->cameras);
  EXPECT_EQ(quick->without_picture, slow->without_picture);
  EXPECT_EQ(quick->people_count, slow->people_count);
  EXPECT_EQ(quick->carried, slow->carried);
  EXPECT_EQ(quick->continued, slow->continued);
  EXPECT_EQ(*quick->versions, *slow->versions);
  ASSERT_EQ(quick->people.size(), slow->people.size());
  ASSERT_EQ(quick->rejected.size(), slow->rejected.size());
  for (size_t i = 0; i < quick->people.size(); ++i) expect_same(quick->people[i], slow->people[i]);
  for (size_t i = 0; i < quick->rejected.size(); ++i) expect_same(quick->rejected[i], slow->rejected[i]);
}

TEST(FrameLine, IsReadInOnePassAsByTheParserOfJson) {
  const Result<StoredFrame> frame = parse_frame_line(some_line(5), kVersions);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->frame, 5);
  EXPECT_EQ(frame->cameras, 3);
  EXPECT_EQ(frame->without_picture, 1);
  EXPECT_EQ(frame->people_count, 2);
  EXPECT_TRUE(frame->carried);
  ASSERT_EQ(frame->people.size(), 2u);
  EXPECT_EQ(frame->people[0].id, 0);
  EXPECT_EQ(frame->people[0].x_m, -3.109);
  EXPECT_EQ(frame->people[1].id, 12);
  EXPECT_EQ(frame->people[1].confidence, 0.001);
  ASSERT_EQ(frame->rejected.size(), 1u);
  expect_read_alike(some_line(5));
  expect_read_alike(some_line(-5));
  for (const char* line : {
           R"({"frame":1,"people":null})",
           R"( {"frame" : 1 ,	"people" : null } )",
           R"({"frame":1,"people":null}x)",
           R"({"frame":1})",
           R"({"people":null})",
           R"([])",
           R"()",
           R"({"frame":01,"people":null})",
           R"({"frame":1.0,"people":null})",
           R"({"frame":"1","people":null})",
           R"({"frame":1,"people":null,})",
           R"({"frame":1,"frame":2,"people":null})",
           R"({"frame":1,"people":{"count":1,"people":[]}})",
           R"({"frame":1,"people":{"count":1.5,"people":[],"rejected":[]}})",
           R"({"frame":1,"people":{"count":null,"people":[{}],"rejected":[]}})",
           R"({"frame":1,"people":{"count":5000000000,"people":[],"rejected":[]}})",
           R"({"frame":1,"people":null,"cameras":null})",
           R"({"frame":1,"people":null,"cameras":[1]})",
           R"({"frame":1,"people":null,"cameras":[{"frame":null}]})",
           R"({"frame":1,"people":null,"a":1e999})",
           R"({"frame":1,"people":null,"a":"\q"})",
           R"({"frame":1,"people":null,"a":tru})",
           R"({"frame":1,"people":null,"continued_on_cpu":null})",
           R"({"frame":1,"people":null,"versions":{"tracking":"0000000000000009"}})",
           R"({"frame":123456789012345678901234567890,"people":null})",
           "{\"frame\":1,\"people\":null,\"a\":\"\xff\"}",
       })
    expect_read_alike(line);
}

TEST(FrameLine, DamagedInAnyWayIsReadAsByTheParserOfJson) {
  std::mt19937 random(test::test_seed());
  const std::string whole = some_line(5), signs = "{}[]\",:-+.0123456789eE truefalsn\\\x01\x7f\xc3";
  const auto any = [&](size_t below) { return std::uniform_int_distribution<size_t>(0, below - 1)(random); };
  for (int i = 0; i < 20'000; ++i) {
    std::string line = whole;
    for (size_t k = any(3) + 1; k > 0; --k) {
      const size_t at = 1 + any(line.size() - 1);  // the first bracket stays
      switch (any(4)) {
        case 0:
          line.resize(at);
          break;
        case 1:
          line.erase(at, any(9));
          break;
        case 2:
          line[at] = signs[any(signs.size())];
          break;
        default:
          line.insert(at, 1, signs[any(signs.size())]);
      }
      if (line.size() < 2) break;
    }
    expect_read_alike(line);
    if (testing::Test::HasFailure()) return;
  }
}

class ReadingTest : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(write_file_atomically(folder_.path() / name, text));
    return folder_.path() / name;
  }
  const test::TemporaryFolder folder_;
};

constexpr char kHeader[] =
    R"({"schema":"vantage-results-2","version":"0","device":"CPU","frame_rate":25.0,"versions":{"tracking":"0000000000000007"}})";

TEST_F(ReadingTest, ResultsComeInPiecesAndDamagedLinesAreCounted) {
  std::string text = std::string(kHeader) + "\r\n";
  const int64_t frames = 20'000;  // several pieces
  for (int64_t frame = 0; frame < frames; ++frame) {
    text += some_line(frame) + (frame % 2 == 0 ? "\n" : "\r\n");
    if (frame % 1000 == 0) text += "\n{\"frame\":\n";  // an empty line is not damage
  }
  text += some_line(frames).substr(0, 300);  // truncated while it was written
  ASSERT_GT(text.size(), size_t{9} << 20);
  Result<ResultsReader> reader = ResultsReader::open(file("results.jsonl", text));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->header().frame_rate, 25);
  int64_t next = 0;
  double share = 0;
  for (;;) {
    const Result<std::vector<StoredFrame>> some = reader->next();
    ASSERT_TRUE(some);
    if (some->empty()) break;
    EXPECT_LT(std::ssize(*some), frames);
    EXPECT_GT(reader->share(), share);
    share = reader->share();
    for (const StoredFrame& frame : *some) EXPECT_EQ(frame.frame, next++);
  }
  EXPECT_EQ(next, frames);
  EXPECT_EQ(reader->share(), 1);
  EXPECT_EQ(reader->damaged_lines(), 21);
  const StoredResults all = read_results_file(folder_.path() / "results.jsonl").value();
  EXPECT_EQ(std::ssize(all.frames), frames);
  EXPECT_EQ(all.damaged_lines, 21);
  EXPECT_EQ(all.frames.front().versions, all.frames.back().versions) << "shared";
}

TEST_F(ReadingTest, ResultsWithoutLinesOrHeader) {
  EXPECT_EQ(ResultsReader::open(folder_.path() / "none").error().kind, ErrorKind::not_found);
  EXPECT_EQ(ResultsReader::open(file("a", "")).error().kind, ErrorKind::bad_data);
  EXPECT_EQ(ResultsReader::open(file("b", "\n")).error().kind, ErrorKind::bad_data);
  for (const char* end : {"", "\n", "\n\n"}) {
    const Result<StoredResults> read = read_results_file(file("c", std::string(kHeader) + end));
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->frames.empty());
    EXPECT_EQ(read->damaged_lines, 0);
  }
}

TEST_F(ReadingTest, ALineLongerThanAPieceIsOneLine) {
  const std::string spaces(size_t{9} << 20, ' ');
  const Result<StoredResults> read = read_results_file(
      file("long", std::string(kHeader) + "\n" + R"({"frame":3,)" + spaces + R"("people":null})"));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->frames.size(), 1u);
  EXPECT_EQ(read->frames[0].frame, 3);
}

std::string row(int64_t frame, int64_t id, double x_m) {
  return fmt::format("{},{},-1,-1,-1,-1,0.700,{:.4f},0.5000,0.0000,1.7000", frame, id, x_m);
}

TEST_F(ReadingTest, TracksOfManyRows) {
  const int64_t frames = 40'000;
  std::string text = "frame,id,left,top,width,height,confidence,x,y,z,height\n";
  for (int64_t frame = 1; frame <= frames; ++frame)
    for (const int64_t id : {9, 4}) text += row(frame, id, 0.001 * static_cast<double>(frame)) + "\r\n";
  text += "7,12,-1,-1,-1,-1,0,2,3";  // without z, height and newline
  ASSERT_GT(text.size(), size_t{4} << 20);
  const Result<std::vector<PersonPath>> paths = read_paths(file("tracks.csv", text));
  ASSERT_TRUE(paths) << paths.error().message();
  ASSERT_EQ(paths->size(), 3u);
  EXPECT_EQ(paths->at(0).id, 4);
  EXPECT_EQ(paths->at(1).id, 9);
  for (const size_t i : {0, 1}) {
    ASSERT_EQ(std::ssize((*paths)[i].points), frames);
    EXPECT_EQ((*paths)[i].points[20'000].frame, 20'000);
    EXPECT_EQ((*paths)[i].points[20'000].x_m, 20.001);
    EXPECT_TRUE((*paths)[i].points.back().seen);
  }
  const PathPoint bridged = paths->at(2).points[0];
  EXPECT_FALSE(bridged.seen);
  EXPECT_EQ(bridged.frame, 6);
  EXPECT_EQ(bridged.y_m, 3);
  EXPECT_EQ(bridged.height_m, 0);
}

TEST_F(ReadingTest, TracksNameTheLineThatIsWrong) {
  std::string text;
  for (int64_t frame = 1; frame <= 100'000; ++frame) text += row(frame, 1, 1) + "\n";
  ASSERT_GT(text.size(), size_t{5} << 20) << "behind the first piece";
  const auto message = [&](const std::string& more) {
    return read_paths(file("tracks.csv", text + more)).error().message();
  };
  EXPECT_NE(message("1,2,x,4,5,6\n").find("tracks.csv, line 100001"), std::string::npos);
  EXPECT_NE(message("\n1,2,3\n").find("tracks.csv, line 100002"), std::string::npos);
  EXPECT_NE(message("frame,id\n").find("line 100001"), std::string::npos) << "names of columns come first";
  EXPECT_NE(message(row(50'000, 1, 2)).find("person 1 appears twice in frame 50000"), std::string::npos);
}

TEST_F(ReadingTest, TracksOutOfOrderAreSorted) {
  const auto paths = read_paths(file("tracks.csv", row(3, 1, 3) + "\n" + row(1, 1, 1) + "\n" + row(2, 1, 2)));
  ASSERT_TRUE(paths);
  for (const int64_t i : {0, 1, 2}) {
    EXPECT_EQ(paths->at(0).points[i].frame, i);
    EXPECT_EQ(paths->at(0).points[i].x_m, static_cast<double>(i + 1));
  }
}

}  // namespace
}  // namespace vantage
