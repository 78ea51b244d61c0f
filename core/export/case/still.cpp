#include "core/export/case/still.h"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/export/case/detail/case_scene.h"
#include "core/export/case/detail/span_videos.h"
#include "core/pipeline/frame_people.h"
#include "core/tracking/paths/path_tracker.h"
#include "core/video/jpeg.h"

namespace vantage {
namespace {

using case_detail::CameraMarks;
using case_detail::CaseScene;
using case_detail::FrameMarks;
using case_detail::MarkedPicture;
using case_detail::ShownCamera;

Result<Picture> host_picture(const FrameResult& result, size_t camera, MemoryTransfer& transfer) {
  const FrameSet* frames = result.frames();
  if (!frames || camera >= frames->cameras.size() || !frames->cameras[camera].picture)
    return fail(ErrorKind::not_found, "the camera has no picture of this frame");
  const Picture& picture = frames->cameras[camera].picture;
  if (picture.place() == MemoryPlace{}) return picture;
  return transfer.download(picture, result.frame, static_cast<int>(camera));
}

// Empty where it is not known.
Image host_mask(const FrameResult& result, size_t camera) {
  if (!result.foreground()) return {};
  const Result<std::vector<Image>>& masks = result.foreground()->host_masks.get();
  return masks && camera < masks->size() ? masks->at(camera) : Image();
}

Result<Still> jpeg_of(const Picture& picture, std::optional<BlurDoubt> doubt = {}) {
  Still still{{}, doubt};
  VANTAGE_ASSIGN(still.jpeg, encode_jpeg(picture, kStillWidth_px));
  return still;
}

Result<Still> marked_still(const FrameResult& result, size_t camera, CameraMarks described,
                           const FrameMarks& frame, MemoryTransfer& transfer) {
  const Image mask = described.blur.on ? host_mask(result, camera) : Image();
  VANTAGE_ASSIGN(const Picture picture, host_picture(result, camera, transfer));
  ShownCamera shown(std::move(described));
  VANTAGE_ASSIGN(const MarkedPicture marked, shown.show(picture, mask, frame));
  return jpeg_of(marked.picture, marked.doubt);
}

}  // namespace

Result<Still> export_still(const StillOptions& options) {
  if (options.camera >= options.project.cameras.size())
    return fail(ErrorKind::invalid_argument, "there is no such camera", {}, "Choose one of the project's.");
  if (options.project.live())
    return fail(ErrorKind::invalid_argument, "live cameras have no frames to export", {},
                "Record them, and export from the recording.");
  CaseScene scene;
  scene.project = options.project;
  scene.overlays.people = options.marks.people;
  scene.blur.on = options.marks.blur;
  scene.clock = find_clock(scene.project);
  const case_detail::SpanRequest request{{options.frame, options.frame + 1},
                                         options.marks.people,
                                         options.backends,
                                         options.hardware,
                                         options.stop};
  Result<std::unique_ptr<Analysis>> analysis = case_detail::open_span(&scene, request);
  // If the people are unknown, the frame is opened without them, and blurred as a whole.
  const bool covered = !analysis && options.marks.blur;
  if (covered) {
    scene.people.reset();
    scene.blur.on = false;
    analysis = case_detail::open_span(&scene, request);
  }
  if (!analysis) return fail(analysis.error());
  VANTAGE_ASSIGN(const auto transfer, options.backends.create<MemoryTransfer>({}));
  const auto warm_up = scene.blur.on ? std::llround(case_detail::kBlurWarmUp_s * scene.frame_rate) : 0;
  FrameEffort effort;
  effort.last_stage = scene.blur.on ? kForegroundStage : kVideoStage;
  FrameResultRef result;
  for (int64_t frame = std::max<int64_t>(0, options.frame - warm_up); frame <= options.frame; ++frame) {
    VANTAGE_ASSIGN(result, (*analysis)->pipeline().frame(frame, effort, options.stop));
  }
  if (!options.marks.any()) {
    VANTAGE_ASSIGN(const Picture picture, host_picture(*result, options.camera, *transfer));
    return jpeg_of(picture);
  }
  FrameMarks frame = scene.frame_marks(options.frame);
  if (covered) frame.people_known = false, scene.blur.on = true;
  return marked_still(*result, options.camera, scene.camera_marks(options.camera), frame, *transfer);
}

std::optional<std::vector<CasePerson>> RunPeople::add(const FrameResult& result) {
  std::vector<CasePerson> people;
  for (const FramePerson& person : people_of(result)) {
    people.push_back(
        {person.id(), person.found.x_m, person.found.y_m, person.found.height_m, !person.carried});
    if (person.id() > 0 && !person.carried) last_[person.id()] = {result.frame, people.back()};
  }
  const auto longest = static_cast<int64_t>(std::lround(kLongestGap_s * frame_rate_));
  std::erase_if(last_, [&](const auto& last) { return result.frame - last.second.frame > longest; });
  if (!people_count(result)) return std::nullopt;
  for (const auto& [id, last] : last_) {
    if (std::ranges::find(people, id, &CasePerson::id) != people.end()) continue;
    people.push_back(last.person);
    people.back().seen = false;
  }
  return people;
}

Result<Still> still_of(const FrameResult& result, size_t camera, const RunCamera& described,
                       const std::optional<std::vector<CasePerson>>& people, const StillMarks& marks,
                       MemoryTransfer& transfer) {
  if (!marks.any()) {
    VANTAGE_ASSIGN(const Picture picture, host_picture(result, camera, transfer));
    return jpeg_of(picture);
  }
  const double seconds = static_cast<double>(result.frame) / std::max(described.frame_rate, 1e-6);
  FrameMarks frame;
  frame.frame = result.frame;
  frame.moment = described.start_utc_s > 0 ? RecordingClock{described.start_utc_s, {}, {}}.text(seconds)
                                           : elapsed_text(seconds) + " from the start";
  frame.people = people.value_or(std::vector<CasePerson>());
  frame.people_known = people.has_value();
  if (!described.ids_final)
    for (CasePerson& person : frame.people) person.id = 0;
  CameraMarks shown;
  shown.name = described.name, shown.calibration = described.calibration;
  shown.later_calibrations = described.later_calibrations;
  shown.overlays.people = marks.people, shown.blur.on = marks.blur;
  shown.label = [](int64_t id) { return person_label(id); };
  return marked_still(result, camera, std::move(shown), frame, transfer);
}

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
    return fail(ErrorKind::invalid_argument, fmt::format("a clip has at most {:g} s", kMaxClip_s), {},
                fmt::format("Choose at most {:.0f} frames, or export a case.",
                            std::floor(kMaxClip_s * scene.frame_rate)));
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
