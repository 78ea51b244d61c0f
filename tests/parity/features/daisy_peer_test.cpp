// DAISY beside scikit-image's (0.19) and OpenCV's (xfeatures2d, 4.x), each where it is installed.
//
// Alike in both: radius, rings, points and their order, 8 bins, the Gaussians of the rings.
// Otherwise in scikit-image: gradients are forward differences of the picture as it is (here: central ones,
// smoothed); a direction goes into the bins by exp(8 / pi cos), not by max(0, cos); borders are mirrored;
// lengths are divided out without a least one, and not in 8 bits; nothing is turned.
// Otherwise in OpenCV: between gradients and rings the bins are smoothed to 1.6 px as for SIFT, so that every
// level is blurred by that much more; Gaussians reach to 2.5 sigma; lengths as in scikit-image; points are
// read where they lie, here at the nearest pixel; a descriptor's 25 histograms are put together, here each
// level's are stored once. Gradients and bins are as here.
// What all keep is where a histogram points on the whole (its first harmonic), so that is what is compared:
// gradients half a pixel apart, or 1.5 px more of blur, turn it by a few degrees where the picture is smooth.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#ifdef VANTAGE_WITH_OPENCV_DAISY
#include <opencv2/xfeatures2d.hpp>
#endif

#include "core/features/daisy.h"
#include "tests/reference/daisy.h"
#include "tests/support/backends.h"

namespace vantage {
namespace {

constexpr int kWidth = 112, kHeight = 96, kRadius = 15, kRings = 3, kPoints = 8;
constexpr int kHistograms = 1 + kRings * kPoints;
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

DaisyField describe(const Image& picture) {
  test::DeviceUnderTest device(Device::cpu);
  const auto daisy = device.create<Daisy>({0});
  daisy->set_parameters({kRadius, kRings, kPoints, DaisyParameters{}.flat});
  return daisy->describe(picture.buffer(), picture.view<uint8_t>(), 0).value();
}

// How far the histograms of `ours` point from the peer's, of all pixels whose ring points are not near the
// border. `theirs(x, y)`: the peer's kHistograms histograms of a pixel, the first bin points to `first_rad`.
template <typename Theirs>
void expect_same_directions(const DaisyField& ours, double first_rad, const Theirs& theirs) {
  const ImageView<const uint8_t> own = ours.histograms.view<uint8_t>();
  int compared = 0, apart = 0;
  double sum_deg = 0;
  for (int y = 2 * kRadius; y < kHeight - 2 * kRadius; ++y)
    for (int x = 2 * kRadius; x < kWidth - 2 * kRadius; ++x)
      for (int i = 0; i < kHistograms; ++i) {
        const int ring = i == 0 ? 0 : (i - 1) / kPoints;
        const double radius = i == 0 ? 0 : kRadius * (ring + 1) / double{kRings};
        const double angle = 2 * std::numbers::pi * ((i - 1) % kPoints) / kPoints;
        const int at_x = x + static_cast<int>(std::lround(radius * std::cos(angle)));
        const int at_y = y + static_cast<int>(std::lround(radius * std::sin(angle)));
        const float* bins = theirs(x, y) + i * kDaisyBins;
        const auto there = pointing(bins, first_rad);
        const auto here = pointing(own.row(ring * kHeight + at_y) + kDaisyBins * at_x, 0);
        double length = 0;
        for (int k = 0; k < kDaisyBins; ++k) length += static_cast<double>(bins[k]);
        if (std::abs(there) < 0.4 * length) continue;  // it points nowhere much
        const double away_deg = std::abs(std::arg(here / there)) * 180 / std::numbers::pi;
        ++compared, sum_deg += away_deg, apart += away_deg > 15;
      }
  ASSERT_GT(compared, 10'000);
  EXPECT_LT(sum_deg / compared, 5);
  EXPECT_LT(apart, compared / 33);
  fmt::print("{} histograms, on average {:.2f} degrees apart, {} by more than 15\n", compared,
             sum_deg / compared, apart);
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

  constexpr int kColumns = kWidth - 2 * kRadius, kRows = kHeight - 2 * kRadius;
  std::vector<float> theirs(static_cast<size_t>(kRows * kColumns * kHistograms * kDaisyBins));
  std::ifstream file(folder / "descriptors", std::ios::binary);
  ASSERT_TRUE(file.read(reinterpret_cast<char*>(theirs.data()),
                        static_cast<std::streamsize>(theirs.size() * sizeof(float))));
  expect_same_directions(describe(picture), -std::numbers::pi, [&](int x, int y) {
    return theirs.data() + ((y - kRadius) * kColumns + x - kRadius) * kHistograms * kDaisyBins;
  });
}

#ifdef VANTAGE_WITH_OPENCV_DAISY
TEST(DaisyPeer, PointsWhereOpenCvSays) {
  using cv::xfeatures2d::DAISY;
  const auto milliseconds = [](const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  };
  Image picture = smooth_picture();
  const ImageView<uint8_t> pixels = picture.writable_view<uint8_t>();
  const cv::Mat image(pixels.height, pixels.width, CV_8U, pixels.row(0), pixels.stride_bytes);
  const cv::Ptr<DAISY> daisy = DAISY::create(kRadius, kRings, kPoints, kDaisyBins, DAISY::NRM_PARTIAL);
  cv::Mat theirs;  // a row a pixel
  DaisyField ours;
  for (const char* run : {"first", "second"})
    fmt::print("{} run: here {:.2f} ms, OpenCV {:.2f} ms\n", run,
               milliseconds([&] { ours = describe(picture); }),
               milliseconds([&] { daisy->compute(image, theirs); }));
  ASSERT_EQ(theirs.rows, kWidth * kHeight);
  ASSERT_EQ(theirs.cols, kHistograms * kDaisyBins);
  expect_same_directions(ours, 0, [&](int x, int y) { return theirs.ptr<float>(y * kWidth + x); });
}
#endif

}  // namespace
}  // namespace vantage
