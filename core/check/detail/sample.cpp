#include "core/check/detail/sample.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/trace.h"
#include "core/foreground/foreground.h"
#include "core/foreground/methods.h"
#include "core/foreground/steady_model.h"
#include "core/image/picture.h"
#include "core/pipeline/background.h"
#include "core/project/project.h"
#include "core/project/span_footage.h"
#include "core/video/no_video.h"

namespace vantage {
namespace {

constexpr int64_t kPacedFrames = 8;
constexpr int64_t kMaskPixels = 64'000'000;  // one camera's masks, which are all kept
constexpr int64_t kMinMoments = 5;

// Number of pictures that a brief check learns from: of a clip, and of a recording without one.
constexpr int kBriefClipPictures = 12, kBriefScenePictures = 24;

struct Reader {
  CameraSample* sample;
  const SampleOptions& options;
  const IgnoredRegions& ignored;
  int64_t frames = 0;  // decoded and given to the model
  int64_t busy_ns = 0;

  // Learning options that record how the brightness changes.
  LearnBackgroundOptions watched(BrightnessSpan* span) const {
    LearnBackgroundOptions how;
    how.stop = options.stop;
    how.see = [span](const Picture& picture) { span->add(picture); };
    return how;
  }

  // Learns everything that a run learns, so that the check judges the model that a run uses. The time limit
  // covers only frames examined here, not learning.
  Status learn(const BackgroundFootage& footage, const ForegroundParameters& parameters,
               ForegroundModel& model) {
    if (options.brief && footage.clip) return learn_few(*footage.clip, parameters, model);
    const int64_t start_ns = trace_now_ns();
    BrightnessSpan span(parameters.steady != Steadying::off, ignored);
    LearnBackgroundOptions how = watched(&span);
    how.from_recording = parameters.whole_recording;
    how.steady = parameters.steady;
    if (options.brief) how.max_pictures = kBriefScenePictures;
    VANTAGE_ASSIGN(LearntBackground learnt, learn_background(footage, model, how));
    frames += sample->learnt = learnt.frames;
    sample->scene = std::move(learnt.scene);
    sample->shake_px = learnt.shake_px;
    sample->changed_share = learnt.changed_share;
    sample->moved_share = span.moved_share();
    const int64_t taken_ns = trace_now_ns() - start_ns;
    if (sample->scene)
      frames = 0;  // frames read at single instants, which do not show how long a frame takes in order
    else
      busy_ns += taken_ns;
    return {};
  }

  // Learns from pictures at key frames, spread over the clip, and from the ones after them where key frames
  // are few: enough to recognise another scene, and a person who walks there. At most twice as many pictures
  // are decoded, however long the clip and the distance of its key frames.
  Status learn_few(VideoSource& clip, const ForegroundParameters& parameters, ForegroundModel& model) {
    BrightnessSpan span(parameters.steady != Steadying::off, ignored);
    const int64_t count = clip.wait_for_frame_count(options.stop).value_or(clip.info().frame_count);
    std::vector<int64_t> starts = {0};
    for (const int64_t frame : sample_moments(count, kBriefClipPictures))
      if (const int64_t start = clip.start_before(frame); start > starts.back()) starts.push_back(start);
    for (size_t i = 0; i < starts.size(); ++i) {
      const int64_t end = i + 1 < starts.size() ? starts[i + 1] : count;
      const auto share = static_cast<int64_t>(kBriefClipPictures / starts.size());
      VANTAGE_TRY(learn_from(clip, {starts[i], end}, std::max<int64_t>(1, share), model, &span));
    }
    if (sample->learnt == 0 && !options.stop.stop_requested())
      return fail(ErrorKind::bad_data, "the empty-scene clip holds no picture", "",
                  "Choose another clip, or none.");
    sample->shake_px = model.shake_px();
    sample->moved_share = span.moved_share();
    return {};
  }

  // Learns from `pictures` frames, every second one from the beginning of the span.
  Status learn_from(VideoSource& clip, const RecordingSpan& part, int64_t pictures, ForegroundModel& model,
                    BrightnessSpan* brightness) {
    VANTAGE_TRY(clip.seek(part.begin));
    const int64_t end = std::min(part.end, part.begin + 2 * pictures - 1);
    for (int64_t frame = part.begin; frame < end && !options.stop.stop_requested(); ++frame) {
      const Result<DecodedFrame> decoded = clip.read();
      if (!decoded && decoded.error().kind == ErrorKind::end_of_stream) break;
      if (!decoded) return fail(decoded.error());
      if (!decoded->picture || (frame - part.begin) % 2 != 0) continue;
      VANTAGE_TRY(model.learn(decoded->picture, -1));
      brightness->add(decoded->picture);
      ++sample->learnt;
    }
    return {};
  }

