// Pictures in every range and matrix come out as the same numbers.
#include "core/video/working_colors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "tests/support/data.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

struct Rgb {
  double red, green, blue;  // 0 to 1
};

struct Weights {
  double red, green, blue;
};

Weights weights(ColorMatrix matrix) {
  if (matrix == ColorMatrix::bt709) return {0.2126, 0.7152, 0.0722};
  if (matrix == ColorMatrix::bt2020) return {0.2627, 0.678, 0.0593};
  return {0.299, 0.587, 0.114};
}

// ITU's formulas, rounded to 8 bits.
std::array<double, 3> coded(const Rgb& c, ColorRange range, ColorMatrix matrix) {
  const Weights w = weights(matrix);
  const double y = w.red * c.red + w.green * c.green + w.blue * c.blue;
  const double cb = (c.blue - y) / (2 * (1 - w.blue)), cr = (c.red - y) / (2 * (1 - w.red));
  if (range == ColorRange::full)
    return {std::round(255 * y), std::round(128 + 255 * cb), std::round(128 + 255 * cr)};
  return {std::round(16 + 219 * y), std::round(128 + 224 * cb), std::round(128 + 224 * cr)};
}

Picture plain(const PictureFormat& format, const std::array<double, 3>& ycbcr) {
  Picture picture = Picture::make(format, HostPool::shared()).value();
  for (int p = 0; p < picture.plane_count(); ++p)
    for (int y = 0; y < picture.plane(p).height; ++y)
      for (int x = 0; x < picture.plane(p).width; ++x) {
        const int component = p == 0 || picture.plane_count() == 3 ? p : 1 + x % 2;
        picture.writable_plane(p).at(x, y) = static_cast<uint8_t>(std::clamp(ycbcr[component], 0.0, 255.0));
      }
  return picture;
}

class EveryFormat : public ::testing::TestWithParam<std::tuple<PictureLayout, ColorRange, ColorMatrix, int>> {
 protected:
  PictureFormat format() const {
    const auto& [layout, range, matrix, height] = GetParam();
    return {layout, 13, height, range, matrix};
  }
};

TEST_P(EveryFormat, AColourBecomesTheOneOfTheWorkingRangeAndMatrix) {
  for (int i = 0; i < 125; ++i) {
    const Rgb color{i % 5 / 4.0, i / 5 % 5 / 4.0, i / 25 / 4.0};
    const Picture from = plain(format(), coded(color, format().range, format().matrix));
    const Picture to = in_working_colors(from, HostPool::shared()).value();
    EXPECT_EQ(to.format().range, ColorRange::limited);
    EXPECT_EQ(to.format().matrix, format().height <= 576 ? ColorMatrix::bt601 : ColorMatrix::bt709);
    const auto expected = coded(color, to.format().range, to.format().matrix);
    for (const int x : {0, 5, 12})
      for (const int y : {0, 3, format().height - 1}) {
        EXPECT_NEAR(to.plane(0).at(x, y), expected[0], 1.5) << i;
        const bool planar = to.format().layout == PictureLayout::i420;
        const uint8_t cb = planar ? to.plane(1).at(x / 2, y / 2) : to.plane(1).at(x / 2 * 2, y / 2);
        const uint8_t cr = planar ? to.plane(2).at(x / 2, y / 2) : to.plane(1).at(x / 2 * 2 + 1, y / 2);
        EXPECT_NEAR(cb, expected[1], 1.5) << i;
        EXPECT_NEAR(cr, expected[2], 1.5) << i;
      }
  }
}

// Sample by sample, as working_colors.h says it.
TEST_P(EveryFormat, ChromaIsInterpolatedAsTold) {
  PictureFormat wanted = format();
  wanted.layout = PictureLayout::i420;
  const Picture from = pattern(wanted, 3);
  const Picture to = in_working_colors(from, HostPool::shared()).value();
  if (color_conversion(wanted).empty()) {
    EXPECT_EQ(to.buffer(), from.buffer()) << "handed on, not copied";
    return;
  }
  const ColorArithmetic c = color_arithmetic(wanted);
  const auto share = [&](int x, int y) {
    return c.luma_cb * (from.plane(1).at(x, y) - 128) + c.luma_cr * (from.plane(2).at(x, y) - 128);
  };
  for (int y = 0; y < to.height(); ++y)
    for (int x = 0; x < to.width(); ++x) {
      const int bx = std::clamp(x % 2 ? x / 2 + 1 : x / 2 - 1, 0, to.plane(1).width - 1);
      const int by = std::clamp(y % 2 ? y / 2 + 1 : y / 2 - 1, 0, to.plane(1).height - 1);
      const double shares =
          (9 * share(x / 2, y / 2) + 3 * share(bx, y / 2) + 3 * share(x / 2, by) + share(bx, by)) / 16.0;
      const double exact = (c.luma * from.plane(0).at(x, y) + c.luma_offset + shares) / 16384;
      ASSERT_EQ(to.plane(0).at(x, y), std::clamp(static_cast<int>(std::floor(exact + 0.5)), 0, 255))
          << x << " " << y;
    }
}

