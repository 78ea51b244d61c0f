// vantage-cli truth with masks: imported, carried, removed, exported; IoU by truth, evaluate and sweep.
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/metrics/masks/mask_painting.h"
#include "core/metrics/masks/masks.h"
#include "core/results/drawn_masks.h"
#include "core/synth/synth.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/expect_report.h"

namespace vantage {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class TruthMasksCliTest : public test::CliTest {
 protected:
  // With exact masks of every tenth frame.
  static const fs::path& hall() {
    static const test::TemporaryFolder rendered;
    static const fs::path folder = [] {
      SynthOptions options;
      options.cameras = 2, options.people = 2;
      options.seconds = 30 / options.frame_rate;
      options.width_px = 320, options.height_px = 240;
      options.truth_interval_frames = 10;
      EXPECT_TRUE(render_recording(options, rendered.path() / "hall", {}, {}));
      return rendered.path() / "hall";
    }();
    return folder;
  }
  void SetUp() override {
    fs::copy(hall(), folder_.path() / "hall", fs::copy_options::recursive);
    project_ = path("hall/hall.vantage");
    own_ = drawn_masks_folder(project_);
  }
  // With a name: compared with that report.
  json done(std::vector<std::string> words, const std::string& report = {}) const {
    words.insert(words.begin(), {"truth", project_, "--json"});
    const test::Finished finished = cli(words);
    if (!report.empty()) test::expect_report(report, finished.out);
    EXPECT_EQ(finished.code, 0) << finished.err;
    return parse_json(finished.out);
  }
  Image mask_at(const std::string& camera, int64_t frame) const {
    return read_mask(find_mask(own_, camera, frame).value(), HostPool::shared()).value();
  }
  std::string project_;
  fs::path own_;
};

TEST_F(TruthMasksCliTest, AreImportedListedRemovedAndExported) {
  const json imported = done({"--import-masks", path("hall/truth/masks")});
  EXPECT_EQ(imported["masks"]["imported"]["masks"], 6);
  ASSERT_EQ(imported["masks"]["frames"].size(), 3u);
  EXPECT_EQ(imported["masks"]["frames"][1]["frame"], 10);
  EXPECT_EQ(imported["masks"]["frames"][1]["cameras"], json::array({"cam1", "cam2"}));
  EXPECT_EQ(done({"--import-masks", path("hall/truth/masks")})["masks"]["imported"]["kept"], 6);
  EXPECT_EQ(done({"--remove-masks", "20", "--remove-masks", "10,cam2"})["masks"]["frames"].size(), 2u);
  EXPECT_EQ(cli({"truth", project_, "--remove-masks", "20"}).code, 1) << "is gone";
  EXPECT_EQ(cli({"truth", project_, "--remove-masks", "0,roof"}).code, 2);
  EXPECT_EQ(cli({"truth", project_, "--remove-masks", "x"}).code, 2);
  EXPECT_EQ(done({"--export-masks", path("exported")})["masks"]["exported"], 3);
  EXPECT_EQ(find_masks(path("exported")).value().size(), 2u);
}

TEST_F(TruthMasksCliTest, OfTwoPaintersAreMergedAndDisagreementsListed) {
  done(
      {"--import-masks", path("hall/truth/masks"), "--remove-masks", "20", "--export-masks", path("theirs")});
  // Theirs: in frame 0 the other camera's, in frame 10 no one; and frame 20, which ours lack.
  const Image ours = mask_at("cam1", 0), other = mask_at("cam2", 0);
  ASSERT_TRUE(write_mask(path("theirs"), "cam1", 0, other));
  ASSERT_TRUE(write_mask(path("theirs"), "cam1", 10, empty_mask(320, 240, HostPool::shared()).value()));
  ASSERT_TRUE(write_mask(path("theirs"), "cam1", 20, other));
  const json left = done({"--merge-masks", path("theirs")}, "truth_masks")["masks"]["merged"];
  EXPECT_EQ(left["added"], 1);
  EXPECT_EQ(left["same"], 2);
  ASSERT_EQ(left["disagreements"].size(), 2u);
  EXPECT_EQ(left["disagreements"][0]["frame"], 10);
  EXPECT_EQ(left["disagreements"][0]["iou"], 0.0);
  EXPECT_EQ(left["disagreements"][0]["only_theirs_px"], 0);
  EXPECT_EQ(left["disagreements"][0]["taken"], "ours");
  EXPECT_EQ(overlap_of(mask_at("cam1", 0).view<uint8_t>(), ours.view<uint8_t>()).iou(), 1);
  const json taken = done(
      {"--merge-masks", path("theirs"), "--take", "union", "--take", "10,cam1=theirs"})["masks"]["merged"];
  EXPECT_EQ(taken["added"], 0);
  EXPECT_EQ(taken["disagreements"][0]["taken"], "theirs");
  EXPECT_EQ(taken["disagreements"][1]["taken"], "union");
  const MaskOverlap both = overlap_of(ours.view<uint8_t>(), other.view<uint8_t>());
  const Image joined = mask_at("cam1", 0), emptied = mask_at("cam1", 10);
  EXPECT_EQ(overlap_of(joined.view<uint8_t>(), joined.view<uint8_t>()).both, both.either);
  EXPECT_EQ(overlap_of(emptied.view<uint8_t>(), emptied.view<uint8_t>()).either, 0);
  EXPECT_EQ(cli({"truth", project_, "--take", "union"}).code, 2) << "of what";
  for (const char* wrong : {"some", "x=union", "10,roof=union"})
    EXPECT_EQ(cli({"truth", project_, "--merge-masks", path("theirs"), "--take", wrong}).code, 2) << wrong;
  const auto text = cli({"truth", project_, "--merge-masks", path("theirs")});
  EXPECT_NE(text.out.find("left as it is"), std::string::npos) << text.out;
  test::expect_report("truth_masks_merged", text.out);
}

TEST_F(TruthMasksCliTest, AreCarriedByTheFlow) {
  done({"--import-masks", path("hall/truth/masks"), "--remove-masks", "10"});
  const Image before = mask_at("cam1", 0);
  EXPECT_EQ(done({"--carry-masks", "0:10"})["masks"]["carried"]["carried"], 2);
  const Image carried = mask_at("cam1", 10);
  const Image exact =
      read_mask(find_mask(path("hall/truth/masks"), "cam1", 10).value(), HostPool::shared()).value();
  const double before_iou = overlap_of(before.view<uint8_t>(), exact.view<uint8_t>()).iou();
  const double carried_iou = overlap_of(carried.view<uint8_t>(), exact.view<uint8_t>()).iou();
  EXPECT_GT(carried_iou, before_iou) << "nearer to where people went";
  EXPECT_GT(carried_iou, 0.6);
  const json again = done({"--carry-masks", "20:10"});
  EXPECT_EQ(again["masks"]["carried"]["kept"], 2) << "what is there stays";
  EXPECT_EQ(done({"--carry-masks", "20:10", "--replace-masks"})["masks"]["carried"]["carried"], 2);
  EXPECT_EQ(cli({"truth", project_, "--carry-masks", "5:6"}).code, 1) << "nothing is there";
  EXPECT_EQ(cli({"truth", project_, "--carry-masks", "20:999"}).code, 1) << "behind the end";
  EXPECT_EQ(cli({"truth", project_, "--carry-masks", "20"}).code, 2);
  EXPECT_EQ(cli({"truth", project_, "--carry-masks", "20:20"}).code, 2);
}

TEST_F(TruthMasksCliTest, IoUIsTheSameEverywhere) {
  EXPECT_EQ(cli({"truth", project_, "--iou"}).code, 1) << "there are none";
  const json iou = done({"--import-masks", path("hall/truth/masks"), "--iou"}, "truth_iou")["masks"]["iou"];
  test::expect_report("truth_iou", cli({"truth", project_, "--iou"}).out);
  EXPECT_EQ(iou["masks"], 6);
  EXPECT_GT(iou["mean"].get<double>(), 0.5);
  EXPECT_LE(iou["worst_frames"][0]["iou"].get<double>(), iou["worst_frames"][2]["iou"].get<double>());
  double sum = 0;
  for (const json& one : iou["each"]) sum += one["iou"].get<double>();
  EXPECT_NEAR(iou["mean"].get<double>(), sum / 6, 1e-12);
  // The files of segment, compared as files.
  ASSERT_EQ(cli({"segment", project_, "--out", path("segmented")}).code, 0);
  const test::Finished compared =
      cli({"evaluate", "--gt", project_, "--result", path("segmented"), "--space", "masks", "--json"});
  ASSERT_EQ(compared.code, 0) << compared.err;
  EXPECT_EQ(parse_json(compared.out)["each"], iou["each"]);
  // The sweep's point with the present parameters.
  const std::string now = "5.5";
  const test::Finished swept =
      cli({"sweep", project_, "--set-range", "foreground.distance_high=" + now + ",30", "--tune", "0:30",
           "--metric", "iou", "--blocks", "1", "--out", path("sweep")});
  ASSERT_EQ(swept.code, 0) << swept.err;
  const json sweep = parse_json(read_file(path("sweep/sweep.json")).value());
  const json& points = sweep["points"];
  ASSERT_EQ(points.size(), 2u);
  EXPECT_NEAR(points[0]["tune"]["iou"]["value"].get<double>(), iou["mean"].get<double>(), 1e-9)
      << sweep.dump(1);
  EXPECT_LT(points[1]["tune"]["iou"]["value"].get<double>(), points[0]["tune"]["iou"]["value"].get<double>());
}

TEST_F(TruthMasksCliTest, AMaskOfAnotherSizeIsNamed) {
  ASSERT_TRUE(write_mask(own_, "cam1", 3, empty_mask(32, 24, HostPool::shared()).value()));
  const test::Finished finished = cli({"truth", project_, "--iou"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.err.find("32x24"), std::string::npos) << finished.err;
  EXPECT_NE(finished.err.find("frame_000003.png"), std::string::npos) << finished.err;
}

}  // namespace
}  // namespace vantage
