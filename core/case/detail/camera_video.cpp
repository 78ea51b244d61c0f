#include "core/case/detail/camera_video.h"

#include <algorithm>
#include <cmath>

#include "core/case/mosaic.h"
#include "core/display/marked_view.h"

namespace vantage::case_detail {
namespace {

// Marks as they are burnt into a video's picture.
class PictureSurface final : public MarkSurface {
 public:
  PictureSurface(Pen& pen, Picture& picture, const PictureFormat& format)
      : pen_(pen), picture_(picture), format_(format) {}
  void polyline(std::span<const Eigen::Vector2d> points_px, double width_px,
                const MarkColor& color) override {
    pen_.polyline(picture_, points_px, width_px, ink_of(color, format_));
  }
  void label(const std::string& text, int left, int top, int height_px) override {
    pen_.text(picture_, text, left, top, height_px, kWhite);
  }

 private:
  Pen& pen_;
  Picture& picture_;
  const PictureFormat& format_;
};

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
  std::unique_ptr<CameraVideo> video(new CameraVideo(scene, camera));
  const ProjectCamera& source = video->project_camera();
  video->format_ = even_format(format);
  video->told_.name = source.name;
  VANTAGE_ASSIGN(video->pen_, Pen::make());
  if (scene.blur.on) video->blur_.emplace(*source.calibration, scene.blur.kept);
  VideoWriterOptions options = scene.video_options();
  options.sound = sound_of(scene, source.video, first_s);
  VANTAGE_ASSIGN(video->writer_, VideoWriter::open(file, video->format_, options));
  return video;
}

Result<Picture> CameraVideo::blurred(int64_t frame, const Picture& picture, const Image& mask,
                                     std::string* note) {
  BufferPool& pool = HostPool::shared();
  std::optional<std::vector<CasePerson>> people;
  if (scene_.people && scene_.people->known(frame)) people = scene_.people->at(frame);
  VANTAGE_ASSIGN(const BlurredPicture covered, blur_->cover(mask, people, pool));
  if (covered.doubt) {
    ++told_.fully_blurred;
    ++told_.doubts[*covered.doubt];
    *note = "wholly blurred: " + std::string(blur_doubt_text(*covered.doubt));
  }
  return pixelated(picture, covered.levels, pool);
}

void CameraVideo::draw(Picture& picture, int64_t frame) const {
  const std::optional<Camera>& calibration = project_camera().calibration;
  if (!calibration) return;
  const CaseOverlays& wanted = scene_.overlays;
  const MarkSizes sizes = MarkSizes::of(picture.height());
  PictureSurface surface(*pen_, picture, format_);
  const MarkedView view = {surface, camera_view(*calibration), sizes};
  if (wanted.floor) view.draw_shapes(scene_.project.zones, scene_.project.lines);
  if (wanted.trails) view.draw_trails(scene_.trails_at(frame));
  if (!wanted.people) return;
  for (const CasePerson& person : scene_.people_at(frame))
    view.draw_person({person.x_m, person.y_m, 0}, person.height_m, person_rgb(person.id),
                     scene_.label(person.id));
}

// Name, time and frame at the lower edge, and what is to be known of the picture above it; smaller where it
// would not fit.
void CameraVideo::write_line(Picture& picture, int64_t frame, const std::string& note) {
  std::vector<std::string> lines = {project_camera().name + "   " + scene_.moment_text(frame) + "   frame " +
                                    std::to_string(frame)};
  if (!note.empty()) lines.push_back(note);
  int bottom = picture.height();
  for (const std::string& line : lines) {
    int text_px = MarkSizes::of(picture.height()).text_px;
    while (text_px > 6 && pen_->text_width_px(line, text_px) > picture.width()) --text_px;
    bottom -= text_px + text_px / 3;
    pen_->text(picture, line, 0, bottom, text_px, kWhite);
  }
}

Result<Picture> CameraVideo::add(int64_t frame, const Picture& picture, const Image& mask) {
  BufferPool& pool = HostPool::shared();
  std::string note;
  Picture shown;
  if (!picture) {
    ++told_.without_picture;
    note = "no picture";
    VANTAGE_ASSIGN(shown, blank_picture(format_, kBlack, pool));
  } else {
    VANTAGE_ASSIGN(shown, even_i420(picture, pool));
    if (blur_) {
      VANTAGE_ASSIGN(shown, blurred(frame, shown, mask, &note));
    }
    draw(shown, frame);
  }
  write_line(shown, frame, note);
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
