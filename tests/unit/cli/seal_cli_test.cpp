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
    SynthOptions options;
    options.cameras = 2, options.people = 1, options.seconds = 4, options.frame_rate = 10;
    options.width_px = 160, options.height_px = 120, options.area_m = 4;
    ASSERT_TRUE(render_recording(options, path("hall"), {}, {}));
  }

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
  ASSERT_EQ(cli({"bookmark", project_, "--at", "5", "--note", "bag"}).code, 0);
  ASSERT_EQ(cli({"verify", project_}).code, 0);
  std::vector<std::string> what;
  auto told = verdict(project_, 0);
  for (const auto& entry : told["custody"]) what.push_back(entry["what"]);
  EXPECT_EQ(what, (std::vector<std::string>{"sealed", "sealed", "project changed", "verified"}));
  EXPECT_EQ(told["custody"][2]["details"]["changed"], "bookmarks");
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

// A case names the groups that its span used, and its originals are compared with them.
TEST_F(SealCliTest, ACaseComesFromSealedOriginals) {
  ASSERT_EQ(cli({"seal", project_}).code, 0);
  const auto made = cli({"case", "export", project_, "--from", "5", "--to", "25", "--originals", "--out",
                         path("case7"), "--who", "A. J.", "--why", "file 7", "--backend", "cpu"});
  ASSERT_EQ(made.code, 0) << made.err;
  const auto manifest = parse_json_or_throw(read_file(path("case7/manifest.json")).value());
  const auto& origin = manifest["cameras"][0]["origin"];
  ASSERT_EQ(origin.size(), 1U) << made.out;
  EXPECT_EQ(origin[0]["file"], "cam1.mp4");
  EXPECT_TRUE(origin[0]["as_sealed"] == true && origin[0]["finished"] == true);
  EXPECT_LE(origin[0]["first_s"].get<double>(), 0.5);
  EXPECT_EQ(origin[0]["chain_sha256"], verdict(path("hall/cam1.mp4"), 0)["recordings"][0]["chain_sha256"]);
  EXPECT_EQ(origin[0]["original"]["file"], "originals/cam1.mkv") << made.out;
  EXPECT_EQ(manifest["custody"]["entries"], 2);
  const auto good = cli({"case", "verify", path("case7")});
  EXPECT_EQ(good.code, 0) << good.out;
  EXPECT_NE(good.out.find("as they were sealed"), std::string::npos) << good.out;

  // A forger who may sign the case again cannot make originals that the seal has.
  const auto other = cli({"case", "export", project_, "--from", "26", "--to", "39", "--originals", "--out",
                          path("case8"), "--who", "A. J.", "--why", "file 8", "--backend", "cpu"});
  ASSERT_EQ(other.code, 0) << other.err;
  fs::copy_file(path("case8/originals/cam2.mkv"), path("case7/originals/cam1.mkv"),
                fs::copy_options::overwrite_existing);
  const auto forged = cli({"case", "verify", path("case7")});
  EXPECT_EQ(forged.code, 1);
  EXPECT_NE(forged.out.find("originals/cam1.mkv is not what was sealed"), std::string::npos) << forged.out;
}

TEST_F(SealCliTest, ACaseOfUnsealedVideosSaysSo) {
  const auto made = cli({"case", "export", project_, "--from", "5", "--to", "9", "--out", path("case7"),
                         "--who", "A. J.", "--why", "file 7", "--backend", "cpu"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("Not sealed, so nothing proves what was recorded: cam1, cam2."), std::string::npos)
      << made.out;
  EXPECT_EQ(cli({"case", "verify", path("case7")}).code, 0);
}

}  // namespace
}  // namespace vantage
