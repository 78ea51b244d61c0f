// Masks carried by a known flow, and by the flow of pictures whose motion is known.
#include "core/metrics/masks/masks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/algorithms.h"
#include "core/image/backend/registry.h"
#include "core/metrics/masks/mask_painting.h"
#include "core/optical_flow/optical_flow.h"

namespace vantage {
namespace {

constexpr int kWidth = 160, kHeight = 120;

Image disk(double x, double y, double radius) {
  Image mask = empty_mask(kWidth, kHeight, HostPool::shared()).value();
  paint_stroke(mask.writable_view<uint8_t>(), {x, y}, {x, y}, radius, Paint::add);
  return mask;
}

Image field(float dx, float dy) {
  Image vectors = Image::make(ImageType::f32, 2 * kWidth, kHeight, HostPool::shared()).value();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      vectors.writable_view<float>().row(y)[2 * x] = dx;
      vectors.writable_view<float>().row(y)[2 * x + 1] = dy;
    }
  return vectors;
}

double iou(const Image& a, const Image& b) {
  return overlap_of(a.view<uint8_t>(), b.view<uint8_t>()).iou();
}

TEST(CarriedMask, MovesWithAKnownFlow) {
  const Image carried =
      carried_mask(disk(60, 50, 20).view<uint8_t>(), field(-7, 4).view<float>(), HostPool::shared()).value();
  EXPECT_EQ(iou(carried, disk(67, 46, 20)), 1) << "whole pixels: exactly";
  const Image out =
      carried_mask(disk(150, 50, 30).view<uint8_t>(), field(40, 0).view<float>(), HostPool::shared()).value();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 121; x < kWidth; ++x)
      ASSERT_EQ(out.view<uint8_t>().row(y)[x], 0) << "came from beside the picture";
  const Image stays = carried_mask(disk(60, 50, 20).view<uint8_t>(),
                                   field(kUnknownFlow, kUnknownFlow).view<float>(), HostPool::shared())
                          .value();
  EXPECT_EQ(iou(stays, disk(60, 50, 20)), 1) << "unknown: no motion";
  const Image small = empty_mask(20, 20, HostPool::shared()).value();
  EXPECT_EQ(carried_mask(small.view<uint8_t>(), field(0, 0).view<float>(), HostPool::shared()).error().kind,
            ErrorKind::invalid_argument);
}

// A textured disk before a textured wall that stands still.
Image picture(double x, double y, double radius) {
  Image image = Image::make(ImageType::u8, kWidth, kHeight, HostPool::shared()).value();
  for (int row = 0; row < kHeight; ++row)
    for (int column = 0; column < kWidth; ++column) {
      const bool on_disk = std::hypot(column - x, row - y) <= radius;
      const double level = on_disk ? 160 + 40 * std::sin(0.9 * (column - x)) * std::cos(0.7 * (row - y))
                                   : 70 + 25 * std::sin(0.5 * column + 1) * std::cos(0.6 * row);
      image.writable_view<uint8_t>().row(row)[column] = static_cast<uint8_t>(level);
    }
  return image;
}

TEST(CarriedMask, FollowsADiskByTheFlowOfThePictures) {
  BackendRegistry registry;
  register_cpu_backends(registry);
  const auto flow = registry.create<OpticalFlow>(Device::cpu, {}, {}).value();
  flow->set_parameters({});
  Image mask = disk(50, 60, 22);
  for (int step = 0; step < 5; ++step) {
    flow->reset();
    ASSERT_TRUE(flow->next(picture(50 + 3 * (step + 1), 60 - 2 * (step + 1), 22), {}, step + 1));
    const FlowField back = flow->next(picture(50 + 3 * step, 60 - 2 * step, 22), {}, step).value();
    mask = carried_mask(mask.view<uint8_t>(), back.vectors.view<float>(), HostPool::shared()).value();
  }
  EXPECT_GT(iou(mask, disk(65, 50, 22)), 0.85);
  EXPECT_LT(iou(disk(50, 60, 22), disk(65, 50, 22)), 0.5) << "not where it was";
}

}  // namespace
}  // namespace vantage
