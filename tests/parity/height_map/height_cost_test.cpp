// DAISY and the data cost: the double-precision reference against every device.
//
// Histograms are rounded to 8 bits: they may differ by one step where a value lies on the border of two.
// Costs use those bytes and read ring points at the nearest pixel, which rounding may move by one: hence a
// tolerance of 0.02 on nearly all costs and of 0.003 on their mean difference. CPU and CUDA share their
// arithmetic: equal to the bit.
#include "core/height_map/cost.h"

#include <gtest/gtest.h>

#include <iostream>
#include <numeric>
#include <random>

#include "core/geometry/height_field.h"
#include "tests/reference/daisy.h"
#include "tests/support/backends.h"
#include "tests/support/camera_ring.h"

namespace vantage {
namespace {

Image random_picture(int width, int height, unsigned seed) {
  std::mt19937 random(seed);
  reference::Plane noise(width, height);
  for (double& value : noise.values) value = 255.0 * static_cast<double>(random() % 256) / 255;
  const reference::Plane smooth = reference::gaussian_blur(noise, 2);
  Image image = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image.writable_view<uint8_t>().at(x, y) =
          static_cast<uint8_t>(std::clamp(128 + 6 * (smooth.at(x, y) - 128), 0.0, 255.0));
  return image;
}

reference::DaisySettings settings_of(const DaisyParameters& p) {
  return {p.radius_px, p.rings, p.points, p.flat};
}

class HeightCostParity : public ::testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (!device_.has<HeightCost>()) GTEST_SKIP() << device_.why_missing();
  }

  DaisyField describe(test::DeviceUnderTest& device, const Image& picture, const DaisyParameters& p) {
    const auto daisy = device.create<Daisy>({0});
    daisy->set_parameters(p);
    const Image there = device.to_device(picture);
    return daisy->describe(there.buffer(), there.view<uint8_t>(), 4).value();
  }

  test::DeviceUnderTest device_{GetParam()};
};

TEST_P(HeightCostParity, HistogramsAreTheReferences) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  const DaisyParameters published, small{4, 2, 5, 2};
  for (const auto& [width, height] : {std::pair(1, 1), {1, 13}, {37, 1}, {45, 38}})
    for (const DaisyParameters& p : {published, small}) {
      const Image picture = random_picture(width, height, seed);
      const DaisyField field = describe(device_, picture, p);
      ASSERT_EQ(field.levels, p.rings);
      const Image host = device_.to_host(field.histograms);
      const auto expected = reference::daisy(picture.view<uint8_t>(), settings_of(p));
      for (int q = 0; q < p.rings; ++q)
        for (int y = 0; y < height; ++y)
          for (int i = 0; i < 8 * width; ++i)
            ASSERT_NEAR(host.view<uint8_t>().at(i, q * height + y), 255 * expected[q][i % 8].at(i / 8, y),
                        0.51)
                << i / 8 << ", " << y << " level " << q;
    }
}

// Three cameras that look down on a floor.
struct CostScene {
  std::vector<Camera> cameras;
  std::vector<Image> pictures;
  HeightCost::Arguments arguments;
  HeightMapParameters parameters;
  DaisyParameters descriptor{6, 2, 6, 0.5};
};

CostScene make_scene(unsigned seed, LensModel lens = LensModel::polynomial) {
  CostScene scene;
  test::RingOptions ring;
  ring.cameras = 3, ring.width_px = 57, ring.height_px = 44, ring.radius_m = 2, ring.height_m = 5;
  ring.lens = lens;
  scene.cameras = test::camera_ring(ring);
  for (unsigned c = 0; c < 3; ++c)
    scene.pictures.push_back(random_picture(ring.width_px, ring.height_px, seed + c));
  scene.arguments.reference = scene.cameras[0].model();
  scene.arguments.others = {scene.cameras[1].model(), scene.cameras[2].model()};
  const HeightRays rays = make_height_rays(scene.cameras[0]).value();
  std::copy_n(rays.center_in_world_m, 3, scene.arguments.center_in_world_m);
  scene.arguments.slopes = rays.slopes;
  scene.parameters.heights = 7;
  scene.parameters.step_m = 0.1;
  scene.parameters.outline_drop_m = 0;
  return scene;
}

using Levels = std::vector<std::vector<reference::Plane>>;  // of a picture, by scale and direction

// What the views say together of a pixel of the reference camera at a height.
double combined_reference(const CostScene& scene, const std::vector<Levels>& levels, int x, int y,
                          double height_m) {
  const HeightMapParameters& p = scene.parameters;
  std::vector<double> views;
  int seeing = 0;
  for (size_t c = 1; c < 3; ++c) {
    auto one =
        reference::dissimilarity(scene.cameras[0], levels[0], scene.cameras[c], levels[c], {x, y}, height_m,
                                 p.labels().height_m(p.heights / 2), settings_of(scene.descriptor));
    seeing += one.has_value();
    if (!one && p.unseen == UnseenView::cost) one = p.unseen_cost;
    if (one) views.push_back(p.combine == ViewCombination::robust ? std::min(*one, p.robust_limit) : *one);
  }
  if (seeing == 0) return p.unseen_cost;
  if (p.combine == ViewCombination::best) return *std::min_element(views.begin(), views.end());
  return std::accumulate(views.begin(), views.end(), 0.0) / static_cast<double>(views.size());
}

// The cost of a pixel without a head: the least that the heights below the lowest label cost, at most
// no_head_cost.
double no_head_reference(const CostScene& scene, const std::vector<Levels>& levels, int x, int y) {
  const HeightMapParameters& p = scene.parameters;
  double expected = p.no_head_cost;
  for (int i = 0; i < p.below_heights; ++i)
    expected = std::min(expected, combined_reference(scene, levels, x, y, p.lowest_m * i / p.below_heights));
  return expected;
}

