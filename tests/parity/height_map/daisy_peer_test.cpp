// DAISY beside scikit-image's (0.19), where that is installed.
//
// Alike: radius, rings, points and their order, the Gaussians of the rings, 8 bins. Otherwise there:
// gradients are forward differences of the picture as it is (here: central ones, smoothed); a direction goes
// into the bins by exp(8 / pi cos), not by max(0, cos); borders are mirrored; lengths are divided out without
// a least one, and not in 8 bits; nothing is turned. Either way of binning keeps where a histogram points on
// the whole (its first harmonic), so that is what is compared: gradients half a pixel apart turn it by a few
// degrees where the picture is smooth.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#include "core/features/daisy.h"
#include "tests/reference/daisy.h"
#include "tests/support/backends.h"

namespace vantage {
namespace {

constexpr int kWidth = 112, kHeight = 96, kRadius = 15, kRings = 3, kPoints = 8;
constexpr int kNotInstalled = 77;

Image smooth_picture() {
  std::mt19937 random(5);
  reference::Plane noise(kWidth, kHeight);
  for (double& value : noise.values) value = static_cast<double>(random() % 256);
  const reference::Plane smooth = reference::gaussian_blur(noise, 4);
  Image image = Image::make(ImageType::u8, kWidth, kHeight, HostPool::shared()).value();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      image.writable_view<uint8_t>().at(x, y) =
          static_cast<uint8_t>(std::clamp(128 + 20 * (smooth.at(x, y) - 128), 0.0, 255.0));
  return image;
}

void write_pgm(const std::filesystem::path& path, const ImageView<const uint8_t>& picture) {
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << picture.width << " " << picture.height << "\n255\n";
  for (int y = 0; y < picture.height; ++y)
    file.write(reinterpret_cast<const char*>(picture.row(y)), picture.width);
}

// Where a histogram points on the whole, and how much of it; the first bin points to `first_rad`.
template <typename T>
std::complex<double> pointing(const T* bins, double first_rad) {
  std::complex<double> sum = 0;
  for (int k = 0; k < kDaisyBins; ++k)
    sum += std::polar(static_cast<double>(bins[k]), first_rad + k * std::numbers::pi / 4);
  return sum;
}

TEST(DaisyPeer, PointsWhereScikitImageSays) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "daisy_peer";
  std::filesystem::create_directories(folder);
  const Image picture = smooth_picture();
  write_pgm(folder / "picture.pgm", picture.view<uint8_t>());
  const std::string command = VANTAGE_PEER_PYTHON " " VANTAGE_SOURCE_DIR
                                                  "/tests/reference/daisy_skimage.py " +
                              (folder / "picture.pgm").string() + " " + (folder / "descriptors").string();
  const int status = std::system(command.c_str());
  if (WEXITSTATUS(status) == kNotInstalled || WEXITSTATUS(status) == 127)
    GTEST_SKIP() << "no scikit-image for " VANTAGE_PEER_PYTHON;
  ASSERT_EQ(status, 0);

  constexpr int kHistograms = 1 + kRings * kPoints, kColumns = kWidth - 2 * kRadius,
                kRows = kHeight - 2 * kRadius;
  std::vector<float> theirs(static_cast<size_t>(kRows * kColumns * kHistograms * kDaisyBins));
  std::ifstream file(folder / "descriptors", std::ios::binary);
  ASSERT_TRUE(file.read(reinterpret_cast<char*>(theirs.data()),
                        static_cast<std::streamsize>(theirs.size() * sizeof(float))));

  test::DeviceUnderTest device(Device::cpu);
  const auto daisy = device.create<Daisy>({0});
  daisy->set_parameters({});
  const DaisyField field = daisy->describe(picture.buffer(), picture.view<uint8_t>(), 0).value();
  const ImageView<const uint8_t> ours = field.histograms.view<uint8_t>();
  int compared = 0, apart = 0;
  double sum_deg = 0;
  // Where no ring point is near the border.
  for (int y = kRadius; y < kRows - kRadius; ++y)
    for (int x = kRadius; x < kColumns - kRadius; ++x)
      for (int i = 0; i < kHistograms; ++i) {
        const int ring = i == 0 ? 0 : (i - 1) / kPoints;
        const double radius = i == 0 ? 0 : kRadius * (ring + 1) / double{kRings};
        const double angle = 2 * std::numbers::pi * ((i - 1) % kPoints) / kPoints;
        const int at_x = x + kRadius + static_cast<int>(std::lround(radius * std::cos(angle)));
        const int at_y = y + kRadius + static_cast<int>(std::lround(radius * std::sin(angle)));
        const float* bins = theirs.data() + ((y * kColumns + x) * kHistograms + i) * kDaisyBins;
        const auto there = pointing(bins, -std::numbers::pi);
        const auto here = pointing(ours.row(ring * kHeight + at_y) + kDaisyBins * at_x, 0);
        double length = 0;
        for (int k = 0; k < kDaisyBins; ++k) length += static_cast<double>(bins[k]);
        if (std::abs(there) < 0.4 * length) continue;  // it points nowhere much
        const double away_deg = std::abs(std::arg(here / there)) * 180 / std::numbers::pi;
        ++compared, sum_deg += away_deg, apart += away_deg > 15;
      }
  ASSERT_GT(compared, 10'000);
  EXPECT_LT(sum_deg / compared, 5);
  EXPECT_LT(apart, compared / 33);
  std::printf("%d histograms, on average %.2f degrees apart, %d by more than 15\n", compared,
              sum_deg / compared, apart);
}

}  // namespace
}  // namespace vantage
