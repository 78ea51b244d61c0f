#include "core/setup/alignment/collect.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/clock.h"
#include "core/foreground/foreground.h"
#include "core/foreground/methods.h"
#include "core/foreground/steady_model.h"
#include "core/image/backend/memory_transfer.h"
#include "core/pipeline/background.h"
#include "core/project/span_footage.h"
#include "core/sync/coarse_signals.h"
#include "core/sync/epipolar.h"
#include "core/sync/signatures.h"

namespace vantage {
namespace {

constexpr double kMaxMotion_s = 300;  // more of what moves tells nothing new

struct CameraInput {
  std::unique_ptr<VideoSource> source;
  std::unique_ptr<ForegroundModel> model;  // null: motion alone
  ColorMotion motion;
  int64_t learnt = 0;      // of its own first frames
  RecordingSpan compared;  // its own frames in which it stands as the lines have it
  bool has_background = false, ended = false;
};

class Collector {
 public:
  Collector(const Project& project, const CollectOptions& options) : project_(project), options_(options) {}

  Result<CollectedSignals> run() {
    parameters_ = project_.parameters.get<ForegroundParameters>();
    with_lines_ = options_.lines && project_.calibrated() && project_.cameras.size() > 1;
    VANTAGE_ASSIGN(transfer_, options_.backends.create<MemoryTransfer>({}));
    VANTAGE_TRY(open());
    if (with_lines_) VANTAGE_TRY(choose_lines());
    int64_t total = options_.max_frames;
    for (const CameraInput& camera : cameras_)
      if (const int64_t count = camera.source->info().frame_count; count > 0)
        total = std::min(total, count - options_.first_frame);
    for (int64_t n = 0; n < options_.max_frames; ++n) {
      if (options_.stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
      VANTAGE_ASSIGN(const bool more, read_frame(n));
      if (!more) break;
      out_.frames = n + 1;
      if (options_.progress) options_.progress(n + 1, std::max(total, n + 1));
    }
    return std::move(out_);
  }

 private:
  Status open() {
    for (size_t c = 0; c < project_.cameras.size(); ++c) {
      CameraInput& camera = cameras_.emplace_back();
      const ProjectCamera& described = project_.cameras[c];
      camera.motion = ColorMotion(described.ignored);
      VANTAGE_ASSIGN(camera.source, open_video(described.video, video_options(c)));
      const VideoInfo info = camera.source->info();
      const double otherwise = c == 0 ? kUnknownFrameRate : out_.frame_rates[0];
      out_.frame_rates.push_back(effective_frame_rate(described.frame_rate, info.frame_rate, otherwise));
      out_.motion.emplace_back().lines = ColorMotion::kLines;
      if (options_.first_frame > 0) VANTAGE_TRY(camera.source->seek(options_.first_frame));
      if (!with_lines_) continue;
      if (c == 0) choose_span(info.frame_count);
      VANTAGE_TRY(
          check_calibration_size(*described.calibration, described.name, info.width_px, info.height_px));
      const int index = static_cast<int>(c);
      VANTAGE_ASSIGN(camera.model, make_steady_model(options_.backends, foreground_method(parameters_).name,
                                                     index, described.ignored));
      camera.model->set_parameters(project_.parameters);
      VANTAGE_TRY(learn_scene(c));
    }
    return {};
  }

  // The time whose calibrations lines are of.
  void choose_span(int64_t frame_count) {
    int64_t end = frame_count > 0 ? frame_count : INT64_MAX;
    if (options_.max_frames < end - options_.first_frame) end = options_.first_frame + options_.max_frames;
    span_ = span_with_most(project_, options_.first_frame, end);
    if (span_.begin <= options_.first_frame && span_.end >= end) return;
    const int64_t last = std::min(span_.end, end) - 1;
    out_.notes.push_back(fmt::format(
        "Cameras have other poses in other frames: epipolar lines are compared in frames {} to {} alone.",
        std::max(span_.begin, options_.first_frame), last));
  }

  double rate_ratio(size_t camera) const { return out_.frame_rates[camera] / out_.frame_rates[0]; }

  VideoOpenOptions video_options(size_t camera) const {
    VideoOpenOptions how;
    how.hardware = options_.hardware;
    how.trace = options_.backends.context.trace;
    how.camera = static_cast<int>(camera);
    how.stop = options_.stop;
    return how;
  }

  // In the device's memory.
  Result<Picture> placed(Picture picture, int64_t frame, size_t camera) {
    if (picture.place().kind == MemoryKind::device) return picture;
    return transfer_->upload(picture, frame, static_cast<int>(camera));
  }

  // As a run does, so that both see the same. Where nothing was learnt, from the camera's own first frames,
  // later on.
  Status learn_scene(size_t c) {
    const ProjectCamera& described = project_.cameras[c];
    VideoOpenOptions how = video_options(c);
    how.hardware = nullptr;
    VANTAGE_ASSIGN(const BackgroundFootage footage, footage_in_span(described, span_, rate_ratio(c), how));
    cameras_[c].compared = frames_in_span(described, span_, rate_ratio(c));
    LearnBackgroundOptions learn;
    learn.transfer = transfer_.get();
    learn.camera = static_cast<int>(c);
    learn.from_recording = parameters_.whole_recording;
    learn.steady = parameters_.steady;
    learn.stop = options_.stop;
    VANTAGE_ASSIGN(const LearntBackground learnt, learn_background(footage, *cameras_[c].model, learn));
    cameras_[c].has_background = learnt.frames > 0;
    return {};
  }

  Status choose_lines() {
    EpipolarPairs line_pairs =
        choose_epipolar_pairs(project_, project_.parameters.get<SyncParameters>().lines, span_.begin);
    out_.pairs = std::move(line_pairs.pairs);
    out_.lines = std::move(line_pairs.lines);
    rows_of_ = std::move(line_pairs.extracted);
    if (line_pairs.arguments.pairs.empty()) return {};
    VANTAGE_ASSIGN(extractor_, options_.backends.create<SignatureExtractor>(line_pairs.arguments));
    return {};
  }

  // Frame n of every camera; false when all have ended.
  Result<bool> read_frame(int64_t n) {
    std::vector<Image> indicators(cameras_.size());
    std::vector<Status> statuses(cameras_.size());
    std::vector<uint8_t> compared(cameras_.size(), 0);
    const auto one = [&](size_t c) { statuses[c] = read_camera(c, n, &indicators[c], &compared[c]); };
    if (!options_.backends.on_gpu())
      tbb::parallel_for(size_t{0}, cameras_.size(), one);
    else
      for (size_t c = 0; c < cameras_.size(); ++c) one(c);
    for (size_t c = 0; c < cameras_.size(); ++c)
      if (!statuses[c]) return fail(statuses[c].error());
    if (extractor_) VANTAGE_TRY(take_sums(indicators, compared, n));
    return std::any_of(cameras_.begin(), cameras_.end(), [](const CameraInput& c) { return !c.ended; });
  }

  Status read_camera(size_t c, int64_t n, Image* indicator, uint8_t* compared) {
    CameraInput& camera = cameras_[c];
    if (camera.ended) return {};
    if (!extractor_ && moved_enough(c)) {
      camera.ended = true;
      return {};
    }
    Result<DecodedFrame> frame = camera.source->read();
    if (!frame) {
      const ErrorKind kind = frame.error().kind;
      if (kind == ErrorKind::cancelled || kind == ErrorKind::device_lost || kind == ErrorKind::out_of_memory)
        return fail(std::move(frame).error());
      camera.ended = true;
      return {};
    }
    const bool has_picture = static_cast<bool>(frame->picture);
    VANTAGE_TRY(take_motion(frame->picture, c, n));
    const int64_t own = options_.first_frame + n;
    if (!has_picture || !camera.model || own < camera.compared.begin || own >= camera.compared.end) return {};
    VANTAGE_ASSIGN(const Picture picture, placed(std::move(frame->picture), n, c));
    if (!camera.has_background && camera.learnt < parameters_.learning_frames) {
      ++camera.learnt;
      return camera.model->learn(picture, n);
    }
    VANTAGE_ASSIGN(const ForegroundImages images, camera.model->apply(picture, n));
    *indicator = images.indicator;
    *compared = 1;
    return {};
  }

  // Recordings that are compared by motion alone are read no further than that takes.
  bool moved_enough(size_t c) const {
    return static_cast<double>(out_.motion[c].frames()) >= kMaxMotion_s * out_.frame_rates[c];
  }

  Status take_motion(const Picture& picture, size_t c, int64_t n) {
    if (moved_enough(c)) return {};
    CameraInput& camera = cameras_[c];
    bool compared = false;
    if (picture) {
      Picture host = picture;
      if (host.place().kind == MemoryKind::device) {
        VANTAGE_ASSIGN(host, transfer_->download(picture, n, static_cast<int>(c)));
      }
      compared = camera.motion.next(host);
    } else {
      camera.motion.forget();
    }
    LineSignals& motion = out_.motion[c];
    const std::span<const float> lines = camera.motion.lines();
    motion.values.insert(motion.values.end(), lines.begin(), lines.end());
    motion.valid.push_back(compared);
    return {};
  }

  Status take_sums(const std::vector<Image>& indicators, const std::vector<uint8_t>& compared, int64_t n) {
    VANTAGE_ASSIGN(Image sums, extractor_->extract(indicators, n));
    VANTAGE_ASSIGN(sums, transfer_->download(sums, n, -1));
    const ImageView<const uint32_t> view = sums.view<uint32_t>();
    for (size_t p = 0; p < rows_of_.size(); ++p) {
      PairSignals& pair = out_.pairs[rows_of_[p]];
      take_row(view.row(static_cast<int>(2 * p)), pair.first, compared, &pair.a);
      take_row(view.row(static_cast<int>(2 * p + 1)), pair.second, compared, &pair.b);
    }
    return {};
  }

  void take_row(const uint32_t* row, int camera, const std::vector<uint8_t>& compared,
                LineSignals* to) const {
    const auto c = static_cast<size_t>(camera);
    if (!cameras_[c].ended) append_sums(row, compared[c] != 0, to);
  }

  const Project& project_;
  const CollectOptions& options_;
  ForegroundParameters parameters_;
  bool with_lines_ = false;
  StandingSpan span_;  // with lines: in which they are compared
  std::unique_ptr<MemoryTransfer> transfer_;
  std::vector<CameraInput> cameras_;
  std::unique_ptr<SignatureExtractor> extractor_;
  std::vector<size_t> rows_of_;  // of the extractor's pairs: which of out_.pairs
  CollectedSignals out_;
};

}  // namespace

Result<CollectedSignals> collect_signals(const Project& project, const CollectOptions& options) {
  return Collector(project, options).run();
}

namespace {

constexpr double kMinOverlap = 0.02;  // of the tracked volume
constexpr double kVolumeVoxel_m = 0.1;

// The box people are tracked in: the project's, or what the two cameras see in common.
Result<VoxelGrid> volume_of(const Project& project, const Camera& a, const Camera& b) {
  if (project.grid) return *project.grid;
  return fit_grid_to_common_view({a, b}, kVolumeVoxel_m, kDefaultGridHeight_m, 2);
}

}  // namespace

EpipolarPairs choose_epipolar_pairs(const Project& project, int lines, int64_t frame) {
  EpipolarPairs out;
  const std::vector<Camera> cameras = project.calibrations(frame);
  for (const Camera& camera : cameras) out.arguments.cameras.push_back(camera.model());
  for (size_t i = 0; i < cameras.size(); ++i)
    for (size_t j = i + 1; j < cameras.size(); ++j) {
      PairSignals& pair = out.pairs.emplace_back();
      pair.first = static_cast<int>(i), pair.second = static_cast<int>(j);
      EpipolarLinePairs& kept = out.lines.emplace_back();
      EpipolarLines line_pairs;
      if (const auto volume = volume_of(project, cameras[i], cameras[j]))
        line_pairs = choose_epipolar_lines(cameras[i], cameras[j], *volume, lines);
      if (line_pairs.overlap < kMinOverlap || line_pairs.first.empty()) {
        pair.impossible = fmt::format("too little overlap: both cameras see {:.1f} % of the volume",
                                      100 * line_pairs.overlap);
        continue;
      }
      pair.a.lines = pair.b.lines = lines;
      kept = {line_pairs.first, line_pairs.second};
      out.arguments.pairs.push_back({pair.first, pair.second, line_pairs.first, line_pairs.second});
      out.extracted.push_back(out.pairs.size() - 1);
    }
  return out;
}

void append_sums(const uint32_t* sums, bool valid, LineSignals* to) {
  for (int r = 0; r < to->lines; ++r)
    to->values.push_back(sums[r] == kNoSignature ? 0.0f : static_cast<float>(sums[r]) / 255.0f);
  to->valid.push_back(valid);
}

}  // namespace vantage
