// vantage-cli evaluate beyond the figures of all frames: OSPA and GOSPA, intervals, a second result, parts of
// the recording, the worst instants.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/project/project_store.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/expect_report.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::expect_report;
using test::Finished;

std::string row(int frame, int id, double x_m) {
  return std::to_string(frame) + "," + std::to_string(id) + ",-1,-1,-1,-1,1," + std::to_string(x_m) +
         ",0,0\n";
}

class EvaluateCliTest : public test::CliTest {
 protected:
  static constexpr int kFrames = 300;
  // Two people. A misses the second in frames 41 to 50 of every hundred and finds the first 0.1 m off; B
  // finds both, but a false person, too, in every third frame.
  void SetUp() override {
    std::string truth, a, b;
    for (int frame = 1; frame <= kFrames; ++frame) {
      truth += row(frame, 1, 0) + row(frame, 2, 5);
      a += row(frame, 1, 0.1);
      if (frame % 100 < 41 || frame % 100 > 50) a += row(frame, 2, 5);
      b += row(frame, 1, 0) + row(frame, 2, 5);
      if (frame % 3 == 0) b += row(frame, 3, 9);
    }
    ASSERT_TRUE(write_file_atomically(path("truth.csv"), truth));
    ASSERT_TRUE(write_file_atomically(path("a.csv"), a));
    ASSERT_TRUE(write_file_atomically(path("b.csv"), b));
  }
  std::vector<std::string> words(std::vector<std::string> more) const {
    std::vector<std::string> all = {"evaluate", "--gt", path("truth.csv"), "--result", path("a.csv"),
                                    "--space",  "world"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  json evaluated(std::vector<std::string> more) const {
    more.emplace_back("--json");
    const Finished finished = cli(words(more));
    EXPECT_EQ(finished.code, 0) << finished.err;
    return parse_json(finished.out);
  }
};

// Results of the first 100 of 300 annotated frames.
TEST_F(EvaluateCliTest, FramesWithoutResultsAreStatedAndCanBeLeftOut) {
  std::string tracks, results =
                          R"({"schema":"vantage-results-1","version":"0","device":"CPU","frame_rate":25.0})"
                          "\n";
  for (int frame = 1; frame <= 100; ++frame) {
    tracks += row(frame, 1, 0) + row(frame, 2, 5);
    results += R"({"frame":)" + std::to_string(frame - 1) +
               R"(,"versions":{},"people":{"count":2,"people":[],"rejected":[]}})" + "\n";
  }
  std::filesystem::create_directories(path("some"));
  ASSERT_TRUE(write_file_atomically(path("some/tracks.csv"), tracks));
  ASSERT_TRUE(write_file_atomically(path("some/results.jsonl"), results));
  const auto of = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"evaluate",   "--gt",    path("truth.csv"), "--result",
                                      path("some"), "--space", "world",           "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = cli(words);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return parse_json(finished.out);
  };
  const json all = of({}), analysed = of({"--analysed"});
  EXPECT_NEAR(all["clear"]["moda"].get<double>(), 1.0 / 3, 1e-9);
  EXPECT_EQ(all["notes"].dump(),
            "[\"200 of 300 annotated frames have no results: their people count as missed (--analysed leaves "
            "them out)\"]");
  EXPECT_EQ(analysed["clear"]["moda"].get<double>(), 1);
  EXPECT_EQ(analysed["frames"], 100);
  EXPECT_EQ(analysed["notes"].dump(), "[\"200 of 300 annotated frames have no results: they are left out\"]");
  const Finished file = cli(words({"--analysed"}));
  EXPECT_NE(file.code, 0);
  EXPECT_NE(file.err.find("which frames were analysed"), std::string::npos) << file.err;
}

TEST_F(EvaluateCliTest, SaysOspaAndGospa) {
  const json sets = evaluated({})["sets"];
  EXPECT_EQ(sets["cutoff_m"], 0.5);
  // In a tenth of the frames one is missed.
  EXPECT_NEAR(sets["gospa_m"].get<double>(), 0.1 + 0.1 * 0.25, 1e-9);
  EXPECT_NEAR(sets["gospa_localisation"].get<double>(), 0.1, 1e-9);
  EXPECT_NEAR(sets["gospa_missed"].get<double>(), 0.025, 1e-9);
  EXPECT_EQ(sets["gospa_false"], 0.0);
  EXPECT_NEAR(sets["ospa_m"].get<double>(), 0.9 * 0.05 + 0.1 * 0.3, 1e-9);
  const json wide = evaluated({"--cutoff", "2", "--order", "2"})["sets"];
  EXPECT_EQ(wide["cutoff_m"], 2.0);
  EXPECT_NEAR(wide["gospa_missed"].get<double>(), 0.1 * 2, 1e-9) << "c^p / 2";
  EXPECT_NE(cli(words({})).out.find("OSPA 0.075 m  GOSPA 0.125 m"), std::string::npos);
  EXPECT_EQ(cli(words({"--order", "0.5"})).code, 2);
}

TEST_F(EvaluateCliTest, ReportsAllThatIsAskedFor) {
  for (const auto& [name, more] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"evaluate", {}},
           {"evaluate_more",
            {"--intervals", "--block", "20", "--against", path("b.csv"), "--moments", "3", "--by", "time",
             "--parts", "2"}},
           {"evaluate_people", {"--by", "person", "--moments", "1", "--result-from", "0"}}}) {
    expect_report(name, cli(words(more)).out);
    std::vector<std::string> as_json = more;
    as_json.emplace_back("--json");
    expect_report(name, cli(words(as_json)).out, true);
  }
}

