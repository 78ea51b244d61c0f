// A still is a picture of a case: what nobody can vouch for is blurred as a whole.
#include "core/export/case/still.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/base/file.h"
#include "core/image/backend/memory_transfer.h"
#include "core/run/analysis.h"
#include "core/tracking/paths/path_tracker.h"
#include "core/video/jpeg.h"
#include "core/video/video_source.h"
#include "tests/unit/case/case_footage.h"

namespace vantage {
namespace {

constexpr int64_t kFrame = 30;

class StillTest : public testing::Test {
 protected:
  StillOptions options(StillMarks marks) const {
    StillOptions options;
    options.project = load_project(test::case_footage()).value();
    options.frame = kFrame, options.camera = 1;
    options.marks = marks;
    options.backends = test::cpu_backends();
    return options;
  }
  Picture decoded(const std::string& jpeg) const {
    const auto file = folder_.path() / "still.jpg";
    EXPECT_TRUE(write_file_atomically(file, jpeg));
    auto video = open_video(file.string(), {});
    EXPECT_TRUE(video) << (video ? "" : video.error().message());
    auto frame = (*video)->read();
    EXPECT_TRUE(frame);
    return frame->picture;
  }
  // Of the luma: how many pixels differ clearly.
  static int64_t differing(const Picture& a, const Picture& b) {
    EXPECT_EQ(a.width(), b.width());
    EXPECT_EQ(a.height(), b.height());
    int64_t count = 0;
    for (int y = 0; y < a.height(); ++y)
      for (int x = 0; x < a.width(); ++x) count += std::abs(a.plane(0).at(x, y) - b.plane(0).at(x, y)) > 24;
    return count;
  }
  static int64_t pixels(const Picture& picture) { return int64_t{picture.width()} * picture.height(); }

