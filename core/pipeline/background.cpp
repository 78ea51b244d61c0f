#include "core/pipeline/background.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "core/base/hash.h"
#include "core/foreground/camera_shake.h"
#include "core/image/picture.h"

namespace vantage {
namespace {

constexpr int64_t kSampleBytes = int64_t{128} << 20;  // maximum for all pictures of one camera
constexpr int kMinLargePictures = 24;
// Pictures for finding permanent changes since a clip: few suffice, and more would delay the start.
constexpr int kChangePictures = 24;
// With this many key frames, nothing else is decoded.
constexpr size_t kEnoughStarts = 24;

// The span of a recording of `count` frames.
RecordingSpan within(RecordingSpan span, int64_t count) {
  span.end = std::clamp<int64_t>(span.end, 0, count);
  span.begin = std::clamp<int64_t>(span.begin, 0, span.end);
  return span;
}

// Frames spread evenly over the span, each in the middle of its part.
std::vector<int64_t> spread_frames(VideoSource& recording, RecordingSpan span, int at_most) {
  const int64_t count = span.end - span.begin;
  const VideoInfo info = recording.info();
  const int64_t picture_bytes = std::max<int64_t>(1, int64_t{3} * info.width_px * info.height_px / 2);
  const int64_t max_pictures =
      std::clamp<int64_t>(kSampleBytes / picture_bytes, kMinLargePictures, kMaxScenePictures);
  const int64_t wanted = std::min({count, max_pictures, int64_t{at_most}});
  std::vector<int64_t> frames, starts;
  for (int64_t i = 0; i < wanted; ++i) frames.push_back(span.begin + count * (2 * i + 1) / (2 * wanted));
  for (const int64_t frame : frames)
    if (const int64_t start = recording.start_before(frame);
        start >= span.begin && (starts.empty() || start > starts.back()))
      starts.push_back(start);
  return starts.size() >= kEnoughStarts ? starts : frames;
}

Status learn(const Picture& picture, ForegroundModel& model, const LearnBackgroundOptions& options) {
  if (picture.place().kind == MemoryKind::device) return model.learn(picture, -1);
  VANTAGE_ASSIGN(const Picture there, options.transfer->upload(picture, -1, options.camera));
  return model.learn(there, -1);
}

// Scenes learnt since the program began, by recording, so that a check, the synchronisation and the run after
// them read each recording once. The oldest are dropped first.
class KnownScenes {
 public:
  std::optional<LearntScene> find(uint64_t key) {
    const std::lock_guard lock(mutex_);
    for (const auto& [known, scene] : scenes_)
      if (known == key) return scene;
    return std::nullopt;
  }
  void keep(uint64_t key, const LearntScene& scene) {
    const std::lock_guard lock(mutex_);
    scenes_.emplace_back(key, scene);
    size_t bytes = 0;
    for (const auto& [known, kept] : scenes_) bytes += size_bytes(kept);
    while (scenes_.size() > 1 && bytes > kKeptBytes) {
      bytes -= size_bytes(scenes_.front().second);
      scenes_.pop_front();
    }
  }

