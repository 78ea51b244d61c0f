// A camera that stands otherwise than calibrated, told by the people whom it and others show.
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

// A sound camera beside a wrong one is placed elsewhere, but its outlines fit no better there.
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

TEST(PeopleReport, NamesNobodyWhereAllStandAsCalibrated) {
  const test::RenderedPeople& rendered = render(4);
  const PeopleReport report = people_report(rendered.cameras, kRoom, rendered.moments, {});
  ASSERT_EQ(report.cameras.size(), 4u);
  EXPECT_FALSE(report.wrong);
  for (const PeopleFit& fit : report.cameras) {
    EXPECT_TRUE(fit.solved);
    EXPECT_LT(fit.before_px, 1.5 * fit.after_px);
  }
}

// One of a pair is wrong, and nothing says which.
TEST(PeopleReport, PlacesNobodyByOneOther) {
  const test::RenderedPeople& rendered = render(2);
  std::vector<Camera> cameras = rendered.cameras;
  cameras[1] = changed(cameras[1], 0, 4 * M_PI / 180);
  const PeopleReport report = people_report(cameras, kRoom, rendered.moments, {});
  EXPECT_FALSE(report.wrong);
  for (const PeopleFit& fit : report.cameras) EXPECT_FALSE(fit.solved);
}

// Cases of tests/bench/check: each is named, with about the shift that it makes, and nobody else is.
TEST(FootageReport, NamesTheCameraOfEachCaseAndNobodyElse) {
  const test::RenderedPeople& rendered = render(4);
  const std::tuple<size_t, int, double> cases[] = {
      {0, 5, 0.05}, {1, 3, -0.05}, {2, 2, M_PI / 180}, {3, 6, 0.03}, {3, 1, -M_PI / 180}};
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

}  // namespace
}  // namespace vantage
