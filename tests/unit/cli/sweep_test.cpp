// vantage-cli sweep: each point equals a run over the same frames, stopped and continued without loss.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/synth/synth.h"
#include "tests/support/cli_fixture.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::Finished;
namespace fs = std::filesystem;

class SweepCliTest : public test::CliTest {
 protected:
  // Rendered once; every test has its own copy, since kept data is next to the project.
  static const fs::path& hall() {
    static const test::TemporaryFolder rendered;
    static const fs::path folder = [] {
      SynthOptions options;
      options.cameras = options.people = 3;
      options.seconds = 50 / options.frame_rate;
      options.width_px = 320, options.height_px = 240;
      options.truth_interval_frames = 100'000;
      EXPECT_TRUE(render_recording(options, rendered.path() / "hall", {}, {}));
      return rendered.path() / "hall";
    }();
    return folder;
  }
  void SetUp() override {
    fs::copy(hall(), folder_.path() / "hall", fs::copy_options::recursive);
    project_ = path("hall/hall.vantage"), truth_ = path("hall/truth/tracks.csv");
  }

  std::vector<std::string> command(const std::string& out) const {
    return {
        "sweep", project_, "--set-range", "people.min_own=0.1,0.3,0.6", "--tune", "0:30",   "--test", "30:50",
        "--gt",  truth_,   "--metric",    "idf1,moda,count,litres",     "--out",  path(out)};
  }
  std::vector<std::vector<std::string>> rows(const std::string& file) const {
    std::vector<std::vector<std::string>> rows;
    std::istringstream in(read_file(path(file)).value_or(""));
    for (std::string line; std::getline(in, line);) {
      rows.emplace_back();
      std::istringstream fields(line);
      for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
    }
    return rows;
  }
  json measured(const std::string& out) const {
    return parse_json_or_throw(read_file(path(out + "/sweep.json")).value_or("{}"));
  }

  std::string project_, truth_;
};

TEST_F(SweepCliTest, PointsAreWhatARunGives) {
  const Finished swept = cli(command("sweep"));
  ASSERT_EQ(swept.code, 0) << swept.err;
  const json sweep = measured("sweep");
  ASSERT_EQ(sweep["points"].size(), 3u);
  EXPECT_TRUE(sweep["finished"]);
  // Ground truth of the tuning span alone, since `evaluate` compares everything it is given.
  std::string truth;
  std::istringstream all(read_file(truth_).value());
  for (std::string line; std::getline(all, line);)
    if (std::atoi(line.c_str()) <= 30) truth += line + "\n";
  ASSERT_TRUE(write_file_atomically(path("truth.csv"), truth));
  for (const json& point : sweep["points"]) {
    const std::string value = json_text(point["values"]["people.min_own"]);
    ASSERT_EQ(cli({"run", project_, "--frames", "0:30", "--set", "people.min_own=" + value, "--out",
                   path("run"), "--force", "--kept-limit", "0"})
                  .code,
              0);
    const Finished judged =
        cli({"evaluate", "--gt", path("truth.csv"), "--result", path("run"), "--space", "world", "--json"});
    ASSERT_EQ(judged.code, 0) << judged.err;
    const json metrics = parse_json_or_throw(judged.out);
    EXPECT_EQ(point["tune"]["idf1"]["value"], metrics["identity"]["idf1"]) << value;
    EXPECT_EQ(point["tune"]["moda"]["value"], metrics["clear"]["moda"]) << value;
    EXPECT_EQ(point["tune"]["idf1"]["blocks"].size(), 8u);
  }
  const auto table = rows("sweep/sweep.csv");
  ASSERT_EQ(table.size(), 4u);
  EXPECT_EQ(table[0].front(), "point");
  EXPECT_EQ(table[0][1], "people.min_own");
  EXPECT_EQ(table[0].back(), "as_good");
  EXPECT_EQ(read_file(path("sweep/sweep.svg")).value_or("").substr(0, 4), "<svg");
  const size_t best = sweep["best"]["point"];
  for (const json& point : sweep["points"])
    EXPECT_LE(point["tune"]["idf1"]["value"], sweep["points"][best]["tune"]["idf1"]["value"]);
}

TEST_F(SweepCliTest, MomentsAreAsManyAsTheMetricCounts) {
  std::vector<std::string> words = command("recall");
  words[3] = "people.min_height_m=1,2", words[11] = "recall";  // no one is 2 m tall
  ASSERT_EQ(cli(words).code, 0);
  const auto moments = rows("recall/moments.csv");
  ASSERT_GT(moments.size(), 1u);
  EXPECT_EQ(moments[0][4], "kind");
  std::map<std::string, double> missed;  // keyed by point and span
  for (size_t i = 1; i < moments.size(); ++i) {
    const auto& row = moments[i];
    ASSERT_EQ(row.size(), moments[0].size()) << i;
    const bool tune = row[2] == "tune";
    EXPECT_EQ(row[4], "missed");
    EXPECT_GE(std::atoi(row[6].c_str()), tune ? 0 : 30) << i;
    EXPECT_LT(std::atoi(row[7].c_str()), tune ? 30 : 50) << i;
    missed[row[0] + row[2]] += std::atof(row[14].c_str());
  }
  for (const json& point : measured("recall")["points"]) {
    const std::string number = json_text(point["point"]);
    EXPECT_NEAR(point["tune"]["recall"]["value"], 1 - missed[number + "tune"] / 90, 1e-9) << number;
    EXPECT_NEAR(point["test"]["recall"]["value"], 1 - missed[number + "test"] / 60, 1e-9) << number;
  }
  EXPECT_EQ(missed["1tune"], 90) << "3 people over 30 frames";
}

