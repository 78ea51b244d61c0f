// The script of the guide's page on a researcher's day, run unchanged.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/project/project.h"
#include "core/synth/synth.h"
#include "tests/support/cli_fixture.h"

namespace vantage {
namespace {

class ResearchScript : public test::CliTest {};

TEST_F(ResearchScript, LeadsFromAWrongThresholdToATestedOne) {
  SynthOptions options;
  options.cameras = 4, options.people = 2, options.area_m = 4;
  options.seconds = 4, options.frame_rate = 10;
  options.width_px = 320, options.height_px = 240, options.seed = 7;
  ASSERT_TRUE(render_recording(options, path("hall"), [](double) {}, StopSource()));
  const std::string project = path("hall/hall.vantage"), out = path("out");
  const std::string command = "VANTAGE_CLI='" VANTAGE_CLI "' '" VANTAGE_RESEARCH_SCRIPT "' '" + project +
                              "' '" + path("hall/truth/tracks.csv") + "' '" + out + "' > '" + path("log") +
                              "' 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << read_file(path("log")).value_or("");
  EXPECT_NE(read_file(out + "/why.txt").value().find("people.min_height_m"), std::string::npos);
  EXPECT_FALSE(parse_json(read_file(out + "/difference.json").value())["differences"].empty());
  const Project best = load_project(project).value();
  EXPECT_LT(*best.parameters.get("people", "min_height_m"), 1.97);
  for (const char* file : {"/plan.png", "/plan.mp4", "/sweep/sweep.csv"})
    EXPECT_GT(std::filesystem::file_size(out + file), 100u) << file;
}

}  // namespace
}  // namespace vantage
