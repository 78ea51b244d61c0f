#include "core/optical_flow/flow_file.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

FlowField make_field(int width, int height) {
  FlowField field{
      width, height, 0, Image::make(ImageType::f32, 2 * width, height, HostPool::shared()).value(), {}};
  const ImageView<float> v = field.vectors.writable_view<float>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) v.at(2 * x, y) = 0.5f * x - y, v.at(2 * x + 1, y) = 0.25f * y;
  return field;
}

TEST(FlowFileTest, RoundTrip) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a.flo";
  FlowField field = make_field(7, 5);
  field.vectors.writable_view<float>().at(4, 3) = kUnknownFlow;
  ASSERT_TRUE(write_flo(path, field));
  EXPECT_EQ(std::filesystem::file_size(path), 12u + 8 * 7 * 5);
  const FlowField back = read_flo(path, HostPool::shared()).value();
  ASSERT_EQ(back.width, 7);
  ASSERT_EQ(back.height, 5);
  for (int y = 0; y < 5; ++y)
    for (int i = 0; i < 14; ++i)
      EXPECT_EQ(back.vectors.view<float>().at(i, y), field.vectors.view<float>().at(i, y));
}

TEST(FlowFileTest, DamagedFilesAreErrors) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a.flo";
  ASSERT_TRUE(write_flo(path, make_field(7, 5)));
  const std::string good = read_file(path).value();
  std::string wrong_tag = good, negative = good;
  wrong_tag[0] = 'x';
  negative[7] = '\xff';
  for (const std::string& bad :
       {good.substr(0, 8), good.substr(0, 100), good + "more", wrong_tag, negative}) {
    ASSERT_TRUE(write_file_atomically(path, bad));
    EXPECT_EQ(read_flo(path, HostPool::shared()).error().kind, ErrorKind::bad_data);
  }
  EXPECT_FALSE(read_flo(folder.path() / "absent.flo", HostPool::shared()));
}

TEST(FlowFileTest, MiddleburyTruth) {
  VANTAGE_NEED_DATA(folder, "middlebury-flow");
  const FlowField truth = read_flo(folder / "RubberWhale" / "flow10.flo", HostPool::shared()).value();
  EXPECT_EQ(truth.width, 584);
  EXPECT_EQ(truth.height, 388);
  FlowField zero{584, 388, 0, Image::make(ImageType::f32, 2 * 584, 388, HostPool::shared()).value(), {}};
  for (int y = 0; y < 388; ++y)
    for (int i = 0; i < 2 * 584; ++i) zero.vectors.writable_view<float>().at(i, y) = 0;
  EXPECT_NEAR(mean_endpoint_error(truth, zero).value(), 1.256, 5e-4);  // as its source states
}

TEST(FlowFileTest, ErrorNeedsCommonVectors) {
  const FlowField a = make_field(3, 3);
  EXPECT_EQ(mean_endpoint_error(a, a).value(), 0);
  EXPECT_FALSE(mean_endpoint_error(a, make_field(3, 4)));
}

TEST(FlowFileTest, ColorsNameTheDirection) {
  FlowField field = make_field(6, 1);
  const float vectors[] = {1, 0, 0, 1, -1, 0, 0, -1, 0, 0, kUnknownFlow, kUnknownFlow};
  for (int i = 0; i < 12; ++i) field.vectors.writable_view<float>().at(i, 0) = vectors[i];
  const Image image = color_flow(field, 0, HostPool::shared()).value();
  const uint8_t* p = image.view<uint8_t>().row(0);
  const auto pixel = [&](int x) { return std::array<int, 3>{p[3 * x], p[3 * x + 1], p[3 * x + 2]}; };
  EXPECT_EQ(pixel(0), (std::array{255, 0, 0}));                             // right: red
  EXPECT_TRUE(pixel(1)[0] > 200 && pixel(1)[1] > 200 && pixel(1)[2] == 0);  // down: yellow
  EXPECT_TRUE(pixel(2)[0] == 0 && pixel(2)[2] > 200);                       // left: cyan
  EXPECT_TRUE(pixel(3)[2] == 255 && pixel(3)[1] == 0);                      // up: blue
  EXPECT_EQ(pixel(4), (std::array{255, 255, 255}));
  EXPECT_EQ(pixel(5), (std::array{0, 0, 0}));
}

}  // namespace
}  // namespace vantage
