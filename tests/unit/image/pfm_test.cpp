#include "core/image/image_files.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

TEST(Pfm, ComesBackAsWritten) {
  const test::TemporaryFolder folder;
  Image image = Image::make(ImageType::f32, 3, 2, HostPool::shared()).value();
  const ImageView<float> pixels = image.writable_view<float>();
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 3; ++x)
      pixels.at(x, y) = 1.25f * static_cast<float>(x) - 100.5f * static_cast<float>(y);
  const auto path = folder.path() / "a.pfm";
  ASSERT_TRUE(write_pfm(path, image));
  // The lower row stands first.
  const std::string bytes = *read_file(path);
  ASSERT_EQ(bytes.size(), 12 + 24u);
  EXPECT_EQ(bytes.substr(0, 12), "Pf\n3 2\n-1.0\n");
  EXPECT_EQ(bytes.substr(12, 4), std::string("\x00\x00\xc9\xc2", 4));  // -100.5
  const auto back = read_pfm(path, HostPool::shared());
  ASSERT_TRUE(back) << back.error().message();
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 3; ++x) EXPECT_EQ(back->view<float>().at(x, y), pixels.at(x, y));
}

TEST(Pfm, BigEndianIsReadAndDamageRefused) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.pfm";
  ASSERT_TRUE(write_file_atomically(path, std::string("Pf 1 1 1.0\n\x3f\x80\x00\x00", 15)));
  const auto image = read_pfm(path, HostPool::shared());
  ASSERT_TRUE(image) << image.error().message();
  EXPECT_EQ(image->view<float>().at(0, 0), 1.f);
  for (const std::string& bytes : {std::string("PF 1 1 1.0\n"), std::string("Pf 2 1 -1.0\n1234"),
                                   std::string("Pf -1 1 -1.0\n1234"), std::string()}) {
    ASSERT_TRUE(write_file_atomically(path, bytes));
    EXPECT_FALSE(read_pfm(path, HostPool::shared())) << bytes;
  }
}

}  // namespace
}  // namespace vantage
