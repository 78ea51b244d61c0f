// Pictures reduced and moved on CPU and CUDA: equal to the bit.
#include "core/foreground/picture_steadier.h"

#include <gtest/gtest.h>

#include <random>

#include "core/image/picture.h"
#include "tests/support/backends.h"

namespace vantage::test {
namespace {

Picture noisy_picture(PictureLayout layout, int width, int height, std::mt19937& random) {
  Picture picture = Picture::make({layout, width, height}, HostPool::shared()).value();
  for (int p = 0; p < picture.plane_count(); ++p)
    for (int y = 0; y < picture.plane(p).height; ++y)
      for (int x = 0; x < picture.plane(p).width; ++x)
        picture.writable_plane(p).at(x, y) = static_cast<uint8_t>(random());
  return picture;
}

// In either layout: a device has pairs, whatever it was given.
int chroma_at(const Picture& picture, int channel, int x, int y) {
  const bool pairs = picture.format().layout == PictureLayout::nv12;
  return picture.plane(pairs ? 1 : 1 + channel).at(pairs ? 2 * x + channel : x, y);
}

class PictureSteadierParity : public testing::TestWithParam<Device> {};

TEST_P(PictureSteadierParity, EqualsTheHostToTheBit) {
  DeviceUnderTest device(GetParam());
  if (!device.has<PictureSteadier>()) GTEST_SKIP() << device.why_missing();
  const auto steadier = device.create<PictureSteadier>({});
  std::mt19937 random(12);
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {37, 22}, {321, 243}, {1280, 960}})
    for (const auto layout : {PictureLayout::i420, PictureLayout::nv12})
      for (const PictureShift shift : {PictureShift{0, 0}, {5, -11}, {-37, 64}, {300, -300}}) {
        SCOPED_TRACE(testing::Message() << width << 'x' << height << ' ' << shift.dx_16);
        const Picture picture = noisy_picture(layout, width, height, random);
        const Picture there = device.to_device(picture);
        for (const int factor : {1, 4, 5}) {
          const Image wanted = reduced_mean(picture.plane(0), factor, HostPool::shared()).value();
          const auto found = steadier->reduced_luma(there, factor, 0);
          ASSERT_TRUE(found) << found.error().message();
          for (int y = 0; y < wanted.height(); ++y)
            for (int x = 0; x < wanted.width(); ++x)
              ASSERT_EQ(found->view<uint8_t>().at(x, y), wanted.view<uint8_t>().at(x, y));
        }
        const Picture wanted = shifted(picture, shift, HostPool::shared()).value();
        const auto moved = steadier->shifted(there, shift, 0);
        ASSERT_TRUE(moved) << moved.error().message();
        const Picture found = device.to_host(*moved);
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x)
            ASSERT_EQ(found.plane(0).at(x, y), wanted.plane(0).at(x, y)) << x << ", " << y;
        for (int c = 0; c < 2; ++c)
          for (int y = 0; y < (height + 1) / 2; ++y)
            for (int x = 0; x < (width + 1) / 2; ++x)
              ASSERT_EQ(chroma_at(found, c, x, y), chroma_at(wanted, c, x, y)) << c << ": " << x << ", " << y;
      }
}

INSTANTIATE_TEST_SUITE_P(Devices, PictureSteadierParity, testing::Values(Device::cpu, Device::cuda),
                         device_test_name);

}  // namespace
}  // namespace vantage::test
