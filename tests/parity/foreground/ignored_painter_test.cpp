// Foreground painted undecided in ignored regions, on CPU and CUDA: equal to the bit, by a slow loop.
#include "core/foreground/ignored_painter.h"

#include <gtest/gtest.h>

#include <random>

#include "core/people/mask_samples.h"
#include "tests/support/backends.h"

namespace vantage::test {
namespace {

Image painted_image(int width, int height, const std::function<uint8_t()>& level) {
  Image image = Image::make(ImageType::u8, width, height, HostPool::shared()).value();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.writable_view<uint8_t>().at(x, y) = level();
  return image;
}

class IgnoredPainterParity : public testing::TestWithParam<Device> {};

TEST_P(IgnoredPainterParity, PixelsAreUndecidedAndCountNowhere) {
  static_assert(is_undecided(kIgnoredLevel));
  DeviceUnderTest device(GetParam());
  if (!device.has<IgnoredPainter>()) GTEST_SKIP() << device.why_missing();
  std::mt19937 random(21);
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {255, 7}, {257, 33}, {640, 481}, {1920, 1080}})
    for (const unsigned every : {1U, 3U, 1U << 30}) {  // all, some, nearly none
      const auto level = [&] { return static_cast<uint8_t>(random()); };
      const Image ignored =
          painted_image(width, height, [&] { return random() % every == 0 ? level() | 1 : 0; });
      const Image indicator = painted_image(width, height, level);
      const Image mask = painted_image(width, height, [&] { return random() % 4 == 0 ? 255 : 0; });
      const auto painter = device.create<IgnoredPainter>({.camera = 0, .ignored = ignored});
      const ForegroundImages images{device.to_device(indicator), device.to_device(mask), int64_t{-1}};
      for (int frame = 0; frame < 2; ++frame) {  // the device's mask and sum are used again
        const auto painted = painter->paint(images, frame);
        ASSERT_TRUE(painted) << painted.error().message();
        const Image levels = device.to_host(painted->indicator), in = device.to_host(painted->mask);
        int64_t count = 0;
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) {
            const bool skip = ignored.view<uint8_t>().at(x, y) != 0;
            const uint8_t wanted = skip ? 115 : indicator.view<uint8_t>().at(x, y);
            const uint8_t wanted_in = skip ? 0 : mask.view<uint8_t>().at(x, y);
            count += wanted_in == 255;
            ASSERT_EQ(levels.view<uint8_t>().at(x, y), wanted) << x << ", " << y;
            ASSERT_EQ(in.view<uint8_t>().at(x, y), wanted_in) << x << ", " << y;
          }
        EXPECT_EQ(painted->mask_count.get().value(), count);
        const Image before = device.to_host(images.mask);
        for (int x = 0; x < width; ++x)
          ASSERT_EQ(before.view<uint8_t>().at(x, 0), mask.view<uint8_t>().at(x, 0)) << "unchanged";
      }
    }
}

TEST_P(IgnoredPainterParity, AnotherSizeIsRefused) {
  DeviceUnderTest device(GetParam());
  if (!device.has<IgnoredPainter>()) GTEST_SKIP() << device.why_missing();
  const auto zero = [] { return uint8_t{0}; };
  const auto painter = device.create<IgnoredPainter>({.camera = 0, .ignored = painted_image(8, 8, zero)});
  const Image other = device.to_device(painted_image(9, 8, zero));
  const auto painted = painter->paint({other, other, int64_t{0}}, 0);
  ASSERT_FALSE(painted);
  EXPECT_EQ(painted.error().kind, ErrorKind::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Devices, IgnoredPainterParity, testing::Values(Device::cpu, Device::cuda),
                         device_test_name);

}  // namespace
}  // namespace vantage::test
