#include "core/export/case/detail/span_videos.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "core/base/file.h"
#include "core/export/case/detail/case_scene.h"
#include "core/export/case/mosaic.h"
#include "core/image/backend/memory_transfer.h"
#include "core/video/file_list.h"
#include "core/video/video_source.h"
#include "core/video/video_writer.h"
#include "core/video/working_colors.h"

namespace vantage::case_detail {
namespace {

// One camera's video of a case: each picture blurred, drawn on, named and encoded.

class CameraVideo {
 public:
  // `format`: of the camera's pictures. `first_s`: when its first picture of the span is shown, in its own
  // file; -1: not known, and there is no sound. `scene` outlives this.
  static Result<std::unique_ptr<CameraVideo>> open(const CaseScene& scene, size_t camera,
                                                   const PictureFormat& format,
                                                   const std::filesystem::path& file, double first_s);

  // The next frame; `picture` in host memory, empty where the camera has none; `mask` likewise. Returns what
  // was encoded.
  Result<Picture> add(int64_t frame, const Picture& picture, const Image& mask);
  // `video` of what it returns is left to the caller.
  Result<CaseCamera> finish();

 private:
  CameraVideo(const CaseScene& scene, size_t camera) : scene_(scene), shown_(scene.camera_marks(camera)) {}

  const CaseScene& scene_;
  ShownCamera shown_;
  std::unique_ptr<VideoWriter> writer_;
  PictureFormat format_;  // of the video
  CaseCamera report_;
};

CopiedSound sound_of(const CaseScene& scene, const std::string& video, double first_s) {
  if (first_s < 0 || !(is_one_file(video) || names_file_list(video))) return {};
  return {video, first_s, first_s + scene.seconds(scene.span.end - scene.span.begin)};
}

Result<std::unique_ptr<CameraVideo>> CameraVideo::open(const CaseScene& scene, size_t camera,
                                                       const PictureFormat& format,
                                                       const std::filesystem::path& file, double first_s) {
  std::unique_ptr<CameraVideo> video(new CameraVideo(scene, camera));
  const ProjectCamera& source = scene.project.cameras[camera];
  video->format_ = even_format(format);
  video->report_.name = source.name;
  VideoWriterOptions options = scene.video_options();
  options.sound = sound_of(scene, source.video, first_s);
  VANTAGE_ASSIGN(video->writer_, VideoWriter::open(file, video->format_, options));
  return video;
}

Result<Picture> CameraVideo::add(int64_t frame, const Picture& picture, const Image& mask) {
  const FrameMarks marks = scene_.frame_marks(frame);
  Picture shown;
  if (!picture) {
    ++report_.without_picture;
    VANTAGE_ASSIGN(shown, black_picture(format_, HostPool::shared()));
    VANTAGE_ASSIGN(Canvas canvas, Canvas::over(shown));
    shown_.write_line(marks, "no picture", canvas);
  } else {
    VANTAGE_ASSIGN(MarkedPicture marked, shown_.show(picture, mask, marks));
    shown = std::move(marked.picture);
    if (marked.doubt) ++report_.fully_blurred, ++report_.doubts[*marked.doubt];
  }
  VANTAGE_TRY(writer_->write(shown));
  ++report_.frames;
  return shown;
}

Result<CaseCamera> CameraVideo::finish() {
  VANTAGE_TRY(writer_->finish());
  report_.encoder = writer_->encoder();
  report_.sound = writer_->sound().empty() ? "none copied" : writer_->sound();
  return report_;
}

class SpanWriter {
 public:
  SpanWriter(const CaseScene& scene, Analysis& analysis, const SpanVideosOptions& options)
      : scene_(scene), analysis_(analysis), options_(options) {}

  Result<std::vector<SpanVideo>> write();

 private:
  Status open(const FrameResult& first);
  Status add(const FrameResult& result);

