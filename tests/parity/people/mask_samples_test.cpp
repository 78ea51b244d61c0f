// Sampled indicators: the definition, pixel by pixel, against every device.
#include "core/people/mask_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "core/image/backend/memory_transfer.h"
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

  // All levels, half of them 0, those at the limits among them.
  Image random_indicator(int width, int height) {
    Image indicator = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
    const ImageView<uint8_t> view = indicator.writable_view<uint8_t>();
    std::uniform_int_distribution<int> value(-255, 255);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) view.at(x, y) = static_cast<uint8_t>(std::max(0, value(random_)));
    return indicator;
  }

  std::vector<MaskSamples> sample(const std::vector<Image>& indicators) {
    std::vector<Image> here;
    for (const Image& indicator : indicators) here.push_back(device_.to_device(indicator));
    return sampler_->sample(here, 0).value().get().value();
  }

  static void expect_as_defined(const Image& image, const MaskSamples& samples) {
    const int step_x = std::max(1, image.width() / 320), step_y = std::min(2 * step_x, image.height());
    ASSERT_EQ(samples.grid.step_x, step_x);
    ASSERT_EQ(samples.grid.step_y, step_y);
    ASSERT_EQ(samples.grid.width, image.width() / step_x);
    ASSERT_EQ(samples.grid.height, image.height() / step_y);
    ASSERT_EQ(samples.bits.size(), samples.grid.word_count());
    ASSERT_EQ(samples.undecided.size(), samples.grid.word_count());
    for (int y = 0; y < samples.grid.height; ++y)
      for (int x = 0; x < 64 * samples.grid.words; ++x) {
        const auto word = static_cast<size_t>(samples.grid.words * y + x / 64);
        const int level = x < samples.grid.width
                              ? image.view<uint8_t>().at(step_x * x + step_x / 2, step_y * y + step_y / 2)
                              : 0;
        ASSERT_EQ(samples.bits[word] >> (x % 64) & 1, level >= 128 ? 1u : 0u) << x << ", " << y;
        ASSERT_EQ(samples.undecided[word] >> (x % 64) & 1, level >= 64 && level < 128 ? 1u : 0u)
            << x << ", " << y;
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
    const Image indicator = random_indicator(width, height);
    const std::vector<MaskSamples> samples = sample({indicator});
    ASSERT_EQ(samples.size(), 1u);
    expect_as_defined(indicator, samples.front());
  }
}

// More than one launch takes, of sizes of their own, some without a picture.
TEST_P(MaskSamplesParity, ManyCamerasSomeWithoutAPicture) {
  std::vector<Image> indicators;
  for (int c = 0; c < 37; ++c)
    indicators.push_back(c % 5 == 3 ? Image() : random_indicator(300 + 31 * c, 200 + 7 * c));
  const std::vector<MaskSamples> samples = sample(indicators);
  ASSERT_EQ(samples.size(), indicators.size());
  for (size_t c = 0; c < indicators.size(); ++c) {
    SCOPED_TRACE("camera " + std::to_string(c));
    if (indicators[c]) {
      expect_as_defined(indicators[c], samples[c]);
    } else {
      EXPECT_EQ(samples[c].grid, SampleGrid());
      EXPECT_TRUE(samples[c].bits.empty());
      EXPECT_TRUE(samples[c].undecided.empty());
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
