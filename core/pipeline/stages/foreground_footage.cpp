#include "core/pipeline/stages/foreground_footage.h"

#include <utility>

#include "core/base/formatted.h"
#include "core/geometry/camera_change.h"
#include "core/pipeline/turned_clip.h"

namespace vantage {
namespace {

VideoOpenOptions recording_options(const ChainContext& context, size_t camera) {
  VideoOpenOptions options;
  options.trace = context.backends.context.trace;
  options.camera = static_cast<int>(camera);
  options.stop = context.stop;
  return options;
}

// In the device's memory where no recording is compared with it and nothing is done to its pictures.
VideoOpenOptions clip_options(const ChainContext& context, size_t camera) {
  VideoOpenOptions options = recording_options(context, camera);
  if (context.backends.on_gpu() && !context.cameras[camera].has_recording &&
      context.cameras[camera].later.empty())
    options.hardware = context.hardware;
  return options;
}

Result<std::unique_ptr<VideoSource>> open_clip(ChainContext& context, size_t index) {
  const ChainCamera& camera = context.cameras[index];
  VANTAGE_ASSIGN(auto source, open_video(camera.background, clip_options(context, index)));
  const VideoInfo clip = source->info(), video = context.source.info(static_cast<int>(index));
  if (clip.width_px != video.width_px || clip.height_px != video.height_px)
    return fail(ErrorKind::invalid_argument,
                "the empty-scene clip has " + size_text(clip.width_px, clip.height_px) + " px, the video " +
                    size_text(video.width_px, video.height_px) + " px",
                camera.name, "Use a clip of the same camera at the same size.");
  if (!clip.conversion.empty())
    context.notes.push_back(camera.name + ": pictures of the empty scene are converted, " + clip.conversion);
  return source;
}

// The frames of the recording that show the view.
RecordingSpan span_of(const ChainCamera& camera, size_t view) {
  RecordingSpan span;
  if (view > 0) span.begin = camera.later[view - 1].from_camera_frame;
  if (view < camera.later.size()) span.end = camera.later[view].from_camera_frame;
  return span;
}

Status turn_to(const Camera& from, const Camera& to, BackgroundFootage* footage) {
  VANTAGE_ASSIGN(TurnedClip turned, turn_clip(std::move(footage->clip), from, to));
  footage->clip = std::move(turned.clip), footage->unseen = std::move(turned.unseen);
  return {};
}

}  // namespace

Result<ForegroundCamera> open_background_footage(ChainContext& context, size_t index, size_t view) {
  const ChainCamera& camera = context.cameras[index];
  ForegroundCamera opened;
  opened.name = camera.name, opened.camera = index;
  std::optional<Camera> first, later;  // the clip is turned from one to the other
  if (view > 0) {
    opened.from_frame = camera.later[view - 1].from_frame;
    first = camera.calibration, later = camera.later[view - 1].camera;
  }
  const bool clip_serves = !later || only_turned(*first, *later);
  const std::string clip = clip_serves ? camera.background : "",
                    video = camera.has_recording ? camera.video : "";
  opened.background.span = span_of(camera, view);
  if (clip.empty() && video.empty()) return opened;
  const VideoOpenOptions of_clip = clip_options(context, index), of_video = recording_options(context, index);
  if (!clip.empty()) {
    VANTAGE_ASSIGN(opened.background.clip, open_clip(context, index));
    if (later) VANTAGE_TRY(turn_to(*first, *later, &opened.background));
  }
  if (!video.empty()) {
    VANTAGE_ASSIGN(opened.background.recording, open_video(video, of_video));
  }
  opened.reopen = [=, span = opened.background.span]() -> Result<BackgroundFootage> {
    BackgroundFootage footage;
    footage.span = span;
    if (!clip.empty()) {
      VANTAGE_ASSIGN(footage.clip, open_video(clip, of_clip));
      if (later) VANTAGE_TRY(turn_to(*first, *later, &footage));
    }
    if (!video.empty()) {
      VANTAGE_ASSIGN(footage.recording, open_video(video, of_video));
    }
    return footage;
  };
  return opened;
}

}  // namespace vantage