 private:
  static constexpr size_t kKeptBytes = size_t{256} << 20;
  static size_t size_bytes(const LearntScene& scene) {
    return scene.dark.size_bytes() + scene.bright.size_bytes() + scene.seen.size_bytes();
  }
  std::mutex mutex_;
  std::deque<std::pair<uint64_t, LearntScene>> scenes_;
};
KnownScenes& known_scenes() {
  static KnownScenes scenes;
  return scenes;
}

// Aligns the pictures of a shaking camera with its view at rest, and leaves out those that cannot be aligned,
// if enough are left. Returns the maximum shift in pixels, 0 where that was not examined.
Result<double> bring_to_rest(Steadying steady, std::vector<SceneSample>* samples) {
  if (steady == Steadying::off) return 0.0;
  std::vector<Picture> pictures;
  for (const SceneSample& sample : *samples) pictures.push_back(sample.picture);
  VANTAGE_ASSIGN(const ShakenView shake, find_shake(pictures));
  if (!shake.rest || (shake.largest_px < kShakes_px && steady == Steadying::automatic))
    return shake.largest_px;
  std::vector<SceneSample> told;
  for (size_t i = 0; i < samples->size(); ++i) {
    if (!shake.offsets[i]) continue;
    SceneSample sample = (*samples)[i];
    if (const auto back = way_back(shake.offsets[i])) {
      VANTAGE_ASSIGN(sample.picture, shifted(sample.picture, *back, HostPool::shared()));
    }
    told.push_back(std::move(sample));
  }
  if (std::ssize(told) >= kMinScenePictures) *samples = std::move(told);
  return shake.largest_px;
}

// The scene's own view is the one at rest: it has no people.
Status find_rest(LearntScene* scene) {
  const ImageView<const uint8_t> dark = scene->dark.plane(0), bright = scene->bright.plane(0);
  VANTAGE_ASSIGN(Image mean, Image::make(ImageType::u8, dark.width, dark.height, HostPool::shared()));
  const ImageView<uint8_t> out = mean.writable_view<uint8_t>();
  for (int y = 0; y < dark.height; ++y)
    for (int x = 0; x < dark.width; ++x)
      out.at(x, y) = static_cast<uint8_t>((dark.at(x, y) + bright.at(x, y) + 1) / 2);
  const int factor = RestView::factor_of(dark.width);
  VANTAGE_ASSIGN(const Image reduced, reduced_mean(mean.view<uint8_t>(), factor, HostPool::shared()));
  scene->rest = std::make_shared<const RestView>(reduced.view<uint8_t>(), factor);
  return {};
}

// Learns every picture of the source, with the changes since then.
Result<int64_t> learn_pictures(VideoSource& source, const SceneChange* change, ForegroundModel& model,
                               const LearnBackgroundOptions& options) {
  int64_t learnt = 0;
  while (!options.enough || !options.enough(learnt)) {
    if (options.stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    Result<DecodedFrame> frame = source.read();
    if (!frame && frame.error().kind == ErrorKind::end_of_stream) break;
    if (!frame) return fail(std::move(frame).error());
    if (!frame->picture) continue;
    Picture picture = frame->picture;
    if (change) {
      VANTAGE_ASSIGN(picture, as_i420(picture));
      VANTAGE_ASSIGN(picture, with_change(picture, *change, learnt));
    }
    VANTAGE_TRY(learn(picture, model, options));
    if (options.see) options.see(picture);
    ++learnt;
  }
  return learnt;
}

// Changes between clip and recording; nothing where they cannot be determined. The clip is rewound
// afterwards.
Result<std::optional<SceneChange>> change_since(const BackgroundFootage& footage,
                                                const LearnBackgroundOptions& options) {
  VideoSource &clip = *footage.clip, &recording = *footage.recording;
  const VideoInfo info = recording.info();
  VANTAGE_ASSIGN(const std::optional<LearntScene> now,
                 scene_of_recording(recording, options.steady, options.stop, kChangePictures, footage.span));
  if (!now || now->rest) return std::optional<SceneChange>();
  const Result<int64_t> count = recording.wait_for_frame_count(options.stop);
  if (!count || info.frame_rate <= 0) return std::optional<SceneChange>();
  const RecordingSpan span = within(footage.span, *count);
  // In a shorter recording people may keep still; it still fills what the clip never showed.
  const bool tells = static_cast<double>(span.end - span.begin) >= kMinChange_s * info.frame_rate;
  if (!tells && !footage.unseen) return std::optional<SceneChange>();
  VANTAGE_ASSIGN(const std::optional<LearntScene> before,
                 scene_of_recording(clip, options.steady, options.stop, kChangePictures));
  VANTAGE_TRY(clip.seek(0));
  if (!before || before->rest || before->dark.format() != now->dark.format())
    return std::optional<SceneChange>();
  VANTAGE_ASSIGN(SceneChange change, find_scene_change(*before, *now, footage.unseen, !tells));
  if (change.share == 0) return std::optional<SceneChange>();
  return std::optional<SceneChange>(std::move(change));
}

Result<LearntBackground> learn_clip(const BackgroundFootage& footage,
                                    const std::optional<SceneChange>& change, ForegroundModel& model,
                                    const LearnBackgroundOptions& options) {
  LearntBackground learnt;
  VANTAGE_ASSIGN(learnt.frames, learn_pictures(*footage.clip, change ? &*change : nullptr, model, options));
  if (learnt.frames == 0 && !(options.enough && options.enough(0)))
    return fail(ErrorKind::bad_data, "the empty-scene clip holds no picture", "",
                "Choose another clip, or none.");
  learnt.shake_px = model.shake_px();
  learnt.changed_share = change ? change->share : 0;
  return learnt;
}

}  // namespace

Result<Picture> as_i420(const Picture& picture) {
  if (picture.format().layout == PictureLayout::i420) return picture;
  PictureFormat format = picture.format();
  format.layout = PictureLayout::i420;
  VANTAGE_ASSIGN(Picture out, Picture::make(format, HostPool::shared()));
  for (int y = 0; y < format.height; ++y)
    std::copy_n(picture.plane(0).row(y), format.width, out.writable_plane(0).row(y));
  for (int y = 0; y < (format.height + 1) / 2; ++y) {
    const uint8_t* pairs = picture.plane(1).row(y);
    for (int x = 0; x < (format.width + 1) / 2; ++x) {
      out.writable_plane(1).row(y)[x] = pairs[2 * x];
      out.writable_plane(2).row(y)[x] = pairs[2 * x + 1];
    }
  }
  return out;
}

Result<std::vector<SceneSample>> scene_samples(VideoSource& recording, const StopSource& stop,
                                               int max_pictures, RecordingSpan span) {
  std::vector<SceneSample> samples;
  const Result<int64_t> count = recording.wait_for_frame_count(stop);
  if (!count && count.error().kind == ErrorKind::cancelled) return fail(count.error());
  if (!count) return samples;
  span = within(span, *count);
  if (span.end - span.begin < kMinScenePictures) return samples;
  for (const int64_t frame : spread_frames(recording, span, max_pictures)) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    if (!recording.seek(frame)) continue;
    Result<DecodedFrame> decoded = recording.read();
    if (!decoded && decoded.error().kind == ErrorKind::cancelled) return fail(std::move(decoded).error());
    // A damaged picture shows content that was never there.
    if (!decoded || !decoded->picture || !decoded->problem.empty()) continue;
    VANTAGE_ASSIGN(Picture picture, as_i420(decoded->picture));
    if (samples.empty() || samples[0].picture.format() == picture.format())
      samples.push_back({std::move(picture), frame});
  }
  if (samples.size() < kMinScenePictures) samples.clear();
  return samples;
}

Result<std::optional<LearntScene>> scene_of_recording(VideoSource& recording, Steadying steady,
                                                      const StopSource& stop, int max_pictures,
                                                      RecordingSpan span) {
  const Result<int64_t> count = recording.wait_for_frame_count(stop);
  if (!count && count.error().kind == ErrorKind::cancelled) return fail(count.error());
  if (!count) return std::optional<LearntScene>();
  const VideoInfo info = recording.info();
  span = within(span, *count);
  Hasher hasher;
  hasher.add(recording.content_hash())
      .add(span.begin)
      .add(span.end)
      .add(info.width_px)
      .add(info.height_px)
      .add(steady)
      .add(max_pictures);
  const uint64_t key = hasher.add(info.conversion).value();
  if (std::optional<LearntScene> known = known_scenes().find(key)) return known;
  VANTAGE_ASSIGN(std::vector<SceneSample> samples, scene_samples(recording, stop, max_pictures, span));
  if (samples.empty()) return std::optional<LearntScene>();
  VANTAGE_ASSIGN(const double shake_px, bring_to_rest(steady, &samples));
  VANTAGE_ASSIGN(LearntScene scene, learn_scene(samples, stop));
  scene.shake_px = shake_px;
  if (shake_px >= kShakes_px || steady == Steadying::on) VANTAGE_TRY(find_rest(&scene));
  known_scenes().keep(key, scene);
  return std::optional<LearntScene>(std::move(scene));
}

Result<int64_t> learn_pictures(VideoSource& source, ForegroundModel& model,
                               const LearnBackgroundOptions& options) {
  return learn_pictures(source, nullptr, model, options);
}

Result<ExaminedFootage> examine_footage(const BackgroundFootage& footage,
                                        const LearnBackgroundOptions& options) {
  ExaminedFootage examined;
  if (!footage.recording || !options.from_recording) return examined;
  if (footage.clip) {
    VANTAGE_ASSIGN(examined.change, change_since(footage, options));
  } else {
    VANTAGE_ASSIGN(examined.scene, scene_of_recording(*footage.recording, options.steady, options.stop,
                                                      options.max_pictures, footage.span));
  }
  return examined;
}

Result<LearntBackground> learn_background(const BackgroundFootage& footage, ForegroundModel& model,
                                          const LearnBackgroundOptions& options) {
  VANTAGE_ASSIGN(ExaminedFootage examined, examine_footage(footage, options));
  return learn_background(footage, std::move(examined), model, options);
}

Result<LearntBackground> learn_background(const BackgroundFootage& footage, ExaminedFootage examined,
                                          ForegroundModel& model, const LearnBackgroundOptions& options) {
  if (footage.clip) return learn_clip(footage, examined.change, model, options);
  LearntBackground learnt;
  learnt.scene = std::move(examined.scene);
  if (!learnt.scene) return learnt;
  learnt.frames = learnt.scene->pictures;
  learnt.shake_px = learnt.scene->shake_px;
  model.follow_shakes(learnt.scene->rest);
  for (int showing = 0; showing < model.showings(); ++showing)
    for (const Picture* picture : {&learnt.scene->dark, &learnt.scene->bright})
      VANTAGE_TRY(learn(*picture, model, options));
  return learnt;
}

}  // namespace vantage
