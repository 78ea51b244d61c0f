// The probabilistic occupancy map: every device against the equations written pixel by pixel, and against the
// plain estimate of the same masks.
#include "core/people/occupancy/occupancy_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <random>

#include "tests/reference/marginals.h"
#include "tests/support/backends.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

struct Standing {
  double x_m, y_m;
};

// Masks of upright bodies seen by a ring of cameras, with noise in blocks.
std::vector<Image> masks_of(const std::vector<PinholeCamera<double>>& cameras,
                            const std::vector<Standing>& people, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Image> masks;
  for (const PinholeCamera<double>& camera : cameras) {
    const int width = camera.width_px, height = camera.height_px;
    Image image = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
    const ImageView<uint8_t> to = image.writable_view<uint8_t>();
    for (int y = 0; y < height; ++y) std::fill_n(to.row(y), width, uint8_t{0});
    const auto fill = [&](int x0, int y0, int x1, int y1) {
      for (int y = std::max(0, y0); y < std::min(height, y1); ++y)
        for (int x = std::max(0, x0); x < std::min(width, x1); ++x) to.at(x, y) = 255;
    };
    for (const Standing& one : people) {
      const BodyRectangle r =
          body_rectangles(camera, {one.x_m - 0.1, one.y_m - 0.1, 0.2, 1, 1}, width, height, {}).front();
      fill(r.x0, r.y0, r.x1, r.y1);
    }
    for (int i = 0; i < 30; ++i) {
      const int x = static_cast<int>(random() % static_cast<unsigned>(width)),
                y = static_cast<int>(random() % static_cast<unsigned>(height));
      fill(x, y, x + 8, y + 5);
    }
    masks.push_back(image);
  }
  return masks;
}

template <typename From, typename To>
double nearest_m(const From& from, const std::vector<To>& places) {
  double nearest = 1e9;
  for (const To& to : places) nearest = std::min(nearest, std::hypot(to.x_m - from.x_m, to.y_m - from.y_m));
  return nearest;
}

class OccupancyMapParity : public ::testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (!device_.has<OccupancyMapper>()) GTEST_SKIP() << device_.why_missing();
    test::RingOptions ring;
    ring.cameras = 4;
    arguments_.cameras = models_of(test::camera_ring(ring));
    arguments_.grid = {{-1.5, -1.5, 0}, 0.05, 60, 60, 40};
  }

  Marginals estimate(const std::vector<Image>& masks, const MarginalParameters& parameters,
                     const OccupancyMapper::Arguments& arguments) {
    const auto mapper = device_.create<OccupancyMapper>(arguments);
    EXPECT_TRUE(mapper->prepare(parameters));
    std::vector<Image> there;
    for (const Image& mask : masks) there.push_back(device_.to_device(mask));
    return mapper->estimate(there, 0).value();
  }

  // The small masks as the contract says them.
  struct Small {
    std::vector<std::vector<uint8_t>> pixels;
    std::vector<MarginalView> views;
  };
  Small small(const std::vector<Image>& masks, const OccupancyPlan& plan) const {
    Small s;
    s.pixels.resize(masks.size());
    for (size_t c = 0; c < masks.size(); ++c) {
      const OccupancyPlan::View& view = plan.views[c];
      MarginalView& to = s.views.emplace_back();
      to.rectangles = view.rectangles;
      if (!masks[c]) continue;
      for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x)
          s.pixels[c].push_back(
              masks[c].view<uint8_t>().at(x * view.step + view.step / 2, y * view.step + view.step / 2));
      to.mask = {s.pixels[c].data(), view.width, view.height, static_cast<size_t>(view.width)};
    }
    return s;
  }

  const std::vector<Standing> people_ = {{-0.9, 0.3}, {0.5, 0.7}, {0.3, -0.9}};
  OccupancyMapper::Arguments arguments_;
  test::DeviceUnderTest device_{GetParam()};
};

// kLogUnit is 1.5e-11 of a cell's probability, which sigma makes 1e-9 at most.
TEST_P(OccupancyMapParity, AnIterationIsAsTheEquationsSay) {
  MarginalParameters p;
  p.cell_m = 0.6, p.border_m = 0.6;
  p.sigma = 0.2, p.step = 1, p.iterations = 1;  // soft: lies well between 0 and 1
  std::vector<Image> masks = masks_of(arguments_.cameras, people_, 3);
  masks[2] = {};
  const OccupancyPlan plan = occupancy_map::make_plan(arguments_, p);
  const Small s = small(masks, plan);
  std::vector<MarginalView> seeing;
  for (const MarginalView& view : s.views)
    if (view.mask.data) seeing.push_back(view);
  const std::vector<double> expected =
      reference::wanted_marginals(seeing, std::vector<double>(plan.cell_count(), p.prior), p);
  const Marginals found = estimate(masks, p, arguments_);
  EXPECT_EQ(found.iterations, 1);
  for (size_t k = 0; k < plan.cell_count(); ++k)
    EXPECT_NEAR(found.probability[k], std::clamp(expected[k], 1e-6, 1 - 1e-6), 1e-8) << "cell " << k;
}