TEST_F(EvaluateCliTest, IntervalsAreTheSameEachTime) {
  const Finished once = cli(words({"--intervals"})), again = cli(words({"--intervals"}));
  EXPECT_EQ(once.code, 0) << once.err;
  EXPECT_EQ(once.out, again.out);
  EXPECT_NE(once.out.find("95 % intervals: 2000 samples"), std::string::npos);
  EXPECT_NE(once.out.find("identities of the whole recording"), std::string::npos);
  const json moda = evaluated({"--intervals", "--block", "20"})["intervals"]["moda"];
  EXPECT_LT(moda["from"], moda["value"]);
  EXPECT_GT(moda["to"], moda["value"]);
  EXPECT_EQ(moda["block"], 20);
  const json short_of = evaluated({"--intervals", "--block", "100"})["intervals"]["moda"];
  EXPECT_TRUE(short_of["from"].is_null());
  EXPECT_NE(short_of["unknown"].get<std::string>().find("10 blocks of 100 are needed"), std::string::npos);
}

TEST_F(EvaluateCliTest, ASecondResultIsBetterWorseOrNotToldApart) {
  const json against = evaluated({"--against", path("b.csv"), "--block", "20"})["against"];
  EXPECT_EQ(against["recall"]["verdict"], "better");
  EXPECT_EQ(against["precision"]["verdict"], "worse");
  EXPECT_EQ(against["floor_error_m"]["verdict"], "better");
  EXPECT_NEAR(against["recall"]["difference"]["value"].get<double>(), 0.05, 1e-9);
  EXPECT_GT(against["recall"]["difference"]["from"], 0);
  const json same = evaluated({"--against", path("a.csv")})["against"];
  EXPECT_EQ(same["moda"]["verdict"], "not told apart");
  EXPECT_NE(cli(words({"--against", path("b.csv"), "--block", "20"})).out.find("better"), std::string::npos);
}

TEST_F(EvaluateCliTest, Parts) {
  const json times = evaluated({"--by", "time", "--parts", "3"})["parts"];
  ASSERT_EQ(times.size(), 3u);
  EXPECT_EQ(times[0]["part"], "0-99");
  EXPECT_EQ(times[2]["last_frame"], 299);
  EXPECT_NEAR(times[1]["recall"].get<double>(), 0.95, 1e-9);
  const json people = evaluated({"--by", "person", "--table", path("people.csv")})["parts"];
  ASSERT_EQ(people.size(), 2u);
  EXPECT_EQ(people[0]["recall"], 1.0);
  EXPECT_NEAR(people[1]["recall"].get<double>(), 0.9, 1e-9);
  EXPECT_FALSE(people[0].contains("precision")) << "nobody is false to one person";
  const std::string table = read_file(path("people.csv")).value();
  EXPECT_EQ(table.substr(0, 35), "part,first_frame,last_frame,frames,");
  EXPECT_NE(table.find("\n2,0,299,300,"), std::string::npos) << table;
}

TEST_F(EvaluateCliTest, ZonesAreTheProjects) {
  EXPECT_EQ(cli(words({"--by", "zone"})).code, 1) << "of no project";
  Project project;
  project.path = path("hall.vantage");
  project.cameras.push_back({.name = "cam1", .video = path("none.mp4")});
  project.zones.push_back({"far", {{4, -1}, {6, -1}, {6, 1}, {4, 1}}});
  project.zones.push_back({"empty", {{40, -1}, {60, -1}, {60, 1}}});
  ASSERT_TRUE(save_project(project, project.path));
  const json zones = evaluated({"--by", "zone", "--project", path("hall.vantage")})["parts"];
  ASSERT_EQ(zones.size(), 1u) << "nobody is in the other one";
  EXPECT_EQ(zones[0]["part"], "far");
  EXPECT_NEAR(zones[0]["recall"].get<double>(), 0.9, 1e-9);
  const Finished uncalibrated = cli(words({"--by", "cameras", "--project", path("hall.vantage")}));
  EXPECT_EQ(uncalibrated.code, 1);
  EXPECT_NE(uncalibrated.err.find("Calibrate the cameras"), std::string::npos) << uncalibrated.err;
}

TEST_F(EvaluateCliTest, WorstMoments) {
  const json moments = evaluated({"--moments", "2"})["moments"];
  ASSERT_EQ(moments.size(), 2u) << "of three";
  EXPECT_EQ(moments[0]["kind"], "missed");
  EXPECT_EQ(moments[0]["frame"], 40) << "from 0";
  EXPECT_EQ(moments[0]["amount"], 10.0);
  EXPECT_NE(cli(words({"--moments", "5"})).out.find("frame 140: person 2 missed"), std::string::npos);
}

}  // namespace
}  // namespace vantage
