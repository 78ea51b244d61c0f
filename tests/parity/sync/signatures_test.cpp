// Frame signatures: reference against every device. Sums of whole numbers: equal, but for lines with a point
// that lies on the border of two pixels.
#include "core/sync/signatures.h"
#include "core/sync/epipolar.h"

#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "tests/reference/signatures.h"
#include "tests/support/backends.h"
#include "tests/support/camera_ring.h"
#include "tests/support/pictures.h"

namespace vantage {
namespace {

class SignaturesParity : public ::testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (!device_.has<SignatureExtractor>()) GTEST_SKIP() << device_.why_missing();
  }

  SignatureExtractor::Arguments scene(const test::RingOptions& ring, int lines) {
    const std::vector<Camera> cameras = test::camera_ring(ring);
    SignatureExtractor::Arguments arguments{models_of(cameras), {}};
    for (int i = 0; i < ring.cameras; ++i)
      for (int j = i + 1; j < ring.cameras; ++j) {
        EpipolarLines twins = choose_epipolar_lines(cameras[i], cameras[j], volume_, lines);
        arguments.pairs.push_back({i, j, twins.first, twins.second});
      }
    return arguments;
  }

  void check(const SignatureExtractor::Arguments& arguments, const std::vector<Image>& indicators) {
    const auto extractor = device_.create<SignatureExtractor>(arguments);
    std::vector<Image> there;
    for (const Image& image : indicators) there.push_back(device_.to_device(image));
    const Image sums = device_.to_host(extractor->extract(there, 3).value());
    const ImageView<const uint32_t> view = sums.view<uint32_t>();
    ASSERT_EQ(view.height, static_cast<int>(2 * arguments.pairs.size()));
    int compared = 0, busy = 0;
    for (int row = 0; row < view.height; ++row) {
      const SignaturePair& pair = arguments.pairs[row / 2];
      const auto camera = static_cast<size_t>(row % 2 == 0 ? pair.first : pair.second);
      const std::vector<LineSegment>& lines = row % 2 == 0 ? pair.first_lines : pair.second_lines;
      for (int r = 0; r < view.width; ++r) {
        if (!indicators[camera] || r >= static_cast<int>(lines.size())) {
          EXPECT_EQ(view.at(r, row), kNoSignature) << "row " << row << ", line " << r;
          continue;
        }
        bool ties = false;
        const double expected = reference::line_sum(arguments.cameras[camera], lines[r],
                                                    indicators[camera].view<uint8_t>(), &ties);
        if (ties) continue;
        EXPECT_EQ(view.at(r, row), expected) << "row " << row << ", line " << r;
        ++compared, busy += expected > 0;
      }
    }
    EXPECT_GT(compared, 0);
    EXPECT_GT(busy, compared / 2);
  }

  test::DeviceUnderTest device_{GetParam()};
  const VoxelGrid volume_{{-1, -1, 0}, 0.1, 20, 20, 15};
};

TEST_P(SignaturesParity, RandomIndicators) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 random(seed);
  for (const auto& [width, height, lines] : {std::array{161, 121, 48}, {97, 33, 1}, {644, 486, 17}})
    for (const bool distorted : {true, false}) {
      test::RingOptions ring;
      ring.width_px = width, ring.height_px = height, ring.distorted = distorted;
      std::vector<Image> indicators;
      for (int c = 0; c < ring.cameras; ++c) indicators.push_back(test::random_image(width, height, random));
      check(scene(ring, lines), indicators);
    }
}

TEST_P(SignaturesParity, MissingCamerasAndFewerLines) {
  std::mt19937 random(7);
  const test::RingOptions ring;
  SignatureExtractor::Arguments arguments = scene(ring, 20);
  arguments.pairs[1].first_lines.resize(3), arguments.pairs[1].second_lines.resize(3);
  std::vector<Image> indicators;
  for (int c = 0; c < ring.cameras; ++c)
    indicators.push_back(c == 2 ? Image() : test::random_image(ring.width_px, ring.height_px, random));
  check(arguments, indicators);
}

TEST_P(SignaturesParity, WrongArgumentsAreRefused) {
  const test::RingOptions ring;
  const SignatureExtractor::Arguments good = scene(ring, 5);
  SignatureExtractor::Arguments uneven = good;
  uneven.pairs[0].first_lines.pop_back();
  EXPECT_FALSE(device_.registry().create<SignatureExtractor>(GetParam(), {}, uneven));
  SignatureExtractor::Arguments nobody = good;
  nobody.pairs[0].second = 9;
  EXPECT_FALSE(device_.registry().create<SignatureExtractor>(GetParam(), {}, nobody));
  EXPECT_FALSE(device_.registry().create<SignatureExtractor>(GetParam(), {}, {good.cameras, {}}));
  const auto extractor = device_.create<SignatureExtractor>(good);
  const std::vector<Image> too_few(3);
  EXPECT_FALSE(extractor->extract(too_few, 0));
  std::vector<Image> too_small(4);
  too_small[1] = device_.to_device(test::constant_image(20, 20, 1));
  EXPECT_FALSE(extractor->extract(too_small, 0));
}

INSTANTIATE_TEST_SUITE_P(Devices, SignaturesParity, ::testing::Values(Device::cpu, Device::cuda),
                         test::device_test_name);

}  // namespace
}  // namespace vantage
