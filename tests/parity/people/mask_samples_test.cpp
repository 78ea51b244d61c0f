// Sampled masks: the definition, pixel by pixel, against every device.
#include "core/people/mask_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "core/backend/memory_transfer.h"
#include "tests/support/backends.h"
#include "tests/support/seed.h"

namespace vantage {
namespace {

class MaskSamplesParity : public ::testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (!device_.has<MaskSampler>()) GTEST_SKIP() << device_.why_missing();
    sampler_ = device_.create<MaskSampler>({});
  }

  // 0 and other values, each in runs of pixels of either.
  Image random_mask(int width, int height) {
    Image mask = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
    const ImageView<uint8_t> view = mask.writable_view<uint8_t>();
    std::uniform_int_distribution<int> value(-300, 255);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) view.at(x, y) = static_cast<uint8_t>(std::max(0, value(random_)));
    return mask;
  }

  std::vector<MaskSamples> sample(const std::vector<Image>& masks) {
    std::vector<Image> here;
    for (const Image& mask : masks) here.push_back(device_.to_device(mask));
    return sampler_->sample(here, 0).value().get().value();
  }

  static void expect_as_defined(const Image& mask, const MaskSamples& samples) {
    const int step_x = std::max(1, mask.width() / 320), step_y = std::min(2 * step_x, mask.height());
    ASSERT_EQ(samples.grid.step_x, step_x);
    ASSERT_EQ(samples.grid.step_y, step_y);
    ASSERT_EQ(samples.grid.width, mask.width() / step_x);
    ASSERT_EQ(samples.grid.height, mask.height() / step_y);
    ASSERT_EQ(samples.bits.size(), samples.grid.word_count());
    for (int y = 0; y < samples.grid.height; ++y)
      for (int x = 0; x < 64 * samples.grid.words; ++x) {
        const uint64_t word = samples.bits[static_cast<size_t>(samples.grid.words * y + x / 64)];
        const bool set = word >> (x % 64) & 1;
        const bool expected = x < samples.grid.width &&
                              mask.view<uint8_t>().at(step_x * x + step_x / 2, step_y * y + step_y / 2) != 0;
        ASSERT_EQ(set, expected) << x << ", " << y;
      }
  }

  test::DeviceUnderTest device_{GetParam()};
  std::unique_ptr<MaskSampler> sampler_;
  std::mt19937 random_{test::test_seed()};
};

TEST_P(MaskSamplesParity, EverySizeAsDefined) {
  for (const auto& [width, height] : {std::pair{1, 1},
                                      {1, 9},
                                      {63, 5},
                                      {64, 4},
                                      {322, 242},
                                      {644, 486},
                                      {961, 13},
                                      {1280, 960},
                                      {1283, 17},
                                      {1920, 1080},
                                      {3840, 31}}) {
    SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
    const Image mask = random_mask(width, height);
    const std::vector<MaskSamples> samples = sample({mask});
    ASSERT_EQ(samples.size(), 1u);
    expect_as_defined(mask, samples.front());
  }
}

// More than one launch takes, of sizes of their own, some without a picture.
TEST_P(MaskSamplesParity, ManyCamerasSomeWithoutAPicture) {
  std::vector<Image> masks;
  for (int c = 0; c < 37; ++c) masks.push_back(c % 5 == 3 ? Image() : random_mask(300 + 31 * c, 200 + 7 * c));
  const std::vector<MaskSamples> samples = sample(masks);
  ASSERT_EQ(samples.size(), masks.size());
  for (size_t c = 0; c < masks.size(); ++c) {
    SCOPED_TRACE("camera " + std::to_string(c));
    if (masks[c]) {
      expect_as_defined(masks[c], samples[c]);
    } else {
      EXPECT_EQ(samples[c].grid, SampleGrid());
      EXPECT_TRUE(samples[c].bits.empty());
    }
  }
}

TEST_P(MaskSamplesParity, NoPictureAtAll) {
  EXPECT_TRUE(sample({}).empty());
  const std::vector<MaskSamples> samples = sample({Image(), Image()});
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples.front().grid.word_count(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Devices, MaskSamplesParity, ::testing::Values(Device::cpu, Device::cuda),
                         test::device_test_name);

}  // namespace
}  // namespace vantage
