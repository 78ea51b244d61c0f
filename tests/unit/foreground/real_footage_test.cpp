// Segmentation of a real recording against hand-drawn masks.
#include <gtest/gtest.h>

#include "core/algorithms.h"
#include "core/foreground/foreground.h"
#include "core/video/video_source.h"
#include "tests/support/data.h"
#include "tests/support/uu_voxel.h"

namespace vantage {
namespace {

double intersection_over_union(const ImageView<const uint8_t>& a, const ImageView<const uint8_t>& b) {
  int64_t both = 0, either = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      both += a.at(x, y) && b.at(x, y);
      either += a.at(x, y) || b.at(x, y);
    }
  return static_cast<double>(both) / static_cast<double>(either);
}

void learn_clip(ForegroundModel& model, const std::filesystem::path& clip) {
  const auto source = open_video(clip.string(), {}).value();
  int64_t count = 0;
  for (Result<DecodedFrame> frame = source->read(); frame; frame = source->read())
    if (frame->picture) {
      ASSERT_TRUE(model.learn(frame->picture, count++));
    }
  EXPECT_GT(count, 100);
}

// Some frames before the drawn one are segmented too, so that the running update has its say. A moved
// chequerboard and flickering lamps count as errors here, for the drawings hold person and chair only.
TEST(ForegroundOnRealFootage, AgreesWithHandDrawnMasks) {
  VANTAGE_NEED_DATA(folder, "uu-voxel-1p");
  constexpr int64_t kDrawnFrame = 425, kFirstFrame = 400;
  const std::vector<Image> drawn = test::uu_voxel_masks(folder);
  BackendRegistry registry;
  register_foreground_cpu(registry);
  double sum = 0;
  for (int c = 0; c < test::kUuVoxelCameras; ++c) {
    const std::string name = test::uu_voxel_camera(c);
    SCOPED_TRACE(name);
    const auto model = registry.create<ForegroundModel>(Device::cpu, {}, {.camera = c}).value();
    learn_clip(*model, folder / name / "background.avi");
    const auto video = open_video((folder / name / "video.avi").string(), {}).value();
    ASSERT_TRUE(video->seek(kFirstFrame));
    ForegroundImages images;
    for (int64_t frame = kFirstFrame; frame <= kDrawnFrame; ++frame)
      images = model->apply(video->read().value().picture, frame).value();
    const double iou = intersection_over_union(images.mask.view<uint8_t>(), drawn[c].view<uint8_t>());
    RecordProperty(name + "_iou", std::to_string(iou));
    EXPECT_GT(iou, 0.75);
    sum += iou;
  }
  EXPECT_GT(sum / test::kUuVoxelCameras, 0.85);
}

}  // namespace
}  // namespace vantage
