#include "core/export/case/clip.h"

#include "core/base/formatted.h"
#include "core/export/case/detail/opened_span.h"
#include "core/export/case/detail/span_videos.h"

namespace vantage {
namespace {

Status check_clip(const ClipOptions& options) {
  const auto wrong = [](std::string what, std::string remedy) {
    return fail(ErrorKind::invalid_argument, std::move(what), {}, std::move(remedy));
  };
  if (options.camera >= options.project.cameras.size())
    return wrong("there is no such camera", "Choose one of the project's.");
  if (options.project.live())
    return wrong("live cameras have no span to export", "Record them, and export from the recording.");
  if (!options.project.has_pictures()) return wrong("the project has no videos", "Use its results instead.");
  return {};
}

}  // namespace

Result<CaseCamera> export_clip(const ClipOptions& options) {
  VANTAGE_TRY(check_clip(options));
  case_detail::CaseScene scene;
  scene.project = options.project;
  scene.overlays = options.overlays;
  scene.blur = options.blur;
  scene.clock = find_clock(scene.project);
  const bool drawn = options.overlays.people || options.overlays.trails;
  VANTAGE_ASSIGN(const std::unique_ptr<Analysis> analysis,
                 case_detail::open_span(
                     &scene, {options.span, drawn, options.backends, options.hardware, options.stop}));
  if (scene.seconds(scene.span.end - scene.span.begin) > kMaxClip_s)
    return fail(ErrorKind::invalid_argument, formatted("a clip has at most %g s", kMaxClip_s), {},
                formatted("Choose at most %lld frames, or export a case.",
                          static_cast<long long>(kMaxClip_s * scene.frame_rate)));
  case_detail::SpanVideosOptions wanted;
  wanted.cameras = {options.camera};
  wanted.folder = options.folder;
  wanted.sound = false;
  wanted.backends = options.backends;
  wanted.stop = options.stop;
  VANTAGE_ASSIGN(std::vector<case_detail::SpanVideo> videos,
                 case_detail::write_span_videos(scene, *analysis, wanted));
  return std::move(videos.front().camera);
}

}  // namespace vantage
