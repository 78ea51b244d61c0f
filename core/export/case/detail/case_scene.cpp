#include "core/export/case/detail/case_scene.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/geometry/camera_change.h"

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

std::vector<CameraStand> CaseScene::camera_stands() const {
  std::vector<CameraStand> stands;
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

}  // namespace vantage::case_detail
