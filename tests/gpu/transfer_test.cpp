// Copies between host and device: what comes back is what went in, at odd sizes, and planar chroma becomes
// interleaved.
#include <random>

#include "core/image/backend/memory_transfer.h"
#include "tests/gpu/device.h"
#include "tests/support/pictures.h"

namespace vantage {
namespace {

constexpr std::pair<int, int> kSizes[] = {{1, 1}, {1, 7}, {5, 1}, {3, 5}, {33, 18}, {640, 480}, {1921, 1081}};

class TransferTest : public ::testing::Test {
 protected:
  void SetUp() override {
    VANTAGE_NEED_DEVICE(context);
    BackendRegistry registry;
    gpu::register_cuda_backends(registry);
    transfer_ = registry.create<MemoryTransfer>(Device::cuda, {&trace_, 0}, {}).value();
  }
  TraceRecorder trace_;
  std::unique_ptr<MemoryTransfer> transfer_;
  std::mt19937 random_{3};
};

TEST_F(TransferTest, PicturesComeBackInterleaved) {
  for (const auto& [width, height] : kSizes)
    for (const PictureLayout layout : {PictureLayout::i420, PictureLayout::nv12}) {
      const Picture picture = test::random_picture(layout, width, height, random_);
      const Picture on_device = transfer_->upload(picture, 3, 1).value();
      EXPECT_EQ(on_device.place(), (MemoryPlace{MemoryKind::device, 0}));
      const Picture back = transfer_->download(on_device, 3, 1).value();
      ASSERT_EQ(back.format().layout, PictureLayout::nv12);
      ASSERT_EQ(back.place().kind, MemoryKind::host);
      const bool planar = layout == PictureLayout::i420;
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          ASSERT_EQ(back.plane(0).at(x, y), picture.plane(0).at(x, y));
          for (int c = 0; c < 2; ++c)
            ASSERT_EQ(
                back.plane(1).at(x / 2 * 2 + c, y / 2),
                planar ? picture.plane(1 + c).at(x / 2, y / 2) : picture.plane(1).at(x / 2 * 2 + c, y / 2));
        }
    }
}

TEST_F(TransferTest, ImagesComeBack) {
  for (const auto& [width, height] : kSizes) {
    const Image image = test::random_image(width, height, random_);
    EXPECT_TRUE(test::same_pixels<uint8_t>(
        image, transfer_->download(transfer_->upload(image, 0, 0).value(), 0, 0).value()));
    Image numbers = Image::make(ImageType::u32, width, height, HostPool::shared()).value();
    test::fill_random(numbers.buffer(), random_);
    EXPECT_TRUE(test::same_pixels<uint32_t>(
        numbers, transfer_->download(transfer_->upload(numbers, 0, 0).value(), 0, 0).value()));
  }
}

TEST_F(TransferTest, WaitsUntilAnImageIsThere) {
  const Image image = test::random_image(4001, 3001, random_);
  const Image on_device = transfer_->upload(image, 0, 0).value();
  const auto context = gpu::Context::get(0).value();
  ASSERT_TRUE(transfer_->wait_for(on_device));
  EXPECT_TRUE(context->all_done({gpu::as_cuda(on_device.buffer())->ready()}));
  EXPECT_EQ(transfer_->wait_for(image).error().kind, ErrorKind::invalid_argument) << "host memory";
}

TEST_F(TransferTest, ImagesOfAllCamerasComeBackSideBySide) {
  std::vector<Image> images, uploaded;
  for (const auto& [width, height] : kSizes) {
    images.push_back(test::random_image(width, height, random_));
    images.emplace_back();  // a camera without a picture
  }
  for (const Image& image : images)
    uploaded.push_back(image ? transfer_->upload(image, 0, 0).value() : Image());
  const std::vector<Image> back = transfer_->download_all(uploaded, 0).value();
  ASSERT_EQ(back.size(), images.size());
  for (size_t i = 0; i < images.size(); ++i) {
    ASSERT_EQ(static_cast<bool>(back[i]), static_cast<bool>(images[i]));
    if (images[i]) {
      EXPECT_TRUE(test::same_pixels<uint8_t>(images[i], back[i])) << "image " << i;
    }
  }
  EXPECT_TRUE(transfer_->download_all({}, 0).value().empty());
  EXPECT_EQ(transfer_->download_all(images, 0).error().kind, ErrorKind::invalid_argument) << "host memory";
}

// Many copies in flight: staging memory must not be written before its last copy has read it.
TEST_F(TransferTest, StagingIsNotOverwritten) {
  std::vector<Image> images, uploaded;
  for (int i = 0; i < 64; ++i) {
    images.push_back(test::random_image(1280, 720, random_));
    uploaded.push_back(transfer_->upload(images.back(), i, 0).value());
  }
  for (size_t i = 0; i < images.size(); ++i)
    ASSERT_TRUE(test::same_pixels<uint8_t>(images[i], transfer_->download(uploaded[i], 0, 0).value()))
        << "image " << i;
}

TEST_F(TransferTest, EveryCopyIsASpanWithItsBytes) {
  const Image image = test::random_image(256, 100, random_);
  static_cast<void>(transfer_->download(transfer_->upload(image, 7, 2).value(), 7, 2).value());
  transfer_.reset();
  int64_t up = 0, down = 0;
  for (const TraceSpan& span : trace_.snapshot()) {
    EXPECT_EQ(span.kind, SpanKind::copy);
    EXPECT_EQ(span.frame, 7);
    EXPECT_EQ(span.camera, 2);
    (span.name == "copy host to device" ? up : down) += span.bytes;
  }
  EXPECT_EQ(up, 256 * 100);
  EXPECT_EQ(down, 256 * 100);
}

TEST_F(TransferTest, RefusesTheWrongMemory) {
  const Image image = test::random_image(16, 16, random_);
  EXPECT_EQ(transfer_->download(image, 0, 0).error().kind, ErrorKind::invalid_argument);
  const Image on_device = transfer_->upload(image, 0, 0).value();
  EXPECT_EQ(transfer_->upload(on_device, 0, 0).error().kind, ErrorKind::invalid_argument);
  EXPECT_EQ(transfer_->upload(Image(), 0, 0).error().kind, ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace vantage
