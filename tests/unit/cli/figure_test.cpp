// vantage-cli figure: sizes, captions, wrong usage, and a film that is stopped.
#include <chrono>
#include <csignal>
#include <thread>

#include "core/base/file.h"
#include "core/image/image_files.h"
#include "core/synth/synth.h"
#include "tests/support/cli_fixture.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

class FigureCliTest : public test::CliTest {
 protected:
  void SetUp() override {
    SynthOptions options;
    options.cameras = 2, options.people = 2, options.seconds = 2, options.frame_rate = 10;
    options.width_px = 320, options.height_px = 240, options.area_m = 4;
    ASSERT_TRUE(render_recording(options, path("hall"), {}, {}));
  }
  std::vector<std::string> words(std::vector<std::string> more) const {
    std::vector<std::string> words = {"figure", path("hall/hall.vantage"), "--backend", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(FigureCliTest, APictureHasTheStatedSizeAndCaption) {
  const auto made = cli(words({"--camera", "cam2", "--frame", "7", "--width", "640", "--set",
                               "carving.threshold=0.61", "--out", path("F.png"), "--json"}));
  ASSERT_EQ(made.code, 0) << made.err;
  const auto told = parse_json_or_throw(made.out);
  EXPECT_EQ(told["width_px"], 640);
  EXPECT_EQ(told["caption"][0], "hall, cam2, frame 7 (0.70 s)");
  EXPECT_NE(told["caption"].dump().find("carving.threshold"), std::string::npos);
  const auto picture = read_png_gray(path("F.png"), HostPool::shared());
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width(), 640);
  EXPECT_EQ(picture->height(), told["height_px"].get<int>());
}

TEST_F(FigureCliTest, AVariantIsDrawnWithItsParameters) {
  ASSERT_EQ(
      cli({"variants", "add", path("hall/hall.vantage"), "strict", "--set", "carving.threshold=0.9"}).code,
      0);
  const auto made =
      cli(words({"--view", "plan", "--frame", "7", "--variant", "strict", "--out", path("F.png"), "--json"}));
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("Variant strict"), std::string::npos) << made.out;
  const auto same = cli(words({"--view", "plan", "--frame", "7", "--set", "carving.threshold=0.9", "--out",
                               path("G.png"), "--json"}));
  ASSERT_EQ(same.code, 0) << same.err;
  EXPECT_NE(same.out.find("carving.threshold"), std::string::npos);
}

TEST_F(FigureCliTest, TwoVariantsAreCompared) {
  ASSERT_EQ(
      cli({"variants", "add", path("hall/hall.vantage"), "tall", "--set", "people.min_height_m=2"}).code, 0);
  const auto difference = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"--view",     "plan",   "--frame", "7",     "--against",  "tall",
                                    "--overlays", "people", "--json",  "--out", path("D.png")};
    all.insert(all.end(), more.begin(), more.end());
    return cli(words(all));
  };
  const auto made = difference({});
  ASSERT_EQ(made.code, 0) << made.err;
  const auto caption = parse_json_or_throw(made.out)["caption"];
  EXPECT_EQ(caption[1], "People: 2 only A, 0 only B, 0 apart.");
  EXPECT_NE(caption.dump().find("A: the project. B: variant tall."), std::string::npos) << caption.dump();
  const std::string at_once = read_file(path("D.png")).value();
  ASSERT_EQ(difference({"--compare-by", "side_by_side"}).code, 0);
  EXPECT_NE(read_file(path("D.png")).value(), at_once);
  const auto same = difference({"--variant", "tall"});
  ASSERT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(parse_json_or_throw(same.out)["caption"][1], "People: 0 only A, 0 only B, 0 apart.");
  EXPECT_EQ(difference({"--compare-by", "blink"}).code, 2);
  EXPECT_EQ(cli(words({"--frame", "7", "--against", "none", "--out", path("N.png")})).code, 1);
  EXPECT_EQ(cli(words({"--frame", "7", "--compare-by", "difference", "--out", path("N.png")})).code, 2);
  EXPECT_FALSE(fs::exists(path("N.png")));
}

TEST_F(FigureCliTest, TheSceneIsSeenFromWhereItIsAsked) {
  const auto made =
      cli(words({"--view", "scene", "--frame", "7", "--width", "640", "--azimuth", "-120", "--elevation",
                 "20", "--distance", "7.5", "--look-at", "0.5,-1,0.8", "--out", path("F.png"), "--json"}));
  ASSERT_EQ(made.code, 0) << made.err;
  const auto told = parse_json_or_throw(made.out);
  EXPECT_EQ(told["caption"][0], "hall, scene, frame 7 (0.70 s)");
  EXPECT_NE(told["caption"].dump().find("7.50 m from (0.50, -1.00, 0.80) m"), std::string::npos)
      << told["caption"];
  const auto fit = cli(words({"--view", "scene", "--frame", "7", "--width", "640", "--out", path("G.png")}));
  ASSERT_EQ(fit.code, 0) << fit.err;
  EXPECT_NE(read_file(path("F.png")).value(), read_file(path("G.png")).value());
}

