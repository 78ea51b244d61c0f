#include "core/people/occupancy/marginals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/reference/marginals.h"

namespace vantage {
namespace {

constexpr int kWidth = 90, kHeight = 30;

struct Scene {
  std::vector<std::vector<uint8_t>> masks;
  std::vector<std::vector<BodyRectangle>> rectangles;  // by camera, then cell
  std::vector<MarginalView> views() const {
    std::vector<MarginalView> all;
    for (size_t c = 0; c < masks.size(); ++c)
      all.push_back({{masks[c].data(), kWidth, kHeight, kWidth}, rectangles[c]});
    return all;
  }
};

// Bodies at random places in every camera; the masks are those of the people at `standing`, with noise.
Scene random_scene(unsigned seed, int cameras, int cells, const std::vector<int>& standing, double noise) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  Scene scene;
  for (int c = 0; c < cameras; ++c) {
    std::vector<BodyRectangle> rectangles;
    for (int k = 0; k < cells; ++k) {
      const int x = static_cast<int>(unit(random) * (kWidth - 6)), y = static_cast<int>(unit(random) * 12);
      rectangles.push_back(unit(random) < 0.1 ? BodyRectangle{} : BodyRectangle{x, y, x + 6, y + 18});
    }
    std::vector<uint8_t> mask(kWidth * kHeight);
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        bool filled = unit(random) < noise;
        for (const int k : standing) filled = filled || reference::covers(rectangles[k], x, y);
        mask[y * kWidth + x] = filled ? 255 : 0;
      }
    scene.masks.push_back(mask);
    scene.rectangles.push_back(rectangles);
  }
  return scene;
}

TEST(Marginals, AnIterationIsAsTheEquationsSay) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Scene scene = random_scene(seed, 3, 12, {2, 7}, 0.05);
    MarginalParameters p;
    p.sigma = 0.2, p.step = 1, p.iterations = 1;  // soft: what is compared lies well between 0 and 1
    const std::vector<MarginalView> views = scene.views();
    std::vector<double> expected = reference::wanted_marginals(views, std::vector<double>(12, p.prior), p);
    const Marginals one = occupancy_marginals(views, 12, p);
    EXPECT_EQ(one.iterations, 1);
    for (size_t k = 0; k < 12; ++k)
      EXPECT_NEAR(one.probability[k], std::clamp(expected[k], 1e-6, 1 - 1e-6), 1e-9) << "seed " << seed;
    p.iterations = 2;  // from where the first one led; rounding of sums in another order
    expected = reference::wanted_marginals(views, one.probability, p);
    const Marginals two = occupancy_marginals(views, 12, p);
    for (size_t k = 0; k < 12; ++k)
      EXPECT_NEAR(two.probability[k], std::clamp(expected[k], 1e-6, 1 - 1e-6), 1e-7) << "seed " << seed;
  }
}

TEST(Marginals, PeopleAreCertainAndOtherCellsEmpty) {
  const Scene scene = random_scene(11, 4, 20, {3, 9, 14}, 0.01);
  const Marginals found = occupancy_marginals(scene.views(), 20, {});
  for (int k = 0; k < 20; ++k) {
    const bool standing = k == 3 || k == 9 || k == 14;
    EXPECT_EQ(found.probability[k] > 0.5, standing) << "cell " << k;
  }
  EXPECT_LT(found.iterations, 200);
}

// psi is relative to what is drawn: to an empty mask everything drawn is wrong, much or little of it alike.
TEST(Marginals, EmptyMasksAndUnseenCellsLeaveThePrior) {
  Scene scene = random_scene(5, 2, 6, {}, 0);
  for (auto& rectangles : scene.rectangles) rectangles[4] = {};
  MarginalParameters p;
  p.prior = 0.01;  // of less than a pixel drawn psi is not relative
  const Marginals found = occupancy_marginals(scene.views(), 6, p);
  for (size_t k = 0; k < 6; ++k) EXPECT_NEAR(found.probability[k], p.prior, 1e-12) << k;
}

