// vantage-cli truth: set, imported, merged, exported; and evaluated.
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/json.h"
#include "core/metrics/drawn_truth.h"
#include "core/metrics/wildtrack.h"
#include "core/project/project.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/expect_report.h"
#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

using nlohmann::json;

class TruthCliTest : public test::CliTest {
 protected:
  void SetUp() override { project_ = test::make_footage(folder_.path(), 3, 12).path.string(); }
  // With a name: compared with that report, and the printed text.
  json done(std::vector<std::string> words, const std::string& report = {}) const {
    words.insert(words.begin(), {"truth", project_, "--json"});
    const test::Finished finished = cli(words);
    if (!report.empty()) test::expect_report(report, finished.out);
    if (!report.empty()) test::expect_report(report, cli({"truth", project_}).out);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return parse_json(finished.out);
  }
  std::vector<TruePerson> truth() const { return load_project(project_).value().truth; }
  void draw_two() const {
    done({"--place", "1,0,0,0", "--place", "1,10,0.5,0", "--height", "1,1.8", "--place", "2,4,0.2,0.3",
          "--place", "2,8,0.2,0.3"});
  }
  std::string project_;
};

TEST_F(TruthCliTest, PositionsAreSetAndRemoved) {
  draw_two();
  EXPECT_EQ(truth(), (std::vector<TruePerson>{{1, 1.8, {{0, 0, 0}, {10, 0.5, 0}}},
                                              {2, 0, {{4, 0.2, 0.3}, {8, 0.2, 0.3}}}}));
  const json listed = done({"--leaves", "1,5", "--remove", "2,8"});
  EXPECT_EQ(listed["first"], 0);
  EXPECT_EQ(listed["last"], 10);
  EXPECT_EQ(truth()[0].keys[1], (TruthKey{5, 0.25, 0, true})) << "where the person walked";
  EXPECT_EQ(truth()[1].keys.size(), 1u);
  done({"--remove", "1"});
  EXPECT_EQ(truth().size(), 1u);
  EXPECT_EQ(cli({"truth", project_, "--remove", "7"}).code, 1);
  EXPECT_EQ(cli({"truth", project_, "--leaves", "2,9"}).code, 1) << "is not there";
  for (const char* wrong : {"1,2,3", "0,1,2,3", "1,-1,0,0", "1,x,0,0", "1,2,inf,0", "1,2,3,4,"})
    EXPECT_EQ(cli({"truth", project_, "--place", wrong}).code, 2) << wrong;
  EXPECT_EQ(truth().size(), 1u) << "nothing of a wrong command is kept";
}

TEST_F(TruthCliTest, ExportsAreReadBackTheSame) {
  draw_two();
  const std::vector<TruePerson> drawn = truth();
  done({"--out", path("truth.csv")});
  done({"--clear", "--import", path("truth.csv")});
  // Every row is set, including those between two set by hand.
  const std::vector<TruePerson> read = truth();
  ASSERT_EQ(read.size(), drawn.size());
  EXPECT_EQ(read[0].keys.size(), 11u);
  EXPECT_EQ(read[1].keys.size(), 5u);
  for (size_t person = 0; person < drawn.size(); ++person) {
    EXPECT_EQ(read[person].id, drawn[person].id);
    EXPECT_EQ(read[person].height_m, drawn[person].height_m);
    for (int64_t frame = 0; frame < 12; ++frame) {
      const auto at = true_position(read[person], frame), was = true_position(drawn[person], frame);
      ASSERT_EQ(at.has_value(), was.has_value()) << frame;
      if (at) EXPECT_NEAR(std::hypot(at->x_m - was->x_m, at->y_m - was->y_m), 0, 1e-4) << frame;
    }
  }
  EXPECT_EQ(cli({"truth", project_, "--import", path("truth.csv")}).code, 1) << "there is some already";
  done({"--out", path("annotations"), "--format", "wildtrack"});
  const WildtrackTracks tracks = read_wildtrack(path("annotations"), {}).value();
  EXPECT_EQ(tracks.frames.size(), 11u);
  done({"--clear", "--import", path("annotations")});
  ASSERT_EQ(truth().size(), 2u);
  EXPECT_EQ(truth()[1].keys.front().frame, 4);
  EXPECT_NEAR(truth()[1].keys.front().y_m, 0.3, 0.0126) << "half a cell of 2.5 cm";
  EXPECT_EQ(cli({"truth", project_, "--clear", "--import", path("missing.csv")}).code, 1);
  EXPECT_EQ(truth().size(), 2u) << "what was drawn is there after a failure";
}

