#include "app/server/published_result.h"

#include "core/results/frame_pictures.h"

namespace vantage::server {

Result<std::string> PublishedResult::picture(PictureKind kind, size_t camera) const {
  const size_t view = of_camera(kind) ? camera : 0;
  std::unique_lock lock(mutex_);
  const auto encode = [this, kind, view] { return encoded(kind, view); };
  const Deferred<std::string>& picture = pictures_.try_emplace(std::pair(kind, view), encode).first->second;
  lock.unlock();
  return picture.get();
}

Result<std::string> PublishedResult::encoded(PictureKind kind, size_t camera) const {
  if (kind == PictureKind::mask) {
    const ForegroundArtifact* foreground = result_->foreground();
    if (!foreground)
      return fail(ErrorKind::not_found, "this frame has no foreground", {}, "Ask for a later one.");
    return encode_mask(*foreground, camera);
  }
  if (kind == PictureKind::picture) {
    const FrameSet* frames = result_->frames();
    if (!frames) return fail(ErrorKind::not_found, "this frame has no pictures");
    return encode_camera_picture(*frames, camera, *transfer_, result_->frame);
  }
  if (kind == PictureKind::flow) {
    const FlowArtifact* flow = result_->flow();
    if (!flow)
      return fail(ErrorKind::not_found, "this frame has no flow", {}, "Run with --set flow.enabled=true.");
    return encode_camera_flow(*flow, camera);
  }
  if (kind == PictureKind::height) {
    const HeightEstimate* heights = result_->height_map();
    if (!heights)
      return fail(ErrorKind::not_found, "this frame has no height map", {},
                  "Run with --set heightmap.enabled=true; its camera needs a picture of the frame.");
    return encode_heights(*heights);
  }
  const CarvedVolume* volume = result_->volume();
  const FloorMap* floor = result_->floor_map();
  if (!volume || !floor)
    return fail(ErrorKind::not_found, "there is no volume", {}, "It needs a project with a calibration.");
  return kind == PictureKind::floor ? encode_floor_map(*floor) : encode_shell(*volume, *transfer_);
}

}  // namespace vantage::server
