// Thumbnails of luma: a slow reference, which goes through all samples and asks to which cells each belongs,
// against CPU and CUDA, equal to the bit; and what ViewWatch makes of them on either device.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/live/view_watch.h"
#include "core/primitives/luma_thumbnail.h"
#include "tests/support/backends.h"

namespace vantage::test {
namespace {

constexpr int kWidth = LumaThumbnail::kWidth, kHeight = LumaThumbnail::kHeight;

Picture random_picture(int width, int height, std::mt19937& random, int most = 256) {
  Picture picture = Picture::make({PictureLayout::nv12, width, height}, HostPool::shared()).value();
  for (int p = 0; p < picture.plane_count(); ++p)
    for (int y = 0; y < picture.plane(p).height; ++y)
      for (int x = 0; x < picture.plane(p).width; ++x)
        picture.writable_plane(p).at(x, y) = static_cast<uint8_t>(random() % static_cast<unsigned>(most));
  return picture;
}

// Whether sample `at` of `size` counts in that cell of `cells`.
bool counts(int at, int cell, int size, int cells) {
  const auto from = static_cast<int>(static_cast<int64_t>(cell) * size / cells);
  const auto to = static_cast<int>(static_cast<int64_t>(cell + 1) * size / cells);
  const bool inside = at >= from && (at < to || (to == from && at == from));
  return inside && (at - from) % 2 == 0;
}

LumaThumbnail reference(const Picture& picture) {
  const ImageView<const uint8_t> luma = picture.plane(0);
  LumaThumbnail out;
  for (int row = 0; row < kHeight; ++row)
    for (int column = 0; column < kWidth; ++column) {
      double sum = 0;
      int samples = 0;
      for (int y = 0; y < luma.height; ++y)
        for (int x = 0; x < luma.width; ++x)
          if (counts(y, row, luma.height, kHeight) && counts(x, column, luma.width, kWidth)) {
            sum += luma.row(y)[x];
            ++samples;
            const uint64_t place =
                static_cast<uint64_t>(y) * static_cast<uint64_t>(luma.width) + static_cast<uint64_t>(x);
            out.fingerprint += luma.row(y)[x] * (2 * place + 1);
          }
      out.mean[row * kWidth + column] = static_cast<float>(sum / samples);
    }
  return out;
}

class LumaThumbnailParity : public testing::TestWithParam<Device> {};

TEST_P(LumaThumbnailParity, EqualsTheReferenceToTheBit) {
  DeviceUnderTest device(GetParam());
  if (!device.has<LumaThumbnails>()) GTEST_SKIP() << device.why_missing();
  const auto thumbnails = device.create<LumaThumbnails>({});
  std::mt19937 random(31);
  const std::vector<std::pair<int, int>> sizes = {{1, 1},   {1, 90},  {130, 1},   {31, 23},
                                                  {33, 25}, {64, 48}, {161, 119}, {322, 242}};
  for (const auto& [width, height] : sizes) {
    const Picture picture = random_picture(width, height, random);
    const LumaThumbnail wanted = reference(picture);
    const auto made = thumbnails->make(device.to_device(picture));
    ASSERT_TRUE(made) << made.error().message();
    const Result<LumaThumbnail>& found = made->get();
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_EQ(found->fingerprint, wanted.fingerprint) << width << "x" << height;
    EXPECT_EQ(found->mean, wanted.mean) << width << "x" << height;
  }
}

TEST_P(LumaThumbnailParity, LargeWhitePicturesDoNotOverflow) {
  DeviceUnderTest device(GetParam());
  if (!device.has<LumaThumbnails>()) GTEST_SKIP() << device.why_missing();
  const auto thumbnails = device.create<LumaThumbnails>({});
  Picture picture = Picture::make({PictureLayout::nv12, 3840, 2160}, HostPool::shared()).value();
  for (int y = 0; y < picture.height(); ++y)
    std::fill_n(picture.writable_plane(0).row(y), picture.width(), uint8_t{255});
  const auto made = thumbnails->make(device.to_device(picture));
  ASSERT_TRUE(made);
  const Result<LumaThumbnail>& found = made->get();
  ASSERT_TRUE(found);
  for (const float mean : found->mean) ASSERT_EQ(mean, 255.0F);
  EXPECT_EQ(found->fingerprint, luma_thumbnail(picture.plane(0)).fingerprint);
}

// A scene that is watched, turned, covered and frozen: what is said of pictures in the device's memory is
// what is said of the same in the host's, one look later.
TEST_P(LumaThumbnailParity, ViewsAreJudgedAlike) {
  DeviceUnderTest device(GetParam());
  if (!device.has<LumaThumbnails>()) GTEST_SKIP() << device.why_missing();
  ViewWatch on_host, on_device(device.create<LumaThumbnails>({}));
  std::mt19937 random(7);
  const Picture scene = random_picture(160, 120, random, 200), other = random_picture(160, 120, random, 200);
  const auto with_noise = [&](const Picture& of, int contrast_divisor) {
    Picture out = Picture::make(of.format(), HostPool::shared()).value();
    for (int y = 0; y < of.height(); ++y)
      for (int x = 0; x < of.width(); ++x)
        out.writable_plane(0).at(x, y) =
            static_cast<uint8_t>(100 + (of.plane(0).at(x / 16 * 16, y / 16 * 16) - 100) / contrast_divisor +
                                 static_cast<int>(random() % 3));
    return out;
  };
  constexpr int64_t kStep_ns = 250'000'000;
  const int later = device.device() == Device::cpu ? 0 : 1;
  std::vector<std::string> host, far;
  Picture shown;
  for (int i = 0; i < 140; ++i) {
    const bool turned = i >= 20 && i < 50, covered = i >= 60 && i < 90, frozen = i >= 100 && i < 130;
    if (!frozen) shown = with_noise(turned ? other : scene, covered ? 30 : 1);
    host.push_back(on_host.look(shown, i * kStep_ns));
    far.push_back(on_device.look(device.to_device(shown), i * kStep_ns));
  }
  for (const char* word : {"turned", "covered", "frozen"})
    EXPECT_TRUE(std::any_of(host.begin(), host.end(), [&](const std::string& said) {
      return said.find(word) != std::string::npos;
    })) << word;
  // Times are those of the looks, so that a sentence may also begin or end one look apart.
  for (size_t i = 2; i < host.size(); ++i) {
    const size_t same = i - static_cast<size_t>(later);
    EXPECT_TRUE(far[i] == host[same] || far[i] == host[same - 1]) << i << ": " << far[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, LumaThumbnailParity, testing::Values(Device::cpu, Device::cuda),
                         device_test_name);

}  // namespace
}  // namespace vantage::test
