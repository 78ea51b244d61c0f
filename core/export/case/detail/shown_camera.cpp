#include "core/export/case/detail/shown_camera.h"

#include <utility>

#include "core/display/marked_view.h"
#include "core/export/case/mosaic.h"

namespace vantage::case_detail {
namespace {

// Marks as they are burnt into a picture.
class PictureSurface final : public MarkSurface {
 public:
  PictureSurface(Pen& pen, Picture& picture) : pen_(pen), picture_(picture), format_(picture.format()) {}
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
  const PictureFormat format_;
};

}  // namespace

ShownCamera::ShownCamera(CameraMarks marks) : marks_(std::move(marks)) {}

Result<std::unique_ptr<ShownCamera>> ShownCamera::make(CameraMarks marks) {
  std::unique_ptr<ShownCamera> shown(new ShownCamera(std::move(marks)));
  VANTAGE_ASSIGN(shown->pen_, Pen::make());
  return shown;
}

Result<BlurredPicture> ShownCamera::covered(const Picture& picture, const Image& mask,
                                            const FrameMarks& frame) const {
  BufferPool& pool = HostPool::shared();
  if (!blur_) return covered_picture(picture.width(), picture.height(), BlurDoubt::unknown_people, pool);
  return blur_->cover(mask, frame.people_known ? std::optional(frame.people) : std::nullopt, pool);
}

Result<MarkedPicture> ShownCamera::show(const Picture& picture, const Image& mask, const FrameMarks& frame) {
  BufferPool& pool = HostPool::shared();
  MarkedPicture marked;
  std::string note;
  VANTAGE_ASSIGN(marked.picture, even_i420(picture, pool));
  if (marks_.blur.on) {
    if (const Camera* now = calibration_at(frame.frame); now && now != blurred_for_)
      blur_.emplace(*now, marks_.blur.kept), blurred_for_ = now;
    VANTAGE_ASSIGN(const BlurredPicture blurred, covered(marked.picture, mask, frame));
    marked.doubt = blurred.doubt;
    if (marked.doubt) note = "wholly blurred: " + std::string(blur_doubt_text(*marked.doubt));
    VANTAGE_ASSIGN(marked.picture, pixelated(marked.picture, blurred.levels, pool));
  }
  draw(marked.picture, frame);
  write_line(marked.picture, frame, note);
  return marked;
}

void ShownCamera::draw(Picture& picture, const FrameMarks& frame) const {
  const Camera* camera = calibration_at(frame.frame);
  if (!camera) return;
  const CaseOverlays& wanted = marks_.overlays;
  PictureSurface surface(*pen_, picture);
  const MarkedView view = {surface, camera_view(*camera), MarkSizes::of(picture.height())};
  if (wanted.floor) view.draw_shapes(marks_.zones, marks_.lines);
  if (wanted.trails) view.draw_trails(frame.trails);
  if (!wanted.people) return;
  for (const CasePerson& person : frame.people)
    view.draw_person({person.x_m, person.y_m, 0}, person.height_m, person_rgb(person.id),
                     marks_.label(person.id));
}

void ShownCamera::write_line(Picture& picture, const FrameMarks& frame, const std::string& note) {
  std::vector<std::string> lines = {marks_.name + "   " + frame.moment + "   frame " +
                                    std::to_string(frame.frame)};
  if (!note.empty()) lines.push_back(note);
  int bottom = picture.height();
  for (const std::string& line : lines) {
    int text_px = MarkSizes::of(picture.height()).text_px;
    while (text_px > 6 && pen_->text_width_px(line, text_px) > picture.width()) --text_px;
    bottom -= text_px + text_px / 3;
    pen_->text(picture, line, 0, bottom, text_px, kWhite);
  }
}

}  // namespace vantage::case_detail
