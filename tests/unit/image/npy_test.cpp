// NumPy's files: magic, version, length and text of the header as NumPy's format description says, then the
// rows without padding.
#include "core/image/image_files.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/base/file.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

TEST(Npy, HeaderAndRows) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "sums.npy";
  Image image = Image::make(ImageType::s32, 3, 2, HostPool::shared()).value();
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 3; ++x) image.writable_view<int32_t>().at(x, y) = 10 * y - x;
  ASSERT_TRUE(write_npy(file, image));
  const std::string bytes = read_file(file).value();
  ASSERT_GT(bytes.size(), 10u);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const size_t length = static_cast<uint8_t>(bytes[8]) + 256u * static_cast<uint8_t>(bytes[9]);
  EXPECT_EQ((10 + length) % 64, 0u);
  const std::string header = bytes.substr(10, length);
  EXPECT_EQ(header.find("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }"), 0u);
  EXPECT_EQ(header.back(), '\n');
  const int32_t expected[] = {0, -1, -2, 10, 9, 8};
  ASSERT_EQ(bytes.size(), 10 + length + sizeof expected);
  EXPECT_EQ(std::memcmp(bytes.data() + 10 + length, expected, sizeof expected), 0);
}

TEST(Npy, ElementsOf64Bits) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "sums.npy";
  const double reals[] = {0.1, 2, 99, -3, 4e300, 99};  // rows of two, one of padding
  ASSERT_TRUE(write_npy(file, ImageView<const double>{reals, 2, 2, 3 * sizeof(double)}));
  std::string bytes = read_file(file).value();
  EXPECT_NE(bytes.find("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }"), std::string::npos);
  const double expected[] = {0.1, 2, -3, 4e300};
  EXPECT_EQ(std::memcmp(bytes.data() + bytes.size() - sizeof expected, expected, sizeof expected), 0);
  const uint64_t wide[] = {uint64_t{1} << 63, 7};
  ASSERT_TRUE(write_npy(file, ImageView<const uint64_t>{wide, 2, 1, sizeof wide}));
  bytes = read_file(file).value();
  EXPECT_NE(bytes.find("{'descr': '<u8', 'fortran_order': False, 'shape': (1, 2), }"), std::string::npos);
  EXPECT_EQ(std::memcmp(bytes.data() + bytes.size() - sizeof wide, wide, sizeof wide), 0);
}

TEST(Npy, NothingIsNotWritten) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(write_npy(folder.path() / "none.npy", Image()));
}

}  // namespace
}  // namespace vantage
