// The video of a case that shows its cameras side by side, with the plan of the floor in the last place.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/export/case/detail/case_scene.h"
#include "core/export/case/detail/pen.h"
#include "core/video/video_writer.h"

namespace vantage::case_detail {

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
  void draw_plan(Picture& picture, int64_t frame);

  const CaseScene& scene_;
  std::unique_ptr<Pen> pen_;
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
