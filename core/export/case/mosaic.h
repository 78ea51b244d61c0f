// Parts of a picture made unrecognisable: squares of one colour each, the mean of the square, in coarse
// steps. What was averaged cannot be found again, as long as a square is about as large as a head: a mosaic
// that moves over a person for many pictures tells what lies between its squares' centres and no more.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/display/canvas.h"
#include "core/export/case/detail/case_scene.h"
#include "core/image/picture.h"
#include "core/video/video_writer.h"

namespace vantage {

// Pixel quads (2x2 pixels) along a side of a picture, rounded up.
inline int quads(int pixels) {
  return (pixels + 1) / 2;
}
// Squares of 8 to 256 pixels: 2^3 to 2^8.
inline constexpr int kMinMosaicLevel = 3, kMaxMosaicLevel = 8;
// The smallest squares that hide a person so tall: a head is about as large as one.
int mosaic_level(double height_px);

// `levels`: u8, a quad of the picture a pixel, 0: stays. The picture: I420, host memory; a new one is
// returned.
Result<Picture> pixelated(const Picture& picture, const Image& levels, BufferPool& pool);

}  // namespace vantage

namespace vantage::case_detail {

// The video of a case that shows its cameras side by side, with the plan of the floor in the last place.

class GridVideo {
 public:
  // `formats`: of the cameras' videos. `scene` outlives this.
  static Result<std::unique_ptr<GridVideo>> open(const CaseScene& scene,
                                                 const std::vector<PictureFormat>& formats,
                                                 const std::filesystem::path& file);
  Status add(int64_t frame, const std::vector<Picture>& pictures);
  Status finish() { return writer_->finish(); }

 private:
  explicit GridVideo(const CaseScene& scene) : scene_(scene) {}
  void fit_plan();
  Eigen::Vector2d on_plan(double x_m, double y_m) const;
  void draw_plan(Canvas& canvas, int64_t frame) const;

  const CaseScene& scene_;
  std::unique_ptr<VideoWriter> writer_;
  PictureFormat format_;
  int factor_ = 1, columns_ = 1, place_width_ = 0, place_height_ = 0;
  size_t plan_place_ = 0;
  bool has_plan_ = false;
  // Metres at the plan's middle, and pixels a metre.
  Eigen::Vector2d middle_m_ = {0, 0};
  double scale_px_ = 1;
};

}  // namespace vantage::case_detail