  const test::TemporaryFolder folder_;
};

TEST_F(StillTest, ShowsTheFrameDrawnOnOrBlurred) {
  const Picture plain = decoded(export_still(options({})).value().jpeg);
  const auto source = open_video((test::case_footage().parent_path() / "cam2.mp4").string(), {});
  ASSERT_TRUE((*source)->seek(kFrame));
  EXPECT_LT(differing(plain, decoded(encode_jpeg((*source)->read()->picture, kStillWidth_px).value())),
            pixels(plain) / 200);
  const Picture people = decoded(export_still(options({.people = true})).value().jpeg);
  EXPECT_GT(differing(plain, people), 200) << "rectangles and a line of text";
  EXPECT_LT(differing(plain, people), pixels(plain) / 10);
  const auto blurred = export_still(options({.blur = true}));
  ASSERT_TRUE(blurred) << blurred.error().message();
  EXPECT_FALSE(blurred->doubt);
  EXPECT_GT(differing(plain, decoded(blurred->jpeg)), 1000) << "people are covered";
  EXPECT_LT(differing(plain, decoded(blurred->jpeg)), pixels(plain) / 2) << "and not all the rest";
}

TEST_F(StillTest, WithoutResultsItIsWhollyBlurred) {
  StillOptions unknown = options({.blur = true});
  unknown.project.path = folder_.path() / "other.vantage";  // which has no results
  const auto still = export_still(unknown);
  ASSERT_TRUE(still) << still.error().message();
  EXPECT_EQ(still->doubt, BlurDoubt::unknown_people);
  const Picture covered = decoded(still->jpeg), plain = decoded(export_still(options({})).value().jpeg);
  EXPECT_GT(differing(plain, covered), 5000);
  for (ProjectCamera& camera : unknown.project.cameras) camera.calibration.reset();
  unknown.project.grid.reset();
  const auto uncalibrated = export_still(unknown);
  ASSERT_TRUE(uncalibrated) << uncalibrated.error().message();
  EXPECT_EQ(uncalibrated->doubt, BlurDoubt::unknown_people);
}

TEST_F(StillTest, WhatCannotBeIsSaid) {
  StillOptions wrong = options({.blur = true});
  wrong.frame = 10'000;
  EXPECT_EQ(export_still(wrong).error().kind, ErrorKind::invalid_argument);
  wrong = options({});
  wrong.camera = 3;
  EXPECT_EQ(export_still(wrong).error().kind, ErrorKind::invalid_argument);
  wrong = options({});
  wrong.stop.request_stop();
  EXPECT_EQ(export_still(wrong).error().kind, ErrorKind::cancelled);
}

// A frame of the chain, with these people, each tracked.
std::shared_ptr<FrameResult> frame_with(int64_t frame, const std::vector<int64_t>& ids) {
  auto people = std::make_shared<PeopleArtifact>();
  auto tracks = std::make_shared<TracksArtifact>();
  people->covered_share = 1;
  for (const int64_t id : ids) {
    const auto x_m = static_cast<double>(id);
    people->found.people.push_back({x_m, 0, 1.7, 60, 1, 3});
    TrackedPerson tracked;
    tracked.id = id, tracked.x_m = x_m, tracked.height_m = 1.7;
    tracks->tracked.push_back(tracked);
  }
  auto result = std::make_shared<FrameResult>();
  result->frame = frame;
  result->artifacts.people = people, result->artifacts.tracking = tracks;
  return result;
}

TEST(RunPeople, WhoWasThereAMomentAgoMayStillBe) {
  RunPeople run(10);
  EXPECT_EQ(run.add(*frame_with(0, {1, 2}))->size(), 2U);
  const auto one = run.add(*frame_with(1, {2})).value();
  ASSERT_EQ(one.size(), 2U);
  EXPECT_TRUE(one[0].id == 2 && one[0].seen);
  EXPECT_TRUE(one[1].id == 1 && !one[1].seen && one[1].x_m == 1);
  auto unknown = std::make_shared<FrameResult>();
  unknown->frame = 2;
  EXPECT_FALSE(run.add(*unknown)) << "nobody was searched for";
  const auto later = static_cast<int64_t>(10 * kLongestGap_s) + 5;
  EXPECT_EQ(run.add(*frame_with(later, {2}))->size(), 1U) << "too long ago";
}

TEST_F(StillTest, OfARunIsBlurredAsAWholeWhereItsPeopleOrMaskAreNotKnown) {
  const Project project = load_project(test::case_footage()).value();
  AnalysisOptions chain;
  chain.backends = test::cpu_backends();
  const auto analysis = Analysis::open(project, chain).value();
  RunPeople people(12.5);
  FrameResultRef result;
  std::optional<std::vector<CasePerson>> present;
  for (int64_t frame = 0; frame <= kFrame; ++frame) {
    result = analysis->pipeline().frame(frame, {}, {}).value();
    present = people.add(*result);
  }
  const RunCamera camera{"cam2", project.cameras[1].calibration, 12.5};
  const auto transfer = host_memory();
  const auto still = [&](const FrameResult& of, const RunCamera& described, const auto& who, bool blur) {
    return still_of(of, 1, described, who, {.people = true, .blur = blur}, *transfer);
  };
  const auto blurred = still(*result, camera, present, true);
  ASSERT_TRUE(blurred) << blurred.error().message();
  EXPECT_FALSE(blurred->doubt);
  const Picture open = decoded(still(*result, camera, present, false).value().jpeg);
  EXPECT_GT(differing(open, decoded(blurred->jpeg)), 1000);
  const std::optional<std::vector<CasePerson>> nobody_knows;
  EXPECT_EQ(still(*result, camera, nobody_knows, true)->doubt, BlurDoubt::unknown_people);
  RunCamera uncalibrated = camera;
  uncalibrated.calibration.reset();
  EXPECT_EQ(still(*result, uncalibrated, present, true)->doubt, BlurDoubt::unknown_people);
  FrameResult without_mask = *result;
  without_mask.artifacts.foreground.reset();
  EXPECT_EQ(still(without_mask, camera, present, true)->doubt, BlurDoubt::no_mask);
  FrameResult without_picture = *result;
  without_picture.artifacts.video.reset();
  EXPECT_EQ(still(without_picture, camera, present, true).error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace vantage