TEST_F(SweepCliTest, ContinuesWhereItWasStopped) {
  ASSERT_EQ(cli(command("whole")).code, 0);
  ASSERT_EQ(cli(command("stopped")).code, 0);
  const std::string points = read_file(path("stopped/points.jsonl")).value();
  const size_t first = points.find('\n') + 1;
  // A crash leaves one point, and half of the next.
  ASSERT_TRUE(write_file_atomically(path("stopped/points.jsonl"), points.substr(0, first + 40)));
  ASSERT_EQ(cli(command("stopped")).code, 0);
  for (const char* file : {"points.jsonl", "sweep.csv", "sweep.json", "moments.csv"})
    EXPECT_EQ(read_file(path(std::string("stopped/") + file)).value(),
              read_file(path(std::string("whole/") + file)).value())
        << file;
}

TEST_F(SweepCliTest, AnotherSweepIsNotMixedIn) {
  ASSERT_EQ(cli(command("sweep")).code, 0);
  std::vector<std::string> other = command("sweep");
  other[3] = "people.min_own=0.2,0.4";
  const Finished refused = cli(other);
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("--replace"), std::string::npos) << refused.err;
  EXPECT_EQ(measured("sweep")["points"].size(), 3u) << "nothing is lost";
  other.emplace_back("--replace");
  EXPECT_EQ(cli(other).code, 0);
  EXPECT_EQ(measured("sweep")["points"].size(), 2u);
}

TEST_F(SweepCliTest, TwoParametersMakeAHeatMapAndRandomOnesATable) {
  const std::vector<std::string> base = {"sweep", project_, "--tune", "0:20", "--metric", "count,tracks"};
  std::vector<std::string> pairs = base;
  pairs.insert(pairs.end(), {"--set-range", "tracking.keep_s=0.2:1:2", "--set-range",
                             "people.min_height_m=1,1.6", "--out", path("pairs")});
  const Finished swept = cli(pairs);
  ASSERT_EQ(swept.code, 0);
  EXPECT_NE(swept.err.find("tracking.keep_s changes no ID here"), std::string::npos) << swept.err;
  const json sweep = measured("pairs");
  ASSERT_EQ(sweep["points"].size(), 4u);
  EXPECT_EQ(sweep["parameters"][0]["key"], "people.min_height_m") << "the earlier stage's first";
  EXPECT_TRUE(sweep["best"].is_null()) << "more people are neither better nor worse";
  EXPECT_NE(read_file(path("pairs/sweep.svg")).value_or("").find("tracking.keep_s (s)"), std::string::npos);
  EXPECT_EQ(rows("pairs/moments.csv").size(), 1u) << "a count of people counts nobody as wrong";
  std::vector<std::string> random = base;
  random.insert(random.end(), {"--set-range", "tracking.keep_s=0.2:1", "--set-range",
                               "people.min_own=0.1:0.5", "--set-range", "people.min_fill=0.2:0.6", "--random",
                               "3", "--set", "tracking.method=greedy", "--out", path("random")});
  const Finished by_frames = cli(random);
  ASSERT_EQ(by_frames.code, 0);
  EXPECT_EQ(by_frames.err.find("changes no ID"), std::string::npos) << by_frames.err;
  for (const json& point : measured("random")["points"]) {
    EXPECT_GE(point["values"]["people.min_own"], 0.1);
    EXPECT_LE(point["values"]["people.min_own"], 0.5);
  }
}

TEST_F(SweepCliTest, WrongUsageIsNamed) {
  const auto refused = [&](size_t at, const std::string& word, const char* says) {
    std::vector<std::string> words = command("sweep");
    words[at] = word;
    const Finished finished = cli(words);
    EXPECT_EQ(finished.code, 2) << word;
    EXPECT_NE(finished.err.find(says), std::string::npos) << finished.err;
  };
  refused(3, "people.min_owm=0.1,0.2", "min_own");
  refused(3, "people.min_own=0.1:0.5", "MIN:MAX:STEPS");
  refused(3, "people.min_own=0.1,7", "0 to 1");
  refused(3, "people.source=volume:fused:2", "list its values");
  refused(7, "20:50", "in common");
  refused(11, "idf2", "there is no metric 'idf2'");
  EXPECT_FALSE(fs::exists(path("sweep")));
}

}  // namespace
}  // namespace vantage
