#include "core/image/image_files.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cstring>
#include <fstream>
#include <random>

#include "core/base/file.h"
#include "tests/support/data.h"
#include "tests/support/pictures.h"

namespace vantage {
namespace {

// A file in any of libpng's formats, written by libpng itself.
void write_with_libpng(const std::filesystem::path& path, png_uint_32 format, int width, int height,
                       const void* pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width), image.height = static_cast<png_uint_32>(height);
  image.format = format;
  ASSERT_TRUE(png_image_write_to_file(&image, path.c_str(), 0, pixels, 0, nullptr));
}

TEST(Png, WhatIsWrittenIsReadBack) {
  const test::TemporaryFolder folder;
  constexpr unsigned kSeed = 4;
  SCOPED_TRACE(::testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  for (const auto& [width, height] :
       {std::pair(1, 1), std::pair(1, 9), std::pair(9, 1), std::pair(129, 65)}) {
    const Image image = test::random_image(width, height, random);
    const std::filesystem::path path = folder.path() / "image.png";
    ASSERT_TRUE(write_png_gray(path, image));
    const Result<Image> back = read_png_gray(path, HostPool::shared());
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_TRUE(test::same_pixels<uint8_t>(*back, image)) << width << "x" << height;
  }
}

TEST(Png, ColourAndSixteenBitsBecomeEightBitGrey) {
  const test::TemporaryFolder folder;
  const uint8_t colours[] = {0, 0, 0, 255, 255, 255, 128, 128, 128, 255, 0, 0};
  write_with_libpng(folder.path() / "rgb.png", PNG_FORMAT_RGB, 4, 1, colours);
  const Image gray = read_png_gray(folder.path() / "rgb.png", HostPool::shared()).value();
  EXPECT_EQ(gray.view<uint8_t>().at(0, 0), 0);
  EXPECT_EQ(gray.view<uint8_t>().at(1, 0), 255);
  EXPECT_NEAR(gray.view<uint8_t>().at(2, 0), 128, 1);
  EXPECT_GT(gray.view<uint8_t>().at(3, 0), 40);
  EXPECT_LT(gray.view<uint8_t>().at(3, 0), 140);

  const uint16_t linear[] = {0, 65535};
  write_with_libpng(folder.path() / "linear.png", PNG_FORMAT_LINEAR_Y, 2, 1, linear);
  const Image from_linear = read_png_gray(folder.path() / "linear.png", HostPool::shared()).value();
  EXPECT_EQ(from_linear.view<uint8_t>().at(0, 0), 0);
  EXPECT_EQ(from_linear.view<uint8_t>().at(1, 0), 255);
}

// By libpng's own reader: the numbers as they are, and the text.
TEST(Png, SixteenBitsAndTextAreWritten) {
  const test::TemporaryFolder folder;
  Image image = Image::make(ImageType::u16, 3, 2, HostPool::shared()).value();
  const uint16_t values[2][3] = {{0, 1, 256}, {1000, 40000, 65535}};
  for (int y = 0; y < 2; ++y) std::copy_n(values[y], 3, image.writable_view<uint16_t>().row(y));
  const std::filesystem::path path = folder.path() / "wide.png";
  ASSERT_TRUE(write_png_gray(path, image, {"Scale", "0.02 m"}));
  std::FILE* file = std::fopen(path.c_str(), "rb");
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_read_png(png, info, PNG_TRANSFORM_SWAP_ENDIAN, nullptr);
  std::fclose(file);
  EXPECT_EQ(png_get_bit_depth(png, info), 16);
  for (int y = 0; y < 2; ++y)
    EXPECT_EQ(std::memcmp(png_get_rows(png, info)[y], values[y], sizeof values[y]), 0) << y;
  png_textp text = nullptr;
  ASSERT_EQ(png_get_text(png, info, &text, nullptr), 1);
  EXPECT_STREQ(text[0].key, "Scale");
  EXPECT_STREQ(text[0].text, "0.02 m");
  png_destroy_read_struct(&png, &info, nullptr);
}

TEST(Png, DamagedAndMissingFilesAreNamed) {
  const test::TemporaryFolder folder;
  std::mt19937 random(5);
  const std::filesystem::path path = folder.path() / "mask.png";
  ASSERT_TRUE(write_png_gray(path, test::random_image(64, 64, random)));
  const std::string whole = read_file(path).value();
  for (const size_t length : {size_t{0}, size_t{4}, size_t{20}, whole.size() / 2}) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, length);
    const Result<Image> refused = read_png_gray(path, HostPool::shared());
    ASSERT_FALSE(refused) << "cut to " << length;
    EXPECT_EQ(refused.error().kind, ErrorKind::bad_data);
    EXPECT_NE(refused.error().message().find("mask.png"), std::string::npos);
  }
  EXPECT_FALSE(read_png_gray(folder.path() / "none.png", HostPool::shared()));
  EXPECT_FALSE(write_png_gray(folder.path() / "no" / "folder.png", test::constant_image(2, 2, 0)));
  EXPECT_FALSE(write_png_gray(path, Image{}));
  EXPECT_FALSE(write_png_gray(path, Image::make(ImageType::f32, 2, 2, HostPool::shared()).value()));
}

TEST(Png, RealMasks) {
  VANTAGE_NEED_DATA(folder, "uu-voxel-1p");
  const Result<Image> mask = read_png_gray(folder / "gt_masks" / "cam1_frame_0425.png", HostPool::shared());
  ASSERT_TRUE(mask) << mask.error().message();
  EXPECT_EQ(mask->width(), 644);
  EXPECT_EQ(mask->height(), 486);
}

}  // namespace
}  // namespace vantage
