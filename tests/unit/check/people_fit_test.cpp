// A camera whose pose differs from its calibration, found by people whom it and others show.
#include "core/check/people_fit.h"

#include <gtest/gtest.h>

#include <tuple>

#include "core/check/footage_agreement.h"
#include "tests/unit/check/rendered_people.h"

namespace vantage {
namespace {

using test::changed, test::kRoom, test::render;

PeopleFit fit_of(double before_px, double after_px, double largest_m, double sigma_m) {
  PeopleFit fit;
  fit.solved = true;
  fit.before_px = before_px, fit.after_px = after_px;
  fit.floor.largest_m = largest_m, fit.floor.sigma_m = sigma_m, fit.floor.certainty = largest_m / sigma_m;
  return fit;
}
const PeopleFit kSound = fit_of(0.7, 0.65, 0.025, 0.02);
const PeopleFit kMoved = fit_of(2.8, 0.7, 0.05, 0.01);

TEST(CameraElsewhere, IsTheOneWhosePlacingExplainsTheMisses) {
  EXPECT_EQ(camera_elsewhere({kSound, kMoved, kSound, {}}), 1u);
  EXPECT_FALSE(camera_elsewhere({kSound, kSound, kSound}));
  EXPECT_FALSE(camera_elsewhere({}));
}

// A sound camera next to a wrong one is placed elsewhere, but its outlines fit no better there.
TEST(CameraElsewhere, IsNobodyWhosePlacingGainsNothing) {
  EXPECT_FALSE(camera_elsewhere({kSound, fit_of(1.2, 1.0, 0.15, 0.01)}));
}

TEST(CameraElsewhere, IsNobodyWhoMayStandRight) {
  EXPECT_FALSE(camera_elsewhere({kSound, fit_of(2.8, 0.7, 0.05, 0.04)})) << "not certain";
  EXPECT_FALSE(camera_elsewhere({kSound, fit_of(2.8, 0.7, 0.02, 0.005)})) << "within the limit";
  PeopleFit open = kMoved;
  open.solved = false;
  EXPECT_FALSE(camera_elsewhere({kSound, open}));
}

TEST(CameraElsewhere, IsNobodyWhereTwoWouldExplainIt) {
  EXPECT_FALSE(camera_elsewhere({kMoved, kSound, kMoved}));
}

FootageReport said(std::optional<size_t> by_rays, std::optional<size_t> by_people) {
  OutlineReport outlines;
  outlines.wrong = by_rays;
  PeopleReport people;
  people.wrong = by_people;
  return together(outlines, people);
}

TEST(FootageReport, BlamesWhomRaysOrPeopleNameUnlessTheyDiffer) {
  EXPECT_EQ(said(2, {}).wrong, 2u);
  EXPECT_EQ(said({}, 0).wrong, 0u);
  EXPECT_EQ(said(1, 1).wrong, 1u);
  EXPECT_FALSE(said({}, {}).wrong);
  EXPECT_FALSE(said(1, 3).wrong);
}

// The report where rays name camera `by_rays` of four, with these fits by people.
FootageReport said(size_t by_rays, const std::vector<PeopleFit>& cameras) {
  OutlineReport outlines;
  outlines.cameras.resize(cameras.size());
  outlines.wrong = by_rays;
  return together(outlines, {cameras, camera_elsewhere(cameras)});
}

TEST(FootageReport, BlamesNoThirdWherePeopleWouldPlaceTwoOthers) {
  EXPECT_FALSE(said(3, {kMoved, kMoved, kSound, kSound}).wrong);
  EXPECT_FALSE(said(2, {kMoved, kMoved, kSound, kMoved}).wrong);
  EXPECT_EQ(said(1, {kMoved, kMoved, kSound, kSound}).wrong, 1u) << "rays tell which of the two";
  EXPECT_EQ(said(3, {kSound, kSound, kSound, kSound}).wrong, 3u) << "people may see nothing of it";
  EXPECT_FALSE(said(3, {kMoved, kSound, kSound, kSound}).wrong);
}

TEST(FootageReport, SaysWhatDisagrees) {
  const test::RenderedPeople& rendered = render(4);
  std::vector<Camera> cameras = rendered.cameras;
  for (size_t c = 0; c < cameras.size(); ++c) cameras[c].set_name("cam" + std::to_string(c));
  const FootageMasks footage{cameras, kRoom, {}, true, {}};
  FootageReport report = said(3, {kMoved, kMoved, kSound, kSound});
  for (CameraFit& fit : report.outlines.cameras) fit.rays = 1000, fit.partners = 3, fit.floor.blind_m = 0.03;
  report.outlines.cameras[3].gain = 100, report.outlines.cameras[3].floor.largest_m = 0.2;
  const std::vector<CheckItem> items = examine_agreement(footage, report);
  ASSERT_GE(items.size(), 4u);
  for (const size_t c : {0, 1, 3}) {
    EXPECT_EQ(items[c].verdict, Verdict::cannot_tell) << items[c].camera;
    EXPECT_NE(
        items[c].figure.find("rays through outlines name cam3, people would place cam0, cam1 elsewhere"),
        std::string::npos)
        << items[c].figure;
  }
  EXPECT_EQ(items[2].verdict, Verdict::passed) << items[2].figure;
}

PeopleReport people_of(const std::vector<Camera>& cameras, const std::vector<MaskSet>& moments) {
  return people_report(cameras, neighbours_of(cameras, kRoom), kRoom, moments, [] {}, {});
}

TEST(PeopleReport, NamesNobodyWhereAllStandAsCalibrated) {
  const test::RenderedPeople& rendered = render(4);
  const PeopleReport report = people_of(rendered.cameras, rendered.moments);
  ASSERT_EQ(report.cameras.size(), 4u);
  EXPECT_FALSE(report.wrong);
  for (const PeopleFit& fit : report.cameras) {
    EXPECT_TRUE(fit.solved);
    EXPECT_LT(fit.before_px, 1.5 * fit.after_px);
  }
}

// One of a pair is wrong, and nothing shows which.
TEST(PeopleReport, PlacesNobodyByOneOther) {
  const test::RenderedPeople& rendered = render(2);
  std::vector<Camera> cameras = rendered.cameras;
  cameras[1] = changed(cameras[1], 0, 4 * M_PI / 180);
  const PeopleReport report = people_of(cameras, rendered.moments);
  EXPECT_FALSE(report.wrong);
  for (const PeopleFit& fit : report.cameras) EXPECT_FALSE(fit.solved);
}

using Case = std::tuple<size_t, int, double>;  // camera, entry of CameraChange, amount

// Each is named, with about its shift, and no other.
void expect_named(int count, const std::vector<Case>& cases) {
  const test::RenderedPeople& rendered = render(count);
  for (const auto& [wrong, entry, amount] : cases) {
    SCOPED_TRACE(testing::Message() << "camera " << wrong << ", change " << entry);
    std::vector<Camera> cameras = rendered.cameras;
    for (size_t c = 0; c < cameras.size(); ++c) cameras[c].set_name("cam" + std::to_string(c));
    cameras[wrong] = changed(cameras[wrong], entry, amount);
    const FootageMasks footage{cameras, kRoom, rendered.moments, true, {}};
    const FootageReport report = footage_report(footage);
    EXPECT_EQ(report.wrong, wrong);
    EXPECT_EQ(report.people.wrong, wrong);
    bool named = false;
    for (const CheckItem& item : examine_agreement(footage, report)) {
      if (item.verdict < Verdict::doubtful) continue;
      EXPECT_EQ(item.camera, cameras[wrong].name()) << item.check << ": " << item.figure;
      named = true;
    }
    EXPECT_TRUE(named);
  }
}

// Cases of tests/bench/check.
TEST(FootageReport, NamesTheCameraOfEachCaseAndNobodyElse) {
  expect_named(4, {{0, 5, 0.05}, {1, 3, -0.05}, {2, 2, M_PI / 180}, {3, 6, 0.03}, {3, 1, -M_PI / 180}});
}

// More than are compared with all others.
TEST(FootageReport, NamesTheCameraAmongMany) {
  expect_named(9, {{0, 5, 0.05}, {2, 3, -0.05}, {4, 2, M_PI / 180}, {6, 6, 0.03}, {8, 1, -M_PI / 180}});
}

TEST(FootageReport, BlamesNobodyAmongManyThatStandRight) {
  const test::RenderedPeople& rendered = render(9);
  const FootageMasks footage{rendered.cameras, kRoom, rendered.moments, true, {}};
  const FootageReport report = footage_report(footage);
  EXPECT_FALSE(report.wrong);
  EXPECT_EQ(report.outlines.pairs, 9 * kMaxNeighbours);
  for (const CheckItem& item : examine_agreement(footage, report))
    EXPECT_EQ(item.verdict, Verdict::passed) << item.check << ' ' << item.camera << ": " << item.figure;
}

// Placing is inconclusive then; the uncertainty is not computed.
TEST(PeopleReport, LeavesOutHowSureAPoseIsWherePlacingGainsNothing) {
  const test::RenderedPeople& rendered = render(4);
  const PeopleReport report = people_of(rendered.cameras, rendered.moments);
  for (const PeopleFit& fit : report.cameras) EXPECT_EQ(fit.floor.certainty, 0);
}

}  // namespace
}  // namespace vantage
