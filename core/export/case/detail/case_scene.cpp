#include "core/export/case/detail/case_scene.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
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

PictureFormat even_format(const PictureFormat& format) {
  PictureFormat even = format;
  even.layout = PictureLayout::i420;
  even.width += even.width % 2, even.height += even.height % 2;
  return even;
}

Result<Picture> black_picture(const PictureFormat& format, BufferPool& pool) {
  VANTAGE_ASSIGN(Picture picture, Picture::make(even_format(format), pool));
  VANTAGE_ASSIGN(Canvas canvas, Canvas::over(picture));
  canvas.fill(canvas.whole(), {0, 0, 0});
  return picture;
}

Result<Picture> even_i420(const Picture& picture, BufferPool& pool) {
  VANTAGE_ASSIGN(Picture even, Picture::make(even_format(picture.format()), pool));
  const bool interleaved = picture.format().layout == PictureLayout::nv12;
  for (int p = 0; p < 3; ++p) {
    const ImageView<uint8_t> to = even.writable_plane(p);
    const ImageView<const uint8_t> from = picture.plane(interleaved && p > 0 ? 1 : p);
    const int step = interleaved && p > 0 ? 2 : 1, first = interleaved && p == 2 ? 1 : 0;
    const int width = from.width / step;
    for (int y = 0; y < to.height; ++y) {
      const uint8_t* row = from.row(std::min(y, from.height - 1)) + first;
      if (step == 1) std::memcpy(to.row(y), row, static_cast<size_t>(width));
      for (int x = step == 1 ? width : 0; x < to.width; ++x)
        to.row(y)[x] = row[step * std::min(x, width - 1)];
    }
  }
  return even;
}

ShownCamera::ShownCamera(CameraMarks marks) : marks_(std::move(marks)) {}

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
  VANTAGE_ASSIGN(Canvas canvas, Canvas::over(marked.picture));
  draw(frame, canvas);
  write_line(frame, note, canvas);
  return marked;
}

void ShownCamera::draw(const FrameMarks& frame, Canvas& canvas) const {
  const Camera* camera = calibration_at(frame.frame);
  if (!camera) return;
  const CaseOverlays& wanted = marks_.overlays;
  const MarkedView view = {canvas, camera_view(*camera), MarkSizes::of(canvas.whole().height())};
  if (wanted.floor) view.draw_shapes(marks_.zones, marks_.lines);
  if (wanted.trails) view.draw_trails(frame.trails);
  if (!wanted.people) return;
  for (const CasePerson& person : frame.people)
    view.draw_person({person.x_m, person.y_m, 0}, person.height_m, person_rgb(person.id),
                     marks_.label(person.id));
}

void ShownCamera::write_line(const FrameMarks& frame, const std::string& note, Canvas& canvas) const {
  std::vector<std::string> lines = {marks_.name + "   " + frame.moment + "   frame " +
                                    std::to_string(frame.frame)};
  if (!note.empty()) lines.push_back(note);
  int bottom = canvas.whole().height();
  for (const std::string& line : lines) {
    int text_px = MarkSizes::of(canvas.whole().height()).text_px;
    while (text_px > 6 && Canvas::label_width_px(line, text_px) > canvas.whole().width()) --text_px;
    bottom -= Canvas::label_height_px(text_px);
    canvas.label(line, 0, bottom, text_px);
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
