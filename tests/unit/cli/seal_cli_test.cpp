// vantage-cli seal and verify: output, exit codes, and what a project's custody log then holds.
#include <cstdlib>

#include "core/base/json.h"
#include "core/synth/synth.h"
#include "tests/support/cli_fixture.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

class SealCliTest : public test::CliTest {
 protected:
  void SetUp() override {
    ::setenv("XDG_CONFIG_HOME", path("config").c_str(), 1);
    SynthOptions options;
    options.cameras = 2, options.people = 1, options.seconds = 4, options.frame_rate = 10;
    options.width_px = 160, options.height_px = 120, options.area_m = 4;
    ASSERT_TRUE(render_recording(options, path("hall"), {}, {}));
  }
  void TearDown() override { ::unsetenv("XDG_CONFIG_HOME"); }

  nlohmann::json verdict(const std::string& recording, int code) const {
    const auto told = cli({"verify", recording, "--json"});
    EXPECT_EQ(told.code, code) << told.out << told.err;
    return parse_json_or_throw(told.out);
  }
  // The middle byte becomes another one.
  void change(const std::string& file) const {
    std::string bytes = read_file(path(file)).value();
    bytes[bytes.size() / 2] ^= 1;
    ASSERT_TRUE(write_file_atomically(path(file), bytes));
  }

  const std::string project_ = path("hall/hall.vantage");
};

TEST_F(SealCliTest, SealsAndVerifiesAProject) {
  EXPECT_EQ(cli({"verify", project_}).code, 1) << "without a seal nothing is known";
  const auto sealed = cli({"seal", project_});
  ASSERT_EQ(sealed.code, 0) << sealed.err;
  EXPECT_TRUE(fs::exists(path("hall/cam1.mp4.seal")) && fs::exists(path("hall/cam2.mp4.seal")));
  const std::string seal = read_file(path("hall/cam1.mp4.seal")).value();
  const auto again = cli({"seal", project_});
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.out.find("sealed before"), std::string::npos) << again.out;
  EXPECT_EQ(read_file(path("hall/cam1.mp4.seal")).value(), seal);

  const auto untouched = verdict(project_, 0);
  EXPECT_EQ(untouched["recordings"].size(), 2U);
  EXPECT_EQ(untouched["recordings"][0]["known_as"], "this user");
  const std::string key = untouched["recordings"][0]["fingerprint"];
  EXPECT_EQ(cli({"case", "key"}).out, key + "\n");
  EXPECT_EQ(cli({"verify", project_, "--key", key}).code, 0);
  EXPECT_EQ(cli({"verify", project_, "--key", std::string(64, '0')}).code, 1);

  change("hall/cam2.mp4");
  const auto touched = cli({"verify", project_});
  EXPECT_EQ(touched.code, 1);
  EXPECT_NE(touched.out.find("cam2.mp4: TOUCHED, first group"), std::string::npos) << touched.out;
  EXPECT_NE(touched.out.find("cam1.mp4: untouched"), std::string::npos) << touched.out;
  EXPECT_EQ(cli({"verify", path("hall/cam1.mp4")}).code, 0);
  const auto found = verdict(path("hall/cam2.mp4"), 1);
  EXPECT_EQ(found["recordings"][0]["untouched"], false);
  EXPECT_FALSE(found["recordings"][0]["changes"].empty());
}

TEST_F(SealCliTest, ASealWithoutItsEndIsAcceptedOnlyOnRequest) {
  ASSERT_EQ(cli({"seal", path("hall/cam1.mp4")}).code, 0);
  std::string seal = read_file(path("hall/cam1.mp4.seal")).value();
  seal.resize(seal.size() - 20);
  ASSERT_TRUE(write_file_atomically(path("hall/cam1.mp4.seal"), seal));
  const auto told = cli({"verify", path("hall/cam1.mp4")});
  EXPECT_EQ(told.code, 1);
  EXPECT_NE(told.out.find("The seal has no end"), std::string::npos) << told.out;
  EXPECT_EQ(cli({"verify", path("hall/cam1.mp4"), "--broken-off"}).code, 0);
  change("hall/cam1.mp4");
  EXPECT_EQ(cli({"verify", path("hall/cam1.mp4"), "--broken-off"}).code, 1);
}

TEST_F(SealCliTest, WhatIsDoneToASealedProjectIsInItsCustodyLog) {
  ASSERT_EQ(cli({"seal", project_}).code, 0);
  ASSERT_EQ(cli({"verify", project_}).code, 0);
  std::vector<std::string> what;
  auto told = verdict(project_, 0);
  for (const auto& entry : told["custody"]) what.push_back(entry["what"]);
  EXPECT_EQ(what, (std::vector<std::string>{"sealed", "sealed", "verified"}));
  const std::string log = "hall/hall.custody.jsonl";
  EXPECT_EQ(cli({"verify", path(log)}).code, 0);
  change(log);
  EXPECT_EQ(cli({"verify", path(log)}).code, 1);
  EXPECT_EQ(cli({"verify", project_}).code, 1);
}

TEST_F(SealCliTest, WrongUsageIsTwoAndFailureOne) {
  EXPECT_EQ(cli({"seal"}).code, 2);
  EXPECT_EQ(cli({"verify"}).code, 2);
  EXPECT_EQ(cli({"verify", project_, "--no-such-option"}).code, 2);
  EXPECT_EQ(cli({"seal", path("none.mp4")}).code, 1);
  ASSERT_TRUE(write_file_atomically(path("text.mp4"), "no video"));
  EXPECT_EQ(cli({"seal", path("text.mp4")}).code, 1);
  EXPECT_FALSE(fs::exists(path("text.mp4.seal")));
}

}  // namespace
}  // namespace vantage