  // Decodes the first frames in order, as a run begins, to time each.
  Status begin(VideoSource& source, ForegroundModel& model) {
    const int64_t start_ns = trace_now_ns();
    while (frames < kPacedFrames && !options.stop.stop_requested()) {
      const Result<DecodedFrame> frame = source.read();
      if (!frame && frame.error().kind == ErrorKind::end_of_stream) break;
      if (!frame) return fail(frame.error());
      if (!frame->picture) continue;
      VANTAGE_TRY(model.apply(frame->picture, frames));
      ++frames;
    }
    busy_ns += trace_now_ns() - start_ns;
    return {};
  }

  // Learns from the first frames as a run does, where there is nothing else to learn from.
  Status learn_start(VideoSource& source, const ForegroundParameters& parameters, ForegroundModel& model) {
    const int64_t start_ns = trace_now_ns();
    BrightnessSpan span(parameters.steady != Steadying::off, ignored);
    LearnBackgroundOptions how = watched(&span);
    how.enough = [this, &parameters](int64_t learnt) {
      return learnt >= parameters.learning_frames || options.stop.stop_requested();
    };
    VANTAGE_ASSIGN(sample->learnt, learn_pictures(source, model, how));
    frames += sample->learnt;
    sample->moved_share = span.moved_share();
    busy_ns += trace_now_ns() - start_ns;
    return {};
  }

  void count() const {
    if (options.read) options.read();
  }

  void look(VideoSource& source, int64_t wanted, bool segmented, ForegroundModel& model) {
    const Status looked = examine(source, wanted, segmented, model);
    if (looked) return;
    sample->problem = looked.error().message();
    sample->problem_frame = wanted;
  }

