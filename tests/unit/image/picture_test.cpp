#include "core/image/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace vantage {
namespace {

TEST(Picture, PlanesHoldEverySampleAndDoNotOverlap) {
  for (const PictureLayout layout : {PictureLayout::i420, PictureLayout::nv12})
    for (const auto& [width, height] :
         {std::pair(1, 1), std::pair(2, 2), std::pair(5, 3), std::pair(64, 48), std::pair(65, 49)}) {
      SCOPED_TRACE(::testing::Message() << width << "x" << height << ", layout " << static_cast<int>(layout));
      Picture picture = Picture::make({layout, width, height}, HostPool::shared()).value();
      const int chroma_width = (width + 1) / 2, chroma_height = (height + 1) / 2;
      ASSERT_EQ(picture.plane_count(), layout == PictureLayout::i420 ? 3 : 2);
      EXPECT_EQ(picture.plane(0).width, width);
      EXPECT_EQ(picture.plane(0).height, height);
      for (int k = 1; k < picture.plane_count(); ++k) {
        EXPECT_EQ(picture.plane(k).width, layout == PictureLayout::i420 ? chroma_width : 2 * chroma_width);
        EXPECT_EQ(picture.plane(k).height, chroma_height);
      }
      std::memset(picture.buffer()->data(), 0, picture.size_bytes());
      for (int k = 0; k < picture.plane_count(); ++k) {
        const ImageView<uint8_t> plane = picture.writable_plane(k);
        EXPECT_EQ(plane.stride_bytes % 64, 0u);
        const auto* end = reinterpret_cast<const uint8_t*>(picture.buffer()->data()) + picture.size_bytes();
        EXPECT_LE(plane.row(plane.height - 1) + plane.width, end);
        for (int y = 0; y < plane.height; ++y)
          for (int x = 0; x < plane.width; ++x) {
            EXPECT_EQ(plane.at(x, y), 0) << "already written through another plane";
            plane.at(x, y) = static_cast<uint8_t>(k + 1);
          }
      }
    }
}

TEST(Picture, CopiesShareTheirPixels) {
  Picture picture = Picture::make({PictureLayout::nv12, 8, 8}, HostPool::shared()).value();
  const Picture copy = picture;
  picture.writable_plane(0).at(3, 4) = 77;
  EXPECT_EQ(copy.plane(0).at(3, 4), 77);
  EXPECT_EQ(copy.buffer(), picture.buffer());
}

TEST(Picture, EmptyOnesAreRefused) {
  EXPECT_FALSE(Picture::make({PictureLayout::nv12, 0, 8}, HostPool::shared()));
  EXPECT_FALSE(Picture::make({PictureLayout::nv12, 8, -1}, HostPool::shared()));
  EXPECT_FALSE(Image::make(ImageType::u8, 0, 1, HostPool::shared()));
  EXPECT_FALSE(Picture{});
  EXPECT_FALSE(Image{});
}

TEST(Image, RowsOfEveryType) {
  for (const ImageType type :
       {ImageType::u8, ImageType::u16, ImageType::u32, ImageType::s32, ImageType::f32}) {
    const Image image = Image::make(type, 33, 7, HostPool::shared()).value();
    EXPECT_GE(image.stride_bytes(), 33 * element_size_bytes(type));
    EXPECT_EQ(image.stride_bytes() % 64, 0u);
    EXPECT_GE(image.size_bytes(), 7 * image.stride_bytes());
  }
}

TEST(Image, MadeSmallerByWholeFactors) {
  Image image = Image::make(ImageType::u8, 5, 3, HostPool::shared()).value();
  const ImageView<uint8_t> pixels = image.writable_view<uint8_t>();
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) pixels.at(x, y) = static_cast<uint8_t>(10 * y + x);
  const Image mean = reduced_mean(image.view<uint8_t>(), 2, HostPool::shared()).value();
  ASSERT_EQ(mean.width(), 3);
  ASSERT_EQ(mean.height(), 2);
  EXPECT_EQ(mean.view<uint8_t>().at(0, 0), 6);   // of 0, 1, 10, 11
  EXPECT_EQ(mean.view<uint8_t>().at(2, 0), 9);   // of 4, 14
  EXPECT_EQ(mean.view<uint8_t>().at(2, 1), 24);  // of 24 alone
  const Image any = reduced_any(image.view<uint8_t>(), 4, HostPool::shared()).value();
  EXPECT_EQ(any.view<uint8_t>().at(0, 0), 255);
  pixels.at(4, 0) = 0;
  const Image same = reduced_any(image.view<uint8_t>(), 1, HostPool::shared()).value();
  EXPECT_EQ(same.view<uint8_t>().at(4, 0), 0);
  EXPECT_EQ(same.view<uint8_t>().at(3, 0), 255);
}

TEST(Grown, MarksWhatLiesWithinTheMargin) {
  constexpr int kWidth = 150, kHeight = 40;
  Image image = Image::make(ImageType::u8, kWidth, kHeight, HostPool::shared()).value();
  const ImageView<uint8_t> mask = image.writable_view<uint8_t>();
  for (int y = 0; y < kHeight; ++y) std::fill_n(mask.row(y), kWidth, uint8_t{0});
  const std::pair<int, int> set[] = {{0, 0}, {149, 20}, {70, 39}, {72, 30}, {127, 12}};
  for (const auto& [x, y] : set) mask.at(x, y) = 9;
  for (const int margin : {0, 1, 8, 60}) {
    const Image out = grown(mask, margin, HostPool::shared()).value();
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const bool wanted = std::any_of(std::begin(set), std::end(set), [&](const auto& at) {
          return std::abs(at.first - x) <= margin && std::abs(at.second - y) <= margin;
        });
        ASSERT_EQ(out.view<uint8_t>().at(x, y), wanted ? 255 : 0) << x << ' ' << y << " margin " << margin;
      }
  }
}

TEST(ImageDeathTest, ViewingAsAnotherTypeIsABug) {
  const Image image = Image::make(ImageType::u8, 4, 4, HostPool::shared()).value();
  EXPECT_DEATH((void)image.view<float>(), "another type");
}

}  // namespace
}  // namespace vantage
