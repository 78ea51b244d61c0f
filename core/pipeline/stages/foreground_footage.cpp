#include "core/pipeline/stages/foreground_footage.h"

#include <utility>

#include "core/base/formatted.h"

namespace vantage {
namespace {

VideoOpenOptions recording_options(const ChainContext& context, size_t camera) {
  VideoOpenOptions options;
  options.trace = context.backends.context.trace;
  options.camera = static_cast<int>(camera);
  options.stop = context.stop;
  return options;
}

// In the device's memory where no recording is compared with it.
VideoOpenOptions clip_options(const ChainContext& context, size_t camera) {
  VideoOpenOptions options = recording_options(context, camera);
  if (context.backends.on_gpu() && !context.cameras[camera].has_recording)
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

}  // namespace

Result<ForegroundCamera> open_background_footage(ChainContext& context, size_t index) {
  const ChainCamera& camera = context.cameras[index];
  ForegroundCamera opened;
  opened.name = camera.name;
  const std::string clip = camera.background, video = camera.has_recording ? camera.video : "";
  if (clip.empty() && video.empty()) return opened;
  const VideoOpenOptions of_clip = clip_options(context, index), of_video = recording_options(context, index);
  if (!clip.empty()) {
    VANTAGE_ASSIGN(opened.background.clip, open_clip(context, index));
  }
  if (!video.empty()) {
    VANTAGE_ASSIGN(opened.background.recording, open_video(video, of_video));
  }
  opened.reopen = [=]() -> Result<BackgroundFootage> {
    BackgroundFootage footage;
    if (!clip.empty()) {
      VANTAGE_ASSIGN(footage.clip, open_video(clip, of_clip));
    }
    if (!video.empty()) {
      VANTAGE_ASSIGN(footage.recording, open_video(video, of_video));
    }
    return footage;
  };
  return opened;
}

}  // namespace vantage
