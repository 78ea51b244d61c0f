// One camera's video of a case: each picture blurred, drawn on, named and encoded.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/export/case/detail/case_scene.h"
#include "core/export/case/detail/shown_camera.h"
#include "core/video/video_writer.h"

namespace vantage::case_detail {

class CameraVideo {
 public:
  // `format`: of the camera's pictures. `first_s`: when its first picture of the span is shown, in its own
  // file; -1: not known, and there is no sound. `scene` outlives this.
  static Result<std::unique_ptr<CameraVideo>> open(const CaseScene& scene, size_t camera,
                                                   const PictureFormat& format,
                                                   const std::filesystem::path& file, double first_s);

  // The next frame; `picture` in host memory, empty where the camera has none; `mask` likewise. Returns what
  // was encoded.
  Result<Picture> add(int64_t frame, const Picture& picture, const Image& mask);
  // `video` of what it returns is left to the caller.
  Result<CaseCamera> finish();

 private:
  explicit CameraVideo(const CaseScene& scene) : scene_(scene) {}

  const CaseScene& scene_;
  std::unique_ptr<ShownCamera> shown_;
  std::unique_ptr<VideoWriter> writer_;
  PictureFormat format_;  // of the video
  CaseCamera told_;
};

}  // namespace vantage::case_detail
