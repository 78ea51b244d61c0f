#include "core/pipeline/stages/foreground_view.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/foreground/ignored_painter.h"
#include "core/geometry/camera.h"
#include "core/pipeline/reoriented_clip.h"

namespace vantage {
namespace {

LearnBackgroundOptions learning(const ForegroundSetting& setting) {
  LearnBackgroundOptions how;
  how.transfer = &setting.transfer;
  how.camera = setting.camera;
  how.from_recording = setting.parameters.whole_recording;
  how.steady = setting.parameters.steady;
  how.stop = setting.stop;
  return how;
}

}  // namespace

ForegroundView::ForegroundView(ForegroundCamera from)
    : name_(std::move(from.name)),
      ignored_(std::move(from.ignored)),
      from_frame_(from.from_frame),
      footage_(std::move(from.background)),
      reopen_(std::move(from.reopen)),
      has_clip_(footage_.clip != nullptr) {}

void ForegroundView::use(std::unique_ptr<ForegroundModel> model, bool saves_state) {
  model_ = std::move(model), saves_state_ = saves_state;
  forget_footage();
  ready_ = seen_ = has_background_ = false;
  learnt_frames_ = 0;
}

void ForegroundView::forget() {
  model_->reset();
  ready_ = seen_ = has_background_ = false;
  learnt_frames_ = 0;
}

bool ForegroundView::learns_footage(const ForegroundSetting& setting) const {
  return !nothing_learnt_ && (has_clip_ || setting.parameters.whole_recording);
}

Status ForegroundView::learn_beforehand(const ForegroundSetting& setting) {
  ready_ = true;
  if (!learns_footage(setting)) return {};
  if (!learnt_) VANTAGE_TRY(read_footage(setting));
  if (nothing_learnt_) return {};
  has_background_ = seen_ = true;
  return learnt_ ? model_->restore(*learnt_) : Status();
}

Status ForegroundView::examine(const ForegroundSetting& setting) {
  if (!learns_footage(setting) || learnt_ || examined_) return {};
  if (looked_ && reopen_) {
    VANTAGE_ASSIGN(footage_, reopen_());
  }
  VANTAGE_ASSIGN(examined_, examine_footage(footage_, learning(setting)));
  return {};
}

Status ForegroundView::read_footage(const ForegroundSetting& setting) {
  VANTAGE_TRY(examine(setting));
  VANTAGE_ASSIGN(const LearntBackground learnt,
                 learn_background(footage_, std::move(*examined_), *model_, learning(setting)));
  looked_ = true;
  footage_ = {};
  examined_.reset();
  nothing_learnt_ = learnt.frames == 0;
  if (nothing_learnt_ || !saves_state_) return {};
  VANTAGE_ASSIGN(learnt_, model_->save());
  return {};
}

Result<ForegroundImages> ForegroundView::segment(const Picture& picture, int64_t frame,
                                                 const ForegroundSetting& setting) {
  const bool learning = only_learns(setting.parameters);
  seen_ = true;
  if (!learning) return model_->apply(picture, frame);
  VANTAGE_TRY(model_->learn(picture, frame));
  ++learnt_frames_;
  return empty_scene(picture, frame, setting);
}

// Images are immutable once handed on, so all learning frames share one.
Result<ForegroundImages> ForegroundView::empty_scene(const Picture& picture, int64_t frame,
                                                     const ForegroundSetting& setting) {
  const int width = picture.width(), height = picture.height();
  if (empty_.mask && empty_.mask.width() == width && empty_.mask.height() == height) return empty_;
  VANTAGE_ASSIGN(const Image zeros, ignored_image({}, width, height));
  VANTAGE_ASSIGN(const Image mask, setting.transfer.upload(zeros, frame, setting.camera));
  Image indicator = mask;
  if (!ignored_.empty()) {
    VANTAGE_ASSIGN(indicator, ignored_image(ignored_, width, height));
    const ImageView<uint8_t> levels = indicator.writable_view<uint8_t>();
    for (int y = 0; y < height; ++y)
      std::transform(levels.row(y), levels.row(y) + width, levels.row(y),
                     [](uint8_t ignored) { return ignored ? kIgnoredLevel : uint8_t{0}; });
    VANTAGE_ASSIGN(indicator, setting.transfer.upload(indicator, frame, setting.camera));
  }
  empty_ = ForegroundImages{indicator, mask, int64_t{0}};
  return empty_;
}

Result<ForegroundView::Memory> ForegroundView::save() const {
  Memory memory{nullptr, ready_, has_background_, learnt_frames_};
  if (seen_) {
    VANTAGE_ASSIGN(memory.state, model_->save());
  }
  return memory;
}

Status ForegroundView::restore(const Memory& memory) {
  learnt_frames_ = memory.learnt_frames;
  ready_ = memory.ready, has_background_ = memory.has_background;
  seen_ = memory.state != nullptr;
  return seen_ ? model_->restore(*memory.state) : Status();
}

Status ForegroundView::write(ByteWriter* to) const {
  to->add(uint8_t{seen_}).add(uint8_t{ready_}).add(uint8_t{has_background_}).add(learnt_frames_);
  return seen_ ? model_->write(to) : Status();
}

Status ForegroundView::read(ByteReader* from) {
  seen_ = from->take<uint8_t>() != 0, ready_ = from->take<uint8_t>() != 0;
  has_background_ = from->take<uint8_t>() != 0;
  from->take(&learnt_frames_);
  return seen_ ? model_->read(from) : Status();
}

namespace {

VideoOpenOptions recording_options(const ChainContext& context, size_t camera) {
  VideoOpenOptions options;
  options.trace = context.backends.context.trace;
  options.camera = static_cast<int>(camera);
  options.stop = context.stop;
  return options;
}

// In the device's memory where no recording is compared with it and its pictures are not changed.
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
  VANTAGE_ASSIGN(ReorientedClip turned, turn_clip(std::move(footage->clip), from, to));
  footage->clip = std::move(turned.clip), footage->unseen = std::move(turned.unseen);
  return {};
}

}  // namespace

Result<ForegroundCamera> open_background_footage(ChainContext& context, size_t index, size_t view) {
  const ChainCamera& camera = context.cameras[index];
  ForegroundCamera opened;
  opened.name = camera.name, opened.camera = index;
  opened.ignored = camera.ignored;
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