  Status examine(VideoSource& source, int64_t wanted, bool segmented, ForegroundModel& model) {
    if (in_gap(sample->info, wanted)) return {};  // a gap has a line of its own
    ++sample->asked;
    VANTAGE_TRY(source.seek(wanted));
    const Result<DecodedFrame> frame = source.read();
    if (!frame) return fail(frame.error());
    if (!frame->problem.empty() || !frame->picture) {
      sample->problem = frame->problem.empty() ? "the frame has no picture" : frame->problem;
      sample->problem_frame = wanted;
    }
    if (!frame->picture) return {};
    sample->decoded += frame->problem.empty();
    if (frame->problem.empty()) {
      VANTAGE_ASSIGN(Image view, reduced_mean(frame->picture.plane(0), view_factor(frame->picture.width()),
                                              HostPool::shared()));
      sample->views.push_back({wanted, std::move(view)});
    }
    if (!segmented) return {};
    VANTAGE_ASSIGN(const ForegroundImages images, model.apply(frame->picture, wanted));
    sample->masks.back() = images.mask;
    return {};
  }
};

Status sample_into(const ProjectCamera& camera, const ForegroundParameters& parameters, double base_rate,
                   const std::vector<int64_t>& moments, const StandingSpan& span, ForegroundModel& model,
                   Reader& reader) {
  CameraSample& sample = *reader.sample;
  VideoOpenOptions how;
  how.stop = reader.options.stop;
  VANTAGE_ASSIGN(auto source, open_video(camera.video, how));
  sample.info = source->info();
  if (names_no_video(camera.video)) return {};
  const double rate = camera.frame_rate > 0 ? camera.frame_rate : sample.info.frame_rate;
  const double ratio = base_rate > 0 && rate > 0 ? rate / base_rate : 1;
  const auto own_frame = [&](int64_t frame) {
    return static_cast<int64_t>(std::llround(camera_frame_at(camera, static_cast<double>(frame), ratio)));
  };
  VANTAGE_ASSIGN(BackgroundFootage footage, footage_in_span(camera, span, ratio, how, std::move(source)));
  sample.clip = footage.clip != nullptr;
  VANTAGE_TRY(reader.learn(footage, parameters, model));
  source = std::move(footage.recording);  // opened once: if it was read for learning, it is rewound
  const bool paced = sample.scene && !sample.brief;
  if (sample.learnt == 0 || paced) VANTAGE_TRY(source->seek(footage.span.begin));
  if (sample.learnt == 0) VANTAGE_TRY(reader.learn_start(*source, parameters, model));
  if (paced) VANTAGE_TRY(reader.begin(*source, model));
  if (reader.frames > 0)
    sample.seconds_per_frame =
        static_cast<double>(reader.busy_ns) * 1e-9 / static_cast<double>(reader.frames);
  reader.count();
  for (const int64_t moment : moments) {
    if (reader.options.stop.stop_requested()) break;
    sample.masks.emplace_back();
    if (const int64_t wanted = own_frame(moment); wanted >= 0)  // else the camera starts later
      reader.look(*source, wanted, span.has(moment), model);
    reader.count();
  }
  return {};
}

}  // namespace

// Returns the picture unchanged where its shift from the first one cannot be told.
Picture BrightnessSpan::brought_back(const Picture& picture) {
  const int factor = RestView::factor_of(picture.width());
  const Result<Image> small = reduced_mean(picture.plane(0), factor, HostPool::shared());
  if (!steady_ || !small) return picture;
  if (!rest_) {
    rest_ = std::make_shared<const RestView>(small->view<uint8_t>(), factor);
    return picture;
  }
  const std::optional<SceneOffset> offset = rest_->find(small->view<uint8_t>());
  const std::optional<PictureShift> back = way_back(offset);
  if (!back) return picture;
  const Result<Picture> steadied = shifted(picture, *back, HostPool::shared());
  if (!steadied) return picture;
  border_px_ = std::max(border_px_, 1 + static_cast<int>(std::ceil(length_px(*offset))));
  return *steadied;
}

void BrightnessSpan::add(const Picture& picture) {
  if (darkest_.empty()) {
    width_ = picture.width(), height_ = picture.height();
    darkest_.assign(static_cast<size_t>(width_) * static_cast<size_t>(height_), 255);
    brightest_.assign(darkest_.size(), 0);
  }
  if (picture.width() != width_ || picture.height() != height_) return;
  const Picture steadied = brought_back(picture);
  const ImageView<const uint8_t> luma = steadied.plane(0);
  for (int y = 0; y < height_; ++y) {
    const uint8_t* row = luma.row(y);
    uint8_t* darkest = darkest_.data() + static_cast<size_t>(y) * static_cast<size_t>(width_);
    uint8_t* brightest = brightest_.data() + static_cast<size_t>(y) * static_cast<size_t>(width_);
    for (int x = 0; x < width_; ++x) {
      darkest[x] = std::min(darkest[x], row[x]);
      brightest[x] = std::max(brightest[x], row[x]);
    }
  }
}

double BrightnessSpan::moved_share() const {
  if (darkest_.empty()) return 0;
  const IgnoredPixels ignored(ignored_, width_, height_);
  int64_t moved = 0;
  for (int y = border_px_; y < height_ - border_px_; ++y)
    for (int x = border_px_; x < width_ - border_px_; ++x) {
      const size_t i = static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
      moved += brightest_[i] > darkest_[i] + kMovedLevels && !ignored.at(x, y);
    }
  return static_cast<double>(moved) / static_cast<double>(darkest_.size());
}

double staying_share(const std::vector<Image>& masks) {
  std::vector<ImageView<const uint8_t>> views;
  for (const Image& mask : masks)
    if (mask) views.push_back(mask.view<uint8_t>());
  if (views.size() < kStayingMasks) return 0;
  const int width = views[0].width, height = views[0].height;
  int64_t staying = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      staying += std::all_of(views.begin(), views.end(), [&](const auto& view) {
        return view.width == width && view.height == height && view.at(x, y) >= 128;
      });
  return static_cast<double>(staying) / (static_cast<double>(width) * height);
}

std::vector<int64_t> sample_moments(int64_t frame_count, int count) {
  std::vector<int64_t> moments;
  for (int i = 0; i < count; ++i) {
    const int64_t moment = frame_count * (2 * i + 1) / (2 * count);
    if (moments.empty() || moment > moments.back()) moments.push_back(moment);
  }
  return moments;
}

std::vector<int64_t> sample_moments(const VideoSource& base, int64_t frame_count, int count) {
  const VideoInfo info = base.info();
  const int64_t picture_px = std::max<int64_t>(1, int64_t{info.width_px} * info.height_px);
  const int64_t affordable = std::max(kMinMoments, kMaskPixels / picture_px);
  std::vector<int64_t> moments = sample_moments(std::max<int64_t>(frame_count, 0),
                                                static_cast<int>(std::min<int64_t>(count, affordable)));
  std::vector<int64_t> starts;
  for (const int64_t moment : moments)
    if (const int64_t start = base.start_before(moment); starts.empty() || start > starts.back())
      starts.push_back(start);
  return starts.size() == moments.size() ? starts : moments;
}

StandingSpan checked_span(const Project& project, const std::vector<int64_t>& moments) {
  const std::vector<StandingSpan> spans = standing_spans(project);
  return *std::ranges::max_element(spans, {}, [&](const StandingSpan& span) {
    return std::ranges::count_if(moments, [&](int64_t moment) { return span.has(moment); });
  });
}

CameraSample sample_camera(const Project& project, size_t camera, double base_rate,
                           const std::vector<int64_t>& moments, const BackendRegistry& backends,
                           const SampleOptions& options) {
  CameraSample sample;
  sample.brief = options.brief;
  Reader reader{&sample, options, project.cameras[camera].ignored};
  const auto parameters = project.parameters.get<ForegroundParameters>();
  const auto model = make_steady_model({&backends}, foreground_method(parameters).name,
                                       static_cast<int>(camera), project.cameras[camera].ignored);
  if (model) (*model)->set_parameters(project.parameters);
  const Status status = model ? sample_into(project.cameras[camera], parameters, base_rate, moments,
                                            checked_span(project, moments), **model, reader)
                              : Status(fail(model.error()));
  if (!status) sample.error = status.error().message();
  sample.masks.resize(moments.size());
  return sample;
}

}  // namespace vantage