TEST_F(FigureCliTest, AFilmOfTheSceneTurns) {
  const auto turning = cli(words({"--view", "scene", "--frame", "7", "--width", "320", "--turn", "60",
                                  "--out", path("F.mp4"), "--json"}));
  ASSERT_EQ(turning.code, 0) << turning.err;
  EXPECT_EQ(parse_json_or_throw(turning.out)["frames"], 20);  // 30 degrees a second
  const auto timed = cli(words({"--view", "scene", "--frame", "7", "--width", "320", "--turn", "60",
                                "--seconds", "0.5", "--out", path("G.mp4"), "--json"}));
  ASSERT_EQ(timed.code, 0) << timed.err;
  EXPECT_EQ(parse_json_or_throw(timed.out)["frames"], 5);
  const auto playing = cli(words({"--view", "scene", "--frames", "2:9", "--width", "320", "--turn", "60",
                                  "--out", path("H.mp4"), "--json"}));
  ASSERT_EQ(playing.code, 0) << playing.err;
  EXPECT_EQ(parse_json_or_throw(playing.out)["frames"], 7);
}

TEST_F(FigureCliTest, WrongUsageIsTwoAndWhatFailsIsOne) {
  EXPECT_EQ(cli(words({"--out", path("F.png")})).code, 2);
  EXPECT_EQ(cli(words({"--frame", "1", "--frames", "0:2", "--out", path("F.png")})).code, 2);
  EXPECT_EQ(cli(words({"--frame", "1", "--view", "attic", "--out", path("F.png")})).code, 2);
  EXPECT_EQ(cli(words({"--frame", "1", "--camera", "cam9", "--out", path("F.png")})).code, 2);
  EXPECT_EQ(cli(words({"--frame", "1", "--view", "plan", "--camera", "cam1", "--out", path("F.png")})).code,
            2);
  EXPECT_EQ(cli(words({"--frame", "1", "--azimuth", "3", "--out", path("F.png")})).code, 2);
  const std::vector<std::vector<std::string>> wrong = {
      {"--distance", "near"}, {"--distance", "-1"}, {"--look-at", "1,2"}, {"--elevation", "95"},
      {"--slice", "q=1"},     {"--color", "red"},   {"--seconds", "2"}};
  for (std::vector<std::string> one : wrong) {
    one.insert(one.end(), {"--view", "scene", "--frame", "1", "--out", path("F.png")});
    EXPECT_EQ(cli(words(one)).code, 2) << one[0] << ' ' << one[1];
  }
  EXPECT_EQ(cli(words({"--view", "scene", "--frame", "1", "--turn", "90", "--out", path("F.png")})).code, 1);
  const auto overlay = cli(words({"--frame", "1", "--overlays", "mask,floor_map", "--out", path("F.png")}));
  EXPECT_EQ(overlay.code, 2);
  EXPECT_NE(overlay.err.find("floor_map"), std::string::npos) << overlay.err;
  const auto behind = cli(words({"--frame", "100", "--out", path("F.png")}));
  EXPECT_EQ(behind.code, 1);
  EXPECT_NE(behind.err.find("has only 20 frames"), std::string::npos) << behind.err;
  EXPECT_EQ(cli(words({"--frame", "1", "--out", path("F.gif")})).code, 1);
  EXPECT_EQ(cli(words({"--frame", "1", "--variant", "none", "--out", path("F.png")})).code, 1);
  EXPECT_FALSE(fs::exists(path("F.png")));
}

TEST_F(FigureCliTest, AFilmThatIsStoppedIsNotThere) {
  fs::create_directory(path("films"));
  const pid_t child = start(
      words({"--frames", "0:20", "--width", "2560", "--overlays", "none", "--out", path("films/F.mp4")}));
  // While it is written there is a file under another name.
  const auto writing = [&] { return !fs::is_empty(path("films")); };
  for (int i = 0; i < 6000 && !writing(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(writing());
  ::kill(child, SIGINT);
  const auto ended = wait(child);
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_NE(ended.err.find("stopped"), std::string::npos) << ended.err;
  EXPECT_TRUE(fs::is_empty(path("films")));
}

}  // namespace
}  // namespace vantage
