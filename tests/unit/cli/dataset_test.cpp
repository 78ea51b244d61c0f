// dataset: rendered footage in the layouts of public footage of crowds, as a project, evaluated.
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/project/crowd_dataset.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/crowd_footage.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::CliTest;
using test::Finished;

class DatasetCliTest : public CliTest {
 protected:
  void SetUp() override {
    const Finished rendered =
        cli({"synth", "--out", path("rendered"), "--cameras", "3", "--people", "4", "--area", "5", "--size",
             "320x240", "--fps", "2", "--seconds", "20", "--seed", "21"});
    ASSERT_EQ(rendered.code, 0) << rendered.err;
  }
  static test::CrowdFootageOptions wildtrack() {
    test::CrowdFootageOptions options;
    options.names = {"CVLab1", "CVLab2", "IDIAP1"};
    return options;
  }
  // The other layout: numbers without gaps, and matrices.
  static test::CrowdFootageOptions multiviewx() {
    test::CrowdFootageOptions options;
    options.grid = kMultiviewX, options.unit_m = 1, options.moved_m = {8, 7}, options.step = 1;
    options.matrices = true, options.lens_folder = "intrinsic";
    options.names = {"Camera1", "Camera2", "Camera3"};
    return options;
  }
  json evaluated(const std::string& layout) const {
    const Finished finished = cli({"dataset", layout, path("crowd"), "--out", path("made/crowd.vantage"),
                                   "--detections", path("crowd/boxes_C1.txt"), path("crowd/boxes_C2.txt"),
                                   path("crowd/boxes_C3.txt"), "--evaluate", "--backend", "cpu", "--json"});
    EXPECT_EQ(finished.code, 0) << finished.err;
    return parse_json(finished.out);
  }
  // Four people, nearly always visible: any rotation or displacement would be noticed.
  void expect_found(const json& made) const {
    ASSERT_TRUE(made.is_object());
    EXPECT_EQ(made["cameras"], 3);
    EXPECT_EQ(made["frames"], 40);
    ASSERT_EQ(made["evaluation"].size(), 2u);
    const json &test = made["evaluation"][0], &all = made["evaluation"][1];
    EXPECT_EQ(test["frames"], 4);
    EXPECT_EQ(test["people"], 16);
    EXPECT_EQ(all["people"], 160);
    EXPECT_GT(all["MODA"].get<double>(), 0.9) << json_text(all);
    EXPECT_GT(all["MODP"].get<double>(), 0.75) << "within 12 cm on average";
    EXPECT_GT(all["IDF1"].get<double>(), 0.8);
    const std::vector<TrackRow> truth =
        read_mot_csv(read_file(path("made/crowd.truth.csv")).value(), "truth").value();
    EXPECT_EQ(truth.size(), 160u);
  }
};

TEST_F(DatasetCliTest, CentimetresAndPlainNumbers) {
  test::write_crowd_footage(path("rendered"), wildtrack(), path("crowd"));
  expect_found(evaluated("wildtrack"));
}

TEST_F(DatasetCliTest, MetresMatricesAndAnotherGrid) {
  test::write_crowd_footage(path("rendered"), multiviewx(), path("crowd"));
  expect_found(evaluated("multiviewx"));
}

TEST_F(DatasetCliTest, AWorldWhoseZPointsDownIsTurnedWithItsTruth) {
  test::CrowdFootageOptions options = wildtrack();
  options.upside_down = true;
  test::write_crowd_footage(path("rendered"), options, path("crowd"));
  expect_found(evaluated("wildtrack"));
}

TEST_F(DatasetCliTest, WhatIsMissingOrWrongIsSaid) {
  const auto dataset = [&](const std::string& layout) {
    return cli({"dataset", layout, path("crowd"), "--out", path("crowd.vantage")});
  };
  EXPECT_EQ(cli({"dataset", "elsewhere", path("rendered"), "--out", path("x.vantage")}).code, 2);
  test::write_crowd_footage(path("rendered"), wildtrack(), path("crowd"));
  EXPECT_EQ(dataset("wildtrack").code, 0);
  namespace fs = std::filesystem;
  fs::remove(path("crowd/Image_subsets/C2/00000005.png"));
  Finished wrong = dataset("wildtrack");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.err.find("other numbers than those of C1"), std::string::npos) << wrong.err;
  fs::remove_all(path("crowd/Image_subsets/C3"));
  wrong = dataset("wildtrack");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.err.find("3 files extr_NAME.xml for 2 folders"), std::string::npos) << wrong.err;
  fs::remove(path("crowd/calibrations/extrinsic/extr_IDIAP1.xml"));
  fs::remove_all(path("crowd/Image_subsets/C2"));
  fs::copy(path("crowd/Image_subsets/C1"), path("crowd/Image_subsets/C2"));
  EXPECT_EQ(dataset("wildtrack").code, 0);
  fs::remove(path("crowd/calibrations/intrinsic_zero/intr_CVLab2.xml"));
  wrong = dataset("wildtrack");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.err.find("intr_NAME.xml"), std::string::npos) << wrong.err;
  fs::remove_all(path("crowd/Image_subsets"));
  wrong = dataset("wildtrack");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.err.find("there is no folder C1"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace vantage
