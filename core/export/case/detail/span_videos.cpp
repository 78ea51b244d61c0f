#include "core/export/case/detail/span_videos.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>

#include "core/base/file.h"
#include "core/export/case/detail/camera_video.h"
#include "core/export/case/detail/grid_video.h"
#include "core/export/case/detail/pen.h"
#include "core/image/backend/memory_transfer.h"
#include "core/video/working_colors.h"

namespace vantage::case_detail {
namespace {

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
  std::vector<SpanVideo> told_;
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
    SpanVideo& told = told_.emplace_back();
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
    camera.video = told_[i].camera.video;
    told_[i].camera = std::move(camera);
  }
  if (grid_) VANTAGE_TRY(grid_->finish());
  return std::move(told_);
}

}  // namespace

Result<std::vector<SpanVideo>> write_span_videos(const CaseScene& scene, Analysis& analysis,
                                                 const SpanVideosOptions& options) {
  return SpanWriter(scene, analysis, options).write();
}

}  // namespace vantage::case_detail
