// vantage-cli doubts: its list, and that its printed answers are valid.
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/project/project.h"
#include "core/results/results_events.h"
#include "core/tracks/counting/rules.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/expect_report.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::expect_report;

constexpr int kRestartFrames = 60;

// One is lost in frame 20 and continues as two from frame 30 on, at 25 frames a second.
void write_results_of_a_restart(const std::filesystem::path& folder) {
  std::string lines = R"({"schema":"vantage-results-1","version":"0.0.9","device":"CPU","frame_rate":25.0})"
                      "\n";
  std::string csv;
  for (int frame = 0; frame < kRestartFrames; ++frame) {
    const double x = 0.04 * frame;
    lines += R"({"frame":)" + std::to_string(frame) +
             R"(,"versions":{},"cameras":[],"people":{"count":1,"people":[],"rejected":[]}})"
             "\n";
    if (frame > 20 && frame < 30) continue;
    csv += std::to_string(frame + 1) + (frame <= 20 ? ",1" : ",2") + ",-1,-1,-1,-1,0.9," + std::to_string(x) +
           ",0,0,1.7\n";
  }
  ASSERT_TRUE(make_folder(folder));
  ASSERT_TRUE(write_file_atomically(folder / "results.jsonl", lines));
  ASSERT_TRUE(write_file_atomically(folder / "tracks.csv", csv));
}

class DoubtsCliTest : public test::CliTest {
 protected:
  void SetUp() override {
    const Project project = test::make_footage(folder_.path(), 3, 12);
    project_ = project.path.string();
    write_results_of_a_restart(project.results_folder());
  }
  json listed(std::vector<std::string> words = {}) const {
    words.insert(words.begin(), {"doubts", project_, "--json"});
    const test::Finished finished = cli(words);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return parse_json(finished.out);
  }
  // "--join 20,…" as two words.
  std::vector<std::string> repair(const std::string& answer) const {
    const size_t space = answer.find(' ');
    return {"repair", project_, answer.substr(0, space), answer.substr(space + 1)};
  }
  std::string project_;
};

TEST_F(DoubtsCliTest, AnswersAreRepairsAndEndTheDoubt) {
  const json found = listed();
  ASSERT_EQ(found["doubts"].size(), 1u);
  const json doubt = found["doubts"][0];
  EXPECT_EQ(doubt["kind"], "restart");
  EXPECT_EQ(doubt["person"], 1);
  EXPECT_EQ(doubt["other"], 2);
  EXPECT_EQ(doubt["first_frame"], 20);
  EXPECT_EQ(doubt["last_frame"], 30);
  EXPECT_GT(doubt["wrong"], 0.5);
  EXPECT_TRUE(listed({"--least", "1"})["doubts"].empty());

  ASSERT_EQ(cli(repair(doubt["answers"]["right"])).code, 0);
  EXPECT_EQ(load_project(project_).value().repairs[0].kind, RepairKind::apart);
  EXPECT_TRUE(listed()["doubts"].empty());
  EXPECT_EQ(listed({"--answered"})["doubts"].size(), 1u);
  EXPECT_EQ(listed()["people"], 2);

  ASSERT_EQ(cli({"repair", project_, "--undo"}).code, 0);
  ASSERT_EQ(cli(repair(doubt["answers"]["other"])).code, 0);
  EXPECT_EQ(listed()["people"], 1);
  EXPECT_TRUE(listed()["doubts"].empty());
}

TEST_F(DoubtsCliTest, StatementsThatDoNotHoldAreListed) {
  const test::Finished same = cli({"repair", project_, "--same", "20,0.8,0,30,1.2,0"});
  EXPECT_EQ(same.code, 0);
  EXPECT_NE(same.out.find("the tracks have two people there, 1 and 2"), std::string::npos) << same.out;
  ASSERT_EQ(cli({"repair", project_, "--undo"}).code, 0);
  const test::Finished apart = cli({"repair", project_, "--apart", "0,0,0,20,0.8,0"});
  EXPECT_NE(apart.out.find("the tracks have one person there, 1"), std::string::npos) << apart.out;
}