TEST(ProbablePeople, StandWhereTheyAreMostProbable) {
  const MarginalCells cells{-1, 2, 0.5, 6, 3};
  std::vector<double> q(18, 0.01);
  q[7] = 0.9, q[8] = 0.6, q[5] = 0.4;  // one between two cells, and one that is not probable enough
  const auto people = probable_people(cells, q, 0.5, 0.5);
  ASSERT_EQ(people.size(), 1u);
  EXPECT_NEAR(people[0].confidence, 1 - 0.1 * 0.4 * std::pow(0.99, 7), 1e-12);
  EXPECT_NEAR(people[0].x_m, -0.0621, 1e-4);
  EXPECT_NEAR(people[0].y_m, 2.75, 1e-12);
}

// Cells of 10 cm: two people whose cells share the probability, 0.7 m apart, each less than kPresent in every
// cell; a third certain in one; and a haze that is nobody.
TEST(ProbablePeople, CellsMuchNarrowerThanSomebodyCountTogether) {
  const MarginalCells cells{0, 0, 0.1, 30, 10};
  std::vector<double> q(300, 1e-6);
  const auto at = [&](int x, int y) -> double& { return q[x + 30 * y]; };
  at(4, 4) = at(5, 4) = at(4, 5) = at(5, 5) = 0.3;
  at(11, 4) = at(12, 4) = at(11, 5) = at(12, 5) = 0.4;
  at(18, 2) = 0.999;
  for (int x = 22; x < 30; ++x)
    for (int y = 0; y < 10; ++y) at(x, y) = 0.02;
  EXPECT_EQ(probable_people(cells, q, 0.4, 0.698).size(), 2u) << "too near for two";
  const auto people = probable_people(cells, q, 0.4, 0.5);
  ASSERT_EQ(people.size(), 3u);
  const double x_m[] = {1.2, 0.5, 1.85}, y_m[] = {0.5, 0.5, 0.25}, probability[] = {0.8704, 0.7599, 0.999};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(people[i].x_m, x_m[i], 1e-3) << i;
    EXPECT_NEAR(people[i].y_m, y_m[i], 1e-3) << i;
    EXPECT_NEAR(people[i].confidence, probability[i], 1e-3) << i;
  }
}

TEST(BodyRectangles, HoldAnUprightBody) {
  // Looks along y from 5 m away at 1 m height: x is to the right, z up in the picture.
  PinholeCamera<double> camera;
  camera.width_px = 200, camera.height_px = 200, camera.fx_px = camera.fy_px = 100;
  camera.cx_px = camera.cy_px = 99.5;
  const double rotation[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
  std::copy(rotation, rotation + 9, camera.rotation_cam_from_world);
  camera.translation_cam_from_world_m[1] = 1, camera.translation_cam_from_world_m[2] = 5;
  MarginalParameters p;
  p.height_m = 2;
  const auto rectangles = body_rectangles(camera, {-0.1, -0.1, 0.2, 1, 1}, 100, 100, p);
  ASSERT_EQ(rectangles.size(), 1u);
  // At most 4.75 m away: 100 px / 4.75 m to both sides of the axis, in a mask of half the size.
  EXPECT_NEAR(rectangles[0].y0, 50 - 100 / 4.75 / 2, 1);
  EXPECT_NEAR(rectangles[0].y1, 50 + 100 / 4.75 / 2, 1);
  EXPECT_NEAR(rectangles[0].x0, 50 - 0.25 * 100 / 5 / 2, 1);
  EXPECT_TRUE(body_rectangles(camera, {-0.1, -8, 0.2, 1, 1}, 100, 100, p)[0].empty()) << "behind it";
  EXPECT_TRUE(body_rectangles(camera, {9, -0.1, 0.2, 1, 1}, 100, 100, p)[0].empty()) << "beside the picture";
}

}  // namespace
}  // namespace vantage