// Pixels left of column 5 are masked.
void expect_reference_costs(const CostScene& scene, const std::vector<Levels>& levels, const Image& costs) {
  const HeightMapParameters& p = scene.parameters;
  double difference = 0;
  int count = 0, far = 0, seen = 0;
  for (int y = 0; y < 44; ++y)
    for (int x = 0; x < 57; ++x) {
      const bool outside = x < 5 || std::isnan(scene.arguments.slopes.view<float>().at(2 * x, y));
      const float none = costs.view<float>().at(x, p.heights * 44 + y);
      if (outside) {
        ASSERT_EQ(none, 0.0f);
      } else {
        far += std::abs(none - no_head_reference(scene, levels, x, y)) > 0.02;
      }
      for (int k = 0; k < p.heights; ++k) {
        const float found = costs.view<float>().at(x, k * 44 + y);
        if (outside) {
          ASSERT_FLOAT_EQ(found, kMaskedCost);
          continue;
        }
        const double expected = combined_reference(scene, levels, x, y, p.labels().height_m(k));
        seen += expected != p.unseen_cost;
        ++count;
        difference += std::abs(found - expected);
        far += std::abs(found - expected) > 0.02;
      }
    }
  ASSERT_GT(seen, count / 3);
  EXPECT_LT(difference / count, 0.003);
  EXPECT_LE(far, count / 50) << "of " << count;
}

TEST_P(HeightCostParity, CostsAreTheReferences) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  Image mask = Image::make(ImageType::u8, 57, 44, HostPool::shared()).value();
  for (int y = 0; y < 44; ++y)
    for (int x = 0; x < 57; ++x) mask.writable_view<uint8_t>().at(x, y) = x < 5 ? 0 : 1;
  for (const LensModel lens : test::kLensModels) {
    CostScene scene = make_scene(seed, lens);
    std::vector<Levels> levels;
    for (const Image& picture : scene.pictures)
      levels.push_back(reference::daisy(picture.view<uint8_t>(), settings_of(scene.descriptor)));
    HeightMapParameters& p = scene.parameters;
    p.robust_limit = 0.35;
    p.below_heights = 3;
    for (const ViewCombination combine :
         {ViewCombination::mean, ViewCombination::robust, ViewCombination::best})
      for (const UnseenView unseen : {UnseenView::skip, UnseenView::cost}) {
        // How views are combined does not depend on the lens.
        if (lens != LensModel::polynomial && combine != ViewCombination::mean) continue;
        p.combine = combine, p.unseen = unseen;
        std::vector<DaisyField> fields;
        for (const Image& picture : scene.pictures)
          fields.push_back(describe(device_, picture, scene.descriptor));
        const auto cost = device_.create<HeightCost>(scene.arguments);
        cost->set_parameters(p, scene.descriptor);
        const CostVolume volume =
            cost->measure(fields[0], std::vector{fields[1], fields[2]}, device_.to_device(mask), 4).value();
        ASSERT_NO_FATAL_FAILURE(expect_reference_costs(scene, levels, device_.to_host(volume.costs)));
      }
  }
}

TEST_P(HeightCostParity, DevicesAgreeToTheBit) {
  if (GetParam() == Device::cpu) GTEST_SKIP() << "the CPU is what is compared with";
  test::DeviceUnderTest host(Device::cpu);
  for (const LensModel lens : test::kLensModels) {
    SCOPED_TRACE(static_cast<int>(lens));
    CostScene scene = make_scene(7, lens);
    scene.descriptor = {};
    scene.parameters.heights = 40;
    scene.parameters.step_m = 0.025;
    const auto measured = [&](test::DeviceUnderTest& device) {
      std::vector<DaisyField> fields;
      for (const Image& picture : scene.pictures)
        fields.push_back(describe(device, picture, scene.descriptor));
      const auto cost = device.create<HeightCost>(scene.arguments);
      cost->set_parameters(scene.parameters, scene.descriptor);
      return device.to_host(
          cost->measure(fields[0], std::vector{fields[1], DaisyField{}}, {}, 4).value().costs);
    };
    const Image expected = measured(host), found = measured(device_);
    for (int y = 0; y < expected.height(); ++y)
      for (int x = 0; x < expected.width(); ++x)
        ASSERT_EQ(found.view<float>().at(x, y), expected.view<float>().at(x, y)) << x << ", " << y;
  }
}

TEST_P(HeightCostParity, WrongFieldsAreRefused) {
  const CostScene scene = make_scene(1);
  const auto cost = device_.create<HeightCost>(scene.arguments);
  cost->set_parameters(scene.parameters, scene.descriptor);
  const DaisyField field = describe(device_, scene.pictures[0], scene.descriptor);
  EXPECT_TRUE(cost->measure(field, std::vector{field, DaisyField{}}, {}, 0));
  EXPECT_FALSE(cost->measure({}, std::vector{field, field}, {}, 0));
  EXPECT_FALSE(cost->measure(field, std::vector{field}, {}, 0));
  EXPECT_FALSE(cost->measure(describe(device_, random_picture(9, 9, 1), scene.descriptor),
                             std::vector{field, field}, {}, 0));
  EXPECT_FALSE(cost->measure(describe(device_, scene.pictures[0], {}), std::vector{field, field}, {}, 0));
}

INSTANTIATE_TEST_SUITE_P(Devices, HeightCostParity, ::testing::Values(Device::cpu, Device::cuda),
                         test::device_test_name);

}  // namespace
}  // namespace vantage
