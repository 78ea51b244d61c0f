// vantage-cli calibrate boards --live, on files that are played as cameras.
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "core/calibration/formats/calibration.h"
#include "core/project/project.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/held_board_footage.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::Finished;

class LiveBoardsCliTest : public test::CliTest {
 protected:
  void write_project() {
    auto project = test::make_held_board_footage(folder_.path());
    ASSERT_TRUE(project) << project.error().message();
    for (ProjectCamera& camera : project->cameras) camera.video = "paced://" + camera.video;
    ASSERT_TRUE(save_project(*project, folder_.path() / "hall.vantage"));
  }
  static std::vector<std::string> command(std::vector<std::string> words) {
    words.insert(words.begin(), {"calibrate", "boards", "--columns", "7", "--rows", "5", "--square", "0.08"});
    return words;
  }
  Finished boards(const std::vector<std::string>& words) const { return cli(command(words)); }
  // Ends it by Ctrl-C once it has printed that.
  Finished boards_until(const std::string& told, const std::vector<std::string>& words) const {
    const pid_t child = start(command(words));
    constexpr int kLooks = 15'000;
    for (int i = 0; i < kLooks; ++i) {
      if (read_file(folder_.path() / "err").value_or("").find(told) != std::string::npos) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ::kill(child, SIGINT);
    return wait(child);
  }
};

TEST_F(LiveBoardsCliTest, SolvesAndGivesTheSameFromThePicturesKept) {
  ASSERT_NO_FATAL_FAILURE(write_project());
  const Finished live =
      boards_until("picked up 6:", {"--live", path("hall.vantage"), "--bound", "1000", "--keep", path("kept"),
                                    "--out", path("live.json"), "--json"});
  ASSERT_EQ(live.code, 0) << live.err;
  EXPECT_NE(live.err.find("picked up 1:"), std::string::npos) << live.err;
  EXPECT_NE(live.err.find("at once with right"), std::string::npos) << live.err;
  const json report = parse_json_or_throw(live.out);
  EXPECT_GE(report["frames"].size(), 5u);
  EXPECT_LT(report["cameras"][1]["rms_px"], 0.3);
  const auto calibration = read_calibration(path("live.json"), {});
  ASSERT_TRUE(calibration) << calibration.error().message();
  EXPECT_NEAR(
      (calibration->cameras[0].center_in_world_m() - calibration->cameras[1].center_in_world_m()).norm(),
      test::kHeldApart_m, 0.05);
  const Finished again = boards({"left=" + path("kept/left"), "right=" + path("kept/right"), "--every", "1",
                                 "--out", path("again.json"), "--json"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, live.out);
  EXPECT_EQ(read_file(path("again.json")).value(), read_file(path("live.json")).value());
  const Finished taken = boards({"--live", path("hall.vantage"), "--keep", path("kept")});
  EXPECT_EQ(taken.code, 1);
  EXPECT_NE(taken.err.find("holds files already"), std::string::npos) << taken.err;
}

TEST_F(LiveBoardsCliTest, SaysWhatWasNotSeenAndWhatDoesNotGoTogether) {
  ASSERT_NO_FATAL_FAILURE(write_project());
  const Finished other = cli({"calibrate", "boards", "--columns", "11", "--rows", "8", "--square", "0.08",
                              "--live", path("hall.vantage"), "--seconds", "1"});
  EXPECT_EQ(other.code, 1);
  EXPECT_NE(other.err.find("no board of 11 x 8"), std::string::npos) << other.err;
  EXPECT_NE(other.err.find("left"), std::string::npos) << other.err;
  EXPECT_EQ(boards({"--live", path("hall.vantage"), "left.mp4"}).code, 2);
  EXPECT_EQ(boards({"--live", path("hall.vantage"), "--still"}).code, 2);
  EXPECT_EQ(boards({"left.mp4", "--keep", path("kept")}).code, 2);
  EXPECT_EQ(boards({"--live", path("none.vantage")}).code, 1);
}

}  // namespace
}  // namespace vantage