TEST_F(TruthCliTest, CocoHasABoxForEveryCameraThatSeesSomebody) {
  draw_two();
  done({"--out", path("truth.json"), "--format", "coco"});
  const json coco = parse_json(read_file(path("truth.json")).value());
  EXPECT_EQ(coco["images"].size(), 33u) << "3 cameras, 11 frames";
  EXPECT_EQ(coco["annotations"].size(), 3u * (11 + 5));
  for (const json& one : coco["annotations"]) {
    const json& image = coco["images"][one["image_id"].get<size_t>() - 1];
    EXPECT_GE(one["bbox"][0].get<double>(), 0);
    EXPECT_LE(one["bbox"][0].get<double>() + one["bbox"][2].get<double>(), image["width"].get<double>());
    EXPECT_NEAR(one["area"].get<double>(), one["bbox"][2].get<double>() * one["bbox"][3].get<double>(), 1e-6);
  }
  const std::string camera = load_project(project_).value().cameras[1].name;
  done({"--out", path("boxes.csv"), "--camera", camera});
  const auto rows = read_mot_csv(read_file(path("boxes.csv")).value(), "boxes").value();
  EXPECT_EQ(rows.size(), 16u);
  EXPECT_GT(rows[0].width_px, 0);
  EXPECT_EQ(cli({"truth", project_, "--out", path("x.csv"), "--camera", "nobody"}).code, 2);
}

TEST_F(TruthCliTest, MergingListsDisagreements) {
  draw_two();
  const std::string theirs = path("theirs.vantage");
  std::filesystem::copy_file(project_, theirs);
  done({"--remove", "2"});
  ASSERT_EQ(cli({"truth", theirs, "--place", "1,10,0.5,0.8"}).code, 0);
  const json merged = done({"--merge", theirs}, "truth")["merged"];
  EXPECT_EQ(merged["matched"], 1);
  EXPECT_EQ(merged["added"], 1);
  ASSERT_EQ(merged["disagreements"].size(), 2u);
  EXPECT_EQ(merged["disagreements"][0]["kind"], "only_theirs");
  EXPECT_EQ(merged["disagreements"][0]["first"], 4);
  EXPECT_EQ(merged["disagreements"][1]["kind"], "apart");
  EXPECT_EQ(merged["disagreements"][1]["first"], 7) << "8 cm farther apart each frame";
  EXPECT_EQ(merged["disagreements"][1]["last"], 10);
  EXPECT_EQ(truth().size(), 2u);
}

TEST_F(TruthCliTest, EvaluateTakesAProjectAsGroundTruth) {
  const std::vector<std::string> words = {"evaluate",         "--gt",    project_, "--result",
                                          path("tracks.csv"), "--space", "world",  "--json"};
  std::string rows;
  for (int frame = 1; frame <= 12; ++frame)
    rows += std::to_string(frame) + ",9,-1,-1,-1,-1,1," + std::to_string(0.05 * (frame - 1)) + ",0,0\n";
  ASSERT_TRUE(write_file_atomically(path("tracks.csv"), rows));
  EXPECT_EQ(cli(words).code, 1) << "nobody was drawn";
  done({"--place", "1,0,0,0", "--place", "1,5,0.25,0"});
  const test::Finished finished = cli(words);
  ASSERT_EQ(finished.code, 0) << finished.err;
  const json figures = parse_json(finished.out);
  EXPECT_EQ(figures["true_rows"], 6);
  EXPECT_EQ(figures["given_rows"], 6) << "frames that nobody annotated count for nothing";
  EXPECT_EQ(figures["clear"]["moda"], 1.0);
  EXPECT_NEAR(figures["places"]["floor_error_m"].get<double>(), 0, 1e-6);
  EXPECT_EQ(cli({"evaluate", "--gt", project_, "--result", path("tracks.csv")}).code, 2)
      << "there are no boxes to compare";
}

}  // namespace
}  // namespace vantage
