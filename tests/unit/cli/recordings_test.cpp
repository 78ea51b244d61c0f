// evaluate --recordings: real recordings analysed and judged by one command.
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/json.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::CliTest;
using test::Finished;
namespace fs = std::filesystem;

class RecordingsCliTest : public CliTest {
 protected:
  // CMC1, with its ground truth shifted by that distance.
  void copy_recording(const fs::path& from, double shift_m) {
    const fs::path to = folder_.path() / "data/cmc-detections";
    fs::create_directories(to);
    for (const auto& file : fs::directory_iterator(from))
      if (file.path().filename().string().rfind("CMC1_Cam", 0) == 0 || file.path().extension() == ".json")
        fs::copy_file(file.path(), to / file.path().filename());
    std::ifstream truth(from / "CMC1_gt.txt");
    std::ofstream shifted(to / "CMC1_gt.txt");
    for (std::string line; std::getline(truth, line);) {
      std::vector<std::string> columns;
      std::istringstream parts(line);
      for (std::string part; std::getline(parts, part, ',');) columns.push_back(part);
      columns.at(8) = std::to_string(std::stod(columns.at(8)) + shift_m);
      for (size_t i = 0; i < columns.size(); ++i) shifted << (i > 0 ? "," : "") << columns[i];
      shifted << '\n';
    }
  }
  json figures() const {
    const Finished finished =
        cli({"evaluate", "--recordings", path("data"), "--only", "three people", "--json"});
    EXPECT_EQ(finished.code, 0) << finished.err;
    const json scores = parse_json(finished.out);
    return scores.is_array() && scores.size() == 1 ? scores[0]["figures"] : json::array();
  }
};

TEST_F(RecordingsCliTest, WhatIsAskedStandsBesideWhatIsReached) {
  VANTAGE_NEED_DATA(folder, "cmc-detections");
  copy_recording(folder, 0);
  const json reached = figures();
  ASSERT_EQ(reached.size(), 4u);
  for (const json& figure : reached) {
    if (figure.contains("asked")) {
      EXPECT_TRUE(figure["met"].get<bool>()) << json_text(figure);
    }
  }
  EXPECT_EQ(reached[0]["name"], "MODA");
  EXPECT_GE(reached[0]["value"].get<double>(), 0.995);
}

TEST_F(RecordingsCliTest, WhatIsMissedIsSaid) {
  VANTAGE_NEED_DATA(folder, "cmc-detections");
  copy_recording(folder, 0.2);
  const json reached = figures();
  ASSERT_EQ(reached.size(), 4u);
  EXPECT_EQ(reached[2]["name"], "error on the floor");
  EXPECT_GT(reached[2]["value"].get<double>(), 0.1);
  EXPECT_FALSE(reached[2]["met"].get<bool>());
}

TEST_F(RecordingsCliTest, AFolderWithoutARecordingIsAnError) {
  const Finished finished = cli({"evaluate", "--recordings", folder_.path().string()});
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.err.find("cmc-detections"), std::string::npos) << finished.err;
  EXPECT_EQ(cli({"evaluate", "--result", "tracks.csv"}).code, 2) << "nothing to judge it by";
}

}  // namespace
}  // namespace vantage
