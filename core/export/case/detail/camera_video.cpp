#include "core/export/case/detail/camera_video.h"

#include <utility>

namespace vantage::case_detail {
namespace {

CopiedSound sound_of(const CaseScene& scene, const std::string& video, double first_s) {
  std::error_code none;
  if (first_s < 0 || !std::filesystem::is_regular_file(video, none) || video.ends_with(".segments"))
    return {};
  return {video, first_s, first_s + scene.seconds(scene.span.end - scene.span.begin)};
}

}  // namespace

Result<std::unique_ptr<CameraVideo>> CameraVideo::open(const CaseScene& scene, size_t camera,
                                                       const PictureFormat& format,
                                                       const std::filesystem::path& file, double first_s) {
  std::unique_ptr<CameraVideo> video(new CameraVideo(scene));
  const ProjectCamera& source = scene.project.cameras[camera];
  video->format_ = even_format(format);
  video->told_.name = source.name;
  VANTAGE_ASSIGN(video->shown_, ShownCamera::make(scene.camera_marks(camera)));
  VideoWriterOptions options = scene.video_options();
  options.sound = sound_of(scene, source.video, first_s);
  VANTAGE_ASSIGN(video->writer_, VideoWriter::open(file, video->format_, options));
  return video;
}

Result<Picture> CameraVideo::add(int64_t frame, const Picture& picture, const Image& mask) {
  const FrameMarks marks = scene_.frame_marks(frame);
  Picture shown;
  if (!picture) {
    ++told_.without_picture;
    VANTAGE_ASSIGN(shown, blank_picture(format_, kBlack, HostPool::shared()));
    shown_->write_line(shown, marks, "no picture");
  } else {
    VANTAGE_ASSIGN(MarkedPicture marked, shown_->show(picture, mask, marks));
    shown = std::move(marked.picture);
    if (marked.doubt) ++told_.fully_blurred, ++told_.doubts[*marked.doubt];
  }
  VANTAGE_TRY(writer_->write(shown));
  ++told_.frames;
  return shown;
}

Result<CaseCamera> CameraVideo::finish() {
  VANTAGE_TRY(writer_->finish());
  told_.encoder = writer_->encoder();
  told_.sound = writer_->sound().empty() ? "none copied" : writer_->sound();
  return told_;
}

}  // namespace vantage::case_detail
