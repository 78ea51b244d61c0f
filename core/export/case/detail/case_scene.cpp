#include "core/export/case/detail/case_scene.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "core/display/marked_view.h"
#include "core/export/case/mosaic.h"
#include "core/geometry/camera.h"
#include "core/pipeline/artifacts.h"

namespace vantage::case_detail {
namespace {

constexpr double kTrail_s = 4;
constexpr int kCrf = 20;

}  // namespace

std::string CaseScene::moment_text(int64_t frame) const {
  return clock ? clock->text(seconds(frame))
               : elapsed_text(seconds(frame)) + " from the start, time of day not known";
}

std::string CaseScene::short_moment_text(int64_t frame) const {
  return clock ? clock->text(seconds(frame)) : elapsed_text(seconds(frame));
}

std::vector<CasePerson> CaseScene::people_at(int64_t frame) const {
  return people ? people->at(frame) : std::vector<CasePerson>();
}

CameraMarks CaseScene::camera_marks(size_t camera) const {
  const ProjectCamera& source = project.cameras[camera];
  return {source.name,
          source.calibration,
          source.later_calibrations,
          project.zones,
          project.lines,
          overlays,
          blur,
          [this](int64_t id) { return label(id); }};
}

std::vector<CameraPose> CaseScene::camera_poses() const {
  std::vector<CameraPose> stands;
  const auto add = [&](const std::string& name, int64_t frame, const Camera& camera) {
    stands.push_back({name, frame, camera.center_in_world_m().head<2>()});
  };
  for (const ProjectCamera& camera : project.cameras) {
    const Camera* present = camera.calibration_at(span.begin);
    add(camera.name, span.begin, *present);
    for (const LaterCalibration& later : camera.later_calibrations) {
      if (later.from_frame <= span.begin || later.from_frame >= span.end) continue;
      if (!only_turned(*present, later.camera)) add(camera.name, later.from_frame, later.camera);
      present = &later.camera;
    }
  }
  return stands;
}

FrameMarks CaseScene::frame_marks(int64_t frame) const {
  FrameMarks marks{frame, moment_text(frame), people_at(frame), people && people->known(frame), {}};
  if (overlays.trails) marks.trails = trails_at(frame);
  return marks;
}

VideoWriterOptions CaseScene::video_options() const {
  VideoWriterOptions options;
  options.frame_rate = frame_rate;
  options.crf = kCrf;
  options.gop_frames = std::max(1, static_cast<int>(std::lround(frame_rate)));
  options.b_frames = 0;  // players that know no edit lists show the first picture in time, too
  options.any_encoder = true;
  return options;
}

void CaseScene::keep_trails() {
  if (people) trails_.set_stored(people->recorded().paths, 0);
}

std::vector<Trail> CaseScene::trails_at(int64_t frame) const {
  return trails_.until(frame, std::lround(kTrail_s * frame_rate), 0, TrailStore::From::results);
}

std::string CaseScene::label(int64_t id) const {
  return people ? person_label(id, people->recorded().names) : person_label(id);
}

std::string file_part(const std::string& name) {
  std::string part;
  for (const char c : name)
    part += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ? c : '_';
  return part.empty() || part[0] == '.' ? "_" + part : part;
}

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

namespace {

Status read_people(CaseScene* scene) {
  const CaseBlur& blur = scene->blur;
  if (blur.on && !scene->project.calibrated())
    return fail(ErrorKind::invalid_argument,
                "people cannot be made unrecognisable without a calibration: their positions are unknown", {},
                "Calibrate the cameras, or export without blur.");
  Result<CasePeople> people = CasePeople::read(scene->project);
  if (people)
    scene->people.emplace(std::move(*people));
  else if (people.error().kind != ErrorKind::not_found || blur.on)
    return fail(people.error().kind == ErrorKind::not_found
                    ? Error{ErrorKind::not_found,
                            "people cannot be made unrecognisable without results: their positions and IDs "
                            "are unknown",
                            scene->project.results_folder().string(), "Analyse the project first."}
                    : people.error());
  for (const int64_t id : blur.kept)
    if (!scene->people || !scene->people->has_person(id))
      return fail(ErrorKind::invalid_argument,
                  "there is no person " + std::to_string(id) + " to keep recognisable", {},
                  "Give the ID as the window and tracks.csv show it.");
  if (blur.on && scene->people) scene->people->keep_names_of(blur.kept);
  return {};
}

}  // namespace

Result<std::unique_ptr<Analysis>> open_span(CaseScene* scene, const SpanRequest& request) {
  if (request.with_people || scene->blur.on) VANTAGE_TRY(read_people(scene));
  AnalysisOptions options;
  options.backends = request.backends;
  options.hardware = request.hardware;
  options.pipeline.cache_bytes = 0;
  options.pipeline.checkpoint_bytes = 0;
  options.pipeline.unseen = UnseenFrames::go_on;
  options.stop = request.stop;
  VANTAGE_ASSIGN(std::unique_ptr<Analysis> analysis, Analysis::open(scene->project, options));
  VANTAGE_ASSIGN(const int64_t count, analysis->source().wait_for_frame_count(request.stop));
  scene->span = {request.span.begin, std::min(request.span.end, count)};
  if (scene->span.begin < 0 || scene->span.begin >= scene->span.end)
    return fail(ErrorKind::invalid_argument, "the span holds no frame",
                std::to_string(request.span.begin) + " to " + std::to_string(request.span.end),
                "The recording has " + std::to_string(count) + " frames.");
  if (scene->blur.on && !scene->people->found_by(scene->span, analysis->pipeline().version(kTrackingStage)))
    return fail(ErrorKind::invalid_argument,
                "these results cannot be used to make people unrecognisable: they were made with another "
                "calibration, other videos or parameters, or on another device",
                scene->project.results_folder().string(), "Analyse the project again.");
  scene->frame_rate = analysis->source().frame_rate();
  scene->keep_trails();
  return analysis;
}

}  // namespace vantage::case_detail
