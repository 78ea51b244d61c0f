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

Result<Still> PublishedResult::still(size_t camera, const RunCamera& described,
                                     const StillMarks& marks) const {
  std::unique_lock lock(mutex_);
  const auto make = [this, camera, described, marks] {
    return still_of(*result_, camera, described, people_, marks, *transfer_);
  };
  const Deferred<Still>& still = stills_.try_emplace(std::pair(camera, marks), make).first->second;
  lock.unlock();
  return still.get();
}

Result<std::string> PublishedResult::encoded(PictureKind kind, size_t camera) const {
  if (kind == PictureKind::mask) {
    const ForegroundArtifact* foreground = result_->foreground();
    if (!foreground)
      return fail(ErrorKind::not_found, "this frame has no foreground", {}, "Ask for a later one.");
    return encode_mask(*foreground, camera);
  }
  if (kind == PictureKind::flow || kind == PictureKind::confidence) {
    const FlowArtifact* flow = result_->flow();
    if (!flow)
      return fail(ErrorKind::not_found, "this frame has no flow", {}, "Run with --set flow.enabled=true.");
    return kind == PictureKind::flow ? encode_camera_flow(*flow, camera)
                                     : encode_flow_confidence(*flow, camera);
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
