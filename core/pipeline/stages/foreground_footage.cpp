#include "core/pipeline/stages/foreground_footage.h"

#include <utility>

#include "core/base/formatted.h"

namespace vantage {
namespace {

std::function<Result<BackgroundFootage>()> reopener(const std::string& path, const VideoOpenOptions& how,
                                                    bool clip) {
  return [=]() -> Result<BackgroundFootage> {
    BackgroundFootage footage;
    VANTAGE_ASSIGN((clip ? footage.clip : footage.recording), open_video(path, how));
    return footage;
  };
}

VideoOpenOptions clip_options(const ChainContext& context, int camera) {
  VideoOpenOptions options;
  if (context.backends.on_gpu()) options.hardware = context.hardware;
  options.trace = context.backends.context.trace;
  options.camera = camera;
  return options;
}

VideoOpenOptions recording_options(const ChainContext& context, int camera) {
  VideoOpenOptions options;
  options.trace = context.backends.context.trace;
  options.camera = camera;
  options.stop = context.stop;
  return options;
}

Result<std::unique_ptr<VideoSource>> open_clip(ChainContext& context, size_t index) {
  const ChainCamera& camera = context.cameras[index];
  const int number = static_cast<int>(index);
  VANTAGE_ASSIGN(auto source, open_video(camera.background, clip_options(context, number)));
  const VideoInfo clip = source->info(), video = context.source.info(number);
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
  const int number = static_cast<int>(index);
  ForegroundCamera opened;
  opened.name = camera.name;
  if (!camera.background.empty()) {
    VANTAGE_ASSIGN(opened.background.clip, open_clip(context, index));
    opened.reopen = reopener(camera.background, clip_options(context, number), true);
  } else if (camera.has_recording) {
    const VideoOpenOptions how = recording_options(context, number);
    VANTAGE_ASSIGN(opened.background.recording, open_video(camera.video, how));
    opened.reopen = reopener(camera.video, how, false);
  }
  return opened;
}

}  // namespace vantage
