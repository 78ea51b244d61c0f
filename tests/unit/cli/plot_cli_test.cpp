// vantage-cli plot: the values of stored results.
#include <gtest/gtest.h>

#include <sstream>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/synth/synth.h"
#include "tests/support/cli_fixture.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

class PlotCliTest : public test::CliTest {
 protected:
  void SetUp() override {
    SynthOptions options;
    options.cameras = 2, options.people = 2, options.seconds = 2, options.frame_rate = 10;
    options.width_px = 320, options.height_px = 240, options.area_m = 4;
    ASSERT_TRUE(render_recording(options, path("hall"), {}, {}));
    ASSERT_EQ(cli({"run", path("hall/hall.vantage"), "--force", "--backend", "cpu"}).code, 0);
  }
  auto plot(std::vector<std::string> more) const {
    more.insert(more.begin(), {"plot", path("hall/hall.vantage")});
    return cli(more);
  }
};

TEST_F(PlotCliTest, ValuesAreThoseOfTheResults) {
  const auto made =
      plot({"--of", "litres,foreground:cam2,x_m:1", "--frames", "5:15", "--out", path("p.csv"), "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  std::istringstream csv(read_file(path("p.csv")).value());
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "frame,time_s,litres,foreground:cam2,x_m:1");
  std::istringstream results(read_file(path("hall/hall.results/results.jsonl")).value());
  std::string stored;
  std::getline(results, stored);
  int compared = 0;
  double sum = 0;
  while (std::getline(results, stored)) {
    const auto json = parse_json_or_throw(stored);
    const int frame = json["frame"];
    if (frame < 5 || frame >= 15) continue;
    ASSERT_TRUE(std::getline(csv, line));
    int its_frame = -1;
    double time_s = 0, litres = 0, share = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%d,%lf,%lf,%lf", &its_frame, &time_s, &litres, &share), 4) << line;
    EXPECT_EQ(its_frame, frame);
    EXPECT_NEAR(time_s, frame / 10.0, 1e-9);
    EXPECT_NEAR(litres, json["volume"]["litres"].get<double>(), 1e-6);
    EXPECT_NEAR(share, json["cameras"][1]["foreground_share"].get<double>(), 1e-9);
    sum += litres, ++compared;
  }
  EXPECT_EQ(compared, 10);
  EXPECT_NEAR(parse_json_or_throw(made.out)["figures"][0]["mean"].get<double>(), sum / 10, 1e-6);
}

TEST_F(PlotCliTest, PicturesOfTheStatedSize) {
  ASSERT_EQ(plot({"--of", "people", "--width", "900", "--height", "500", "--out", path("p.svg")}).code, 0);
  EXPECT_NE(read_file(path("p.svg")).value().find("width='900' height='500'"), std::string::npos);
  ASSERT_EQ(plot({"--of", "litres", "--kind", "histogram", "--bins", "7", "--out", path("p.pdf")}).code, 0);
  EXPECT_EQ(read_file(path("p.pdf")).value().substr(0, 5), "%PDF-");
  ASSERT_EQ(plot({"--of", "people,litres", "--kind", "scatter", "--out", path("p.png")}).code, 0);
  EXPECT_EQ(read_file(path("p.png")).value().substr(1, 3), "PNG");
  // A folder of results gives the same.
  ASSERT_EQ(cli({"plot", path("hall/hall.results"), "--of", "people", "--width", "900", "--height", "500",
                 "--out", path("q.svg")})
                .code,
            0);
  EXPECT_EQ(read_file(path("p.svg")).value(), read_file(path("q.svg")).value());
}

TEST_F(PlotCliTest, WrongUsageIsTwoAndWhatFailsIsOne) {
  EXPECT_EQ(plot({"--of", "people", "--kind", "pie", "--out", path("p.svg")}).code, 2);
  EXPECT_EQ(plot({"--of", "people", "--kind", "scatter", "--out", path("p.svg")}).code, 2);
  EXPECT_EQ(plot({"--of", "people", "--bins", "5", "--out", path("p.svg")}).code, 2);
  EXPECT_EQ(plot({"--of", "people"}).code, 2);
  const auto unknown = plot({"--of", "beauty", "--out", path("p.svg")});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_NE(unknown.err.find("foreground:CAMERA"), std::string::npos) << unknown.err;
  EXPECT_EQ(plot({"--of", "people", "--out", path("p.gif")}).code, 1);
  EXPECT_EQ(plot({"--of", "people", "--variant", "none", "--out", path("p.svg")}).code, 1);
  EXPECT_FALSE(fs::exists(path("p.svg")));
}

}  // namespace
}  // namespace vantage