// The same footage with a rule: both enter the shop.
TEST_F(DoubtsCliTest, EventsAreListedAndMarked) {
  Project project = load_project(project_).value();
  project.zones = {{"shop", {{0.2, -1}, {3, -1}, {3, 1}, {0.2, 1}}}};
  project.rules = {parse_rule("shop=enters,where=shop").value()};
  ASSERT_TRUE(save_project(project, project.path));
  const auto events = [&](std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"events", project_, "--json"});
    const test::Finished finished = cli(words);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return parse_json(finished.out)["events"];
  };
  const json all = events();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0]["rule"], "shop");
  EXPECT_EQ(all[0]["standing"], "new");
  const std::string person = std::to_string(all[0]["person"].get<int64_t>()),
                    frame = std::to_string(all[0]["raised_frame"].get<int64_t>());
  const std::vector<std::string> named = {"--rule", "shop", "--person", person, "--frame", frame};
  const auto marked = [&](std::vector<std::string> words) {
    words.insert(words.end(), named.begin(), named.end());
    return events(words);
  };
  ASSERT_EQ(marked({"--mark", "false_alarm", "--note", "a draught"}).size(), 1U);
  EXPECT_EQ(marked({"--mark", "seen"})[0]["note"], "a draught") << "what is not said stays";
  const EventMarks marks = read_event_marks(project.results_folder()).value();
  ASSERT_EQ(marks.size(), 1U);
  EXPECT_EQ(marks.begin()->second, (EventMark{EventStanding::seen, "a draught"}));
  EXPECT_EQ(events({"--only", "seen"}).size(), 1U);
  EXPECT_EQ(events({"--only", "new"}).size(), all.size() - 1);
  EXPECT_NE(cli({"events", project_}).out.find("a draught"), std::string::npos);
  EXPECT_EQ(cli({"events", project_, "--mark", "seen"}).code, 2) << "which?";
  EXPECT_EQ(cli({"events", project_, "--mark", "gone", "--rule", "shop", "--frame", "1"}).code, 2);
  EXPECT_EQ(cli({"events", project_, "--mark", "seen", "--rule", "shop", "--frame", "1"}).code, 1);
}

// Position, time and number of entries of both people through the shop's door.
TEST_F(DoubtsCliTest, ReportsAreAsBefore) {
  Project project = load_project(project_).value();
  project.zones = {{"shop", {{0.2, -1}, {3, -1}, {3, 1}, {0.2, 1}}}, {"yard", {{50, 0}, {60, 0}, {60, 9}}}};
  project.lines = {{"door", {0.5, -1}, {0.5, 1}}};
  project.rules = {parse_rule("shop=enters,where=shop").value()};
  ASSERT_TRUE(save_project(project, project.path));
  const auto reported = [&](const std::string& name, std::vector<std::string> words, bool exact) {
    words.insert(words.begin() + 1, project_);
    expect_report(name, cli(words).out);
    words.emplace_back("--json");
    expect_report(name, cli(words).out, exact);
  };
  reported("doubts", {"doubts"}, true);
  reported("events", {"events"}, true);
  reported("find_visits", {"find", "--in", "shop"}, false);
  reported("find_crossings", {"find", "--crossed", "door"}, false);
  ASSERT_EQ(cli({"repair", project_, "--name", "3,0.12,0,Anna"}).code, 0);
  reported("find_people", {"find"}, false);
  reported("count", {"count", "--out", path("counts")}, false);
  reported("track", {"track", "--windows", "1"}, false);
  reported("repair", {"repair", "--same", "20,0.8,0,30,1.2,0"}, true);
}

TEST_F(DoubtsCliTest, WrongUseIsTold) {
  EXPECT_EQ(cli({"doubts", project_, "--least", "2"}).code, 2);
  EXPECT_EQ(cli({"doubts", path("none.vantage")}).code, 1);
}

}  // namespace
}  // namespace vantage