  const CaseScene& scene_;
  Analysis& analysis_;
  const SpanVideosOptions& options_;
  std::unique_ptr<MemoryTransfer> transfer_;
  std::vector<std::unique_ptr<CameraVideo>> videos_;
  std::unique_ptr<GridVideo> grid_;
  std::vector<SpanVideo> report_;
};

// Sound is copied from where the first pictures lie in the files.
Status SpanWriter::open(const FrameResult& first) {
  VANTAGE_TRY(make_folder(options_.folder));
  std::vector<PictureFormat> formats;
  std::set<std::string> names;
  for (const size_t camera : options_.cameras) {
    const VideoInfo info = analysis_.source().info(static_cast<int>(camera));
    PictureFormat format = working_format({PictureLayout::i420, info.width_px, info.height_px});
    std::string name = file_part(scene_.project.cameras[camera].name);
    while (!names.insert(name).second) name += "_";
    SpanVideo& told = report_.emplace_back();
    told.camera.video = name + ".mp4";
    const CameraFrame& shown = first.frames()->cameras[camera];
    const bool has_time = shown.picture && shown.time_ns >= 0;
    told.first_s = has_time ? static_cast<double>(shown.time_ns) * 1e-9 : -1;
    VANTAGE_ASSIGN(auto video, CameraVideo::open(scene_, camera, format, options_.folder / told.camera.video,
                                                 options_.sound ? told.first_s : -1));
    videos_.push_back(std::move(video));
    formats.push_back(even_format(format));
  }
  if (options_.grid) {
    VANTAGE_ASSIGN(grid_, GridVideo::open(scene_, formats, options_.folder / "all_cameras.mp4"));
  }
  return {};
}

Status SpanWriter::add(const FrameResult& result) {
  std::vector<Image> masks;
  if (scene_.blur.on && result.foreground()) {
    const Result<std::vector<Image>>& found = result.foreground()->host_masks.get();
    if (!found) return fail(found.error());
    masks = *found;
  }
  std::vector<Status> statuses(videos_.size());
  std::vector<Picture> shown(videos_.size());
  std::vector<Picture> pictures;
  for (const size_t camera : options_.cameras) {
    const Picture& picture = result.frames()->cameras[camera].picture;
    Picture& host = pictures.emplace_back();
    if (!picture) continue;
    VANTAGE_ASSIGN(host, transfer_->download(picture, result.frame, static_cast<int>(camera)));
  }
  tbb::parallel_for(size_t{0}, videos_.size(), [&](size_t i) {
    const size_t camera = options_.cameras[i];
    Result<Picture> added =
        videos_[i]->add(result.frame, pictures[i], camera < masks.size() ? masks[camera] : Image());
    if (added)
      shown[i] = std::move(*added);
    else
      statuses[i] = fail(added.error());
  });
  for (Status& status : statuses) VANTAGE_TRY(status);
  const int64_t middle = scene_.span.begin + (scene_.span.end - scene_.span.begin) / 2;
  if (options_.middle && result.frame == middle) VANTAGE_TRY(options_.middle(shown));
  return grid_ ? grid_->add(result.frame, shown) : Status();
}

Result<std::vector<SpanVideo>> SpanWriter::write() {
  VANTAGE_ASSIGN(transfer_, options_.backends.create<MemoryTransfer>({}));
  const auto warm_up = scene_.blur.on ? std::llround(kBlurWarmUp_s * scene_.frame_rate) : 0;
  const int64_t begin = std::max<int64_t>(0, scene_.span.begin - warm_up);
  FrameEffort effort;
  effort.last_stage = scene_.blur.on ? kForegroundStage : kVideoStage;
  for (int64_t frame = begin; frame < scene_.span.end; ++frame) {
    if (options_.stop.stop_requested())
      return fail(ErrorKind::cancelled, "the export was stopped; nothing was kept");
    VANTAGE_ASSIGN(const FrameResultRef result, analysis_.pipeline().frame(frame, effort, options_.stop));
    if (frame == scene_.span.begin) VANTAGE_TRY(open(*result));
    if (frame >= scene_.span.begin) VANTAGE_TRY(add(*result));
    if (options_.progress) options_.progress(frame + 1 - begin, scene_.span.end - begin);
  }
  for (size_t i = 0; i < videos_.size(); ++i) {
    VANTAGE_ASSIGN(CaseCamera camera, videos_[i]->finish());
    camera.video = report_[i].camera.video;
    report_[i].camera = std::move(camera);
  }
  if (grid_) VANTAGE_TRY(grid_->finish());
  return std::move(report_);
}

}  // namespace

Result<std::vector<SpanVideo>> write_span_videos(const CaseScene& scene, Analysis& analysis,
                                                 const SpanVideosOptions& options) {
  return SpanWriter(scene, analysis, options).write();
}

}  // namespace vantage::case_detail