// Steps go towards the same place whatever came before, so rounding does not grow; where it is nearly even
// whether somebody stands there a step may still double it.
TEST_P(OccupancyMapParity, WholeRunsAreTheSame) {
  for (const unsigned seed : {1u, 2u, 3u})
    for (const double cell_m : {0.1, 0.2}) {
      MarginalParameters p;
      p.cell_m = cell_m;
      const std::vector<Image> masks = masks_of(arguments_.cameras, people_, seed);
      const OccupancyPlan plan = occupancy_map::make_plan(arguments_, p);
      const Small s = small(masks, plan);
      const Marginals expected = occupancy_marginals(s.views, plan.cell_count(), p);
      const Marginals found = estimate(masks, p, arguments_);
      EXPECT_NEAR(found.iterations, expected.iterations, 1);
      for (size_t k = 0; k < plan.cell_count(); ++k)
        ASSERT_NEAR(found.probability[k], expected.probability[k], 1e-4) << "seed " << seed << ", cell " << k;
      EXPECT_EQ(estimate(masks, p, arguments_).probability, found.probability) << "again";
    }
}

TEST_P(OccupancyMapParity, PeopleStandWhereTheyWereDrawn) {
  const std::vector<Image> masks = masks_of(arguments_.cameras, people_, 5);
  const auto standing =
      occupancy_map::make_plan(arguments_, {}).people_in_areas(estimate(masks, {}, arguments_), 0.5);
  EXPECT_EQ(standing.size(), people_.size());
  for (const Standing& one : people_) EXPECT_LT(nearest_m(one, standing), 0.2);
}

// An L: the person beyond its inner corner is nobody's, and makes nobody in it where cells go on around it.
TEST_P(OccupancyMapParity, NobodyStandsOutsideTheAreas) {
  OccupancyMapper::Arguments in_area = arguments_;
  in_area.areas = {{"L", {{-1.5, -1.5}, {1.5, -1.5}, {1.5, 0}, {0, 0}, {0, 1.5}, {-1.5, 1.5}}}};
  const std::vector<Image> masks = masks_of(arguments_.cameras, people_, 5);
  for (const double border_m : {0.0, 1.0}) {
    MarginalParameters p;
    p.border_m = border_m;
    const Marginals found = estimate(masks, p, in_area);
    const OccupancyPlan plan = occupancy_map::make_plan(in_area, p);
    const auto standing = plan.people_in_areas(found, 0.5);
    ASSERT_FALSE(standing.empty());
    for (const FloorPerson& person : standing) {
      EXPECT_TRUE(in_any(in_area.areas, {person.x_m - 0.05, person.y_m - 0.05}) ||
                  in_any(in_area.areas, {person.x_m + 0.05, person.y_m + 0.05}));
      EXPECT_TRUE(border_m == 0 || nearest_m(person, people_) < 0.2) << person.x_m << ", " << person.y_m;
    }
    for (const Standing& one : people_) {
      const bool inside = in_any(in_area.areas, {one.x_m, one.y_m});
      EXPECT_TRUE(!inside || nearest_m(one, standing) < 0.2) << one.x_m << ", " << one.y_m;
    }
    // The corner beyond the inner one lies farther from the L than the border goes.
    EXPECT_EQ(found.probability[plan.cell_count() - 1], p.prior);
  }
}

TEST_P(OccupancyMapParity, NobodyStandsWhereNothingWasSeen) {
  MarginalParameters p;
  p.prior = 0.1;  // of 13 cells: together more probable than not
  const std::vector<Image> none(arguments_.cameras.size());
  const Marginals found = estimate(none, p, arguments_);
  EXPECT_EQ(found.probability[0], p.prior);
  EXPECT_TRUE(occupancy_map::make_plan(arguments_, p).people_in_areas(found, 0.5).empty());
}

TEST_P(OccupancyMapParity, WrongMasksAreRefused) {
  const auto mapper = device_.create<OccupancyMapper>(arguments_);
  ASSERT_TRUE(mapper->prepare({}));
  EXPECT_FALSE(mapper->estimate({}, 0));
  std::vector<Image> masks(arguments_.cameras.size());
  EXPECT_TRUE(mapper->estimate(masks, 0)) << "no pictures at all";
  masks[1] = device_.to_device(Image::make(ImageType::u8, 10, 10, HostPool::shared()).value());
  EXPECT_FALSE(mapper->estimate(masks, 0));
}

// Said, not asked: 20 people on 4 m x 4 m before 8 cameras of 640 x 480.
TEST_P(OccupancyMapParity, TimeOfACrowd) {
  test::RingOptions ring;
  ring.cameras = 8, ring.width_px = 640, ring.height_px = 480;
  OccupancyMapper::Arguments arguments{
      models_of(test::camera_ring(ring)), {{-2, -2, 0}, 0.05, 80, 80, 40}, {}};
  std::vector<Standing> people;
  for (int i = 0; i < 20; ++i) people.push_back({-1.6 + 0.8 * (i % 5), -1.6 + 0.8 * (i / 5)});
  std::vector<Image> there;
  for (const Image& mask : masks_of(arguments.cameras, people, 7)) there.push_back(device_.to_device(mask));
  const auto mapper = device_.create<OccupancyMapper>(arguments);
  ASSERT_TRUE(mapper->prepare({}));
  for (int round = 0; round < 3; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const Marginals found = mapper->estimate(there, round).value();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::cout << "8 cameras, " << found.probability.size() << " cells: " << found.iterations
              << " iterations in " << took.count() << " ms\n";
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, OccupancyMapParity, ::testing::Values(Device::cpu, Device::cuda),
                         test::device_test_name);

}  // namespace
}  // namespace vantage