INSTANTIATE_TEST_SUITE_P(All, EveryFormat,
                         ::testing::Combine(::testing::Values(PictureLayout::i420, PictureLayout::nv12),
                                            ::testing::Values(ColorRange::limited, ColorRange::full),
                                            ::testing::Values(ColorMatrix::bt601, ColorMatrix::bt709,
                                                              ColorMatrix::bt2020),
                                            ::testing::Values(9, 577)));

TEST(WorkingColors, AreSaidInWords) {
  PictureFormat format{PictureLayout::i420, 1280, 720, ColorRange::limited, ColorMatrix::bt709};
  EXPECT_EQ(color_conversion(format), "");
  format.range = ColorRange::full;
  EXPECT_EQ(color_conversion(format), "full to limited range");
  format.matrix = ColorMatrix::bt601;
  EXPECT_EQ(color_conversion(format), "full to limited range, BT.601 to BT.709");
  format = {PictureLayout::i420, 640, 480, ColorRange::limited, ColorMatrix::bt2020};
  EXPECT_EQ(color_conversion(format), "BT.2020 to BT.601");
}

// The same frames as PNG and as H.264 without loss, in both ranges and matrices and in 10 bits, whatever the
// size says: what is delivered differs by roundings.
TEST(WorkingColors, FilesOfEveryKindGiveTheSamePictures) {
  VANTAGE_NEED_FFMPEG();
  struct Kind {
    const char* name;
    const char* arguments;
    const char* conversion;  // of 64x48 px
    bool lossy = false;
  };
  const Kind kinds[] = {
      {"limited.mp4", "-vf scale=out_color_matrix=bt601:out_range=tv -pix_fmt yuv420p -c:v libx264 -qp 0",
       ""},
      {"full.mp4",
       "-vf scale=out_color_matrix=bt601:out_range=pc -pix_fmt yuv420p -color_range pc -c:v libx264 -qp 0",
       "full to limited range"},
      {"hd.mp4",
       "-vf scale=out_color_matrix=bt709:out_range=tv -pix_fmt yuv420p -colorspace bt709 -c:v libx264 -qp 0",
       "BT.709 to BT.601"},
      {"hd_full.mp4",
       "-vf scale=out_color_matrix=bt709:out_range=pc -pix_fmt yuv420p -colorspace bt709 -color_range pc "
       "-c:v libx264 -qp 0",
       "full to limited range, BT.709 to BT.601"},
      {"full%d.png", "-pix_fmt rgb24", "rgb24 to yuv420p by libswscale (bilinear), full to limited range"},
      {"full%d.jpg", "-pix_fmt yuvj420p -q:v 1 -qmin 1", "full to limited range", true}};
  const TemporaryFolder folder;
  // Soft, so that chroma in every second pixel alone does not decide.
  const std::string picture = "-f lavfi -i testsrc=s=64x48:r=25:d=1,gblur=sigma=3,format=rgb24 -frames:v 2 ";
  std::vector<Picture> pictures;
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    const std::string file = (folder.path() / kind.name).string();
    ASSERT_TRUE(run_ffmpeg(picture + kind.arguments + " '" + file + "'"));
    const auto source = open_checked(file);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->info().conversion, kind.conversion);
    pictures.push_back(source->read().value().picture);
    EXPECT_EQ(pictures.back().format(), pictures.front().format());
    for (int p = 0; p < 3; ++p) {
      double sum = 0;
      const ImageView<const uint8_t> plane = pictures.back().plane(p), first = pictures.front().plane(p);
      for (int y = 0; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x) {
          EXPECT_NEAR(plane.at(x, y), first.at(x, y), kind.lossy ? 12 : 5) << p << " " << x << " " << y;
          sum += std::abs(plane.at(x, y) - first.at(x, y));
        }
      EXPECT_LT(sum / (plane.width * plane.height), kind.lossy ? 2 : 1) << p;
    }
  }
}

}  // namespace
}  // namespace vantage::test
