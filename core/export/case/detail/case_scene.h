// What all parts of an export share.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/display/trails.h"
#include "core/export/case/case_export.h"
#include "core/export/case/detail/shown_camera.h"
#include "core/video/video_writer.h"

namespace vantage::case_detail {

// Where a camera stands from a frame of the span on.
struct CameraStand {
  std::string name;
  int64_t from_frame = 0;
  Eigen::Vector2d at_m = {0, 0};  // on the floor, below its centre
};

struct CaseScene {
  Project project;
  FrameRange span;
  double frame_rate = 0;
  std::optional<RecordingClock> clock;
  std::optional<CasePeople> people;  // nothing: there are no results
  CaseOverlays overlays;
  CaseBlur blur;

  double seconds(int64_t frame) const { return static_cast<double>(frame) / frame_rate; }
  // "2026-05-01 14:32:05.040 +02:00", or "0:12:05.040 from the start, time of day not known".
  std::string moment_text(int64_t frame) const;
  // The same for tables: "0:12:05.040" where the clock is not known.
  std::string short_moment_text(int64_t frame) const;
  std::vector<CasePerson> people_at(int64_t frame) const;
  // "Anna", else "#7"; of who has no ID: "#?".
  std::string label(int64_t id) const;
  // How its cameras' pictures are shown, and what is known of a frame. The scene outlives the former.
  CameraMarks camera_marks(size_t camera) const;
  // Where every camera stands in the span, once for each place: one that was only turned has one. The project
  // is calibrated.
  std::vector<CameraStand> camera_stands() const;
  FrameMarks frame_marks(int64_t frame) const;
  VideoWriterOptions video_options() const;
  void keep_trails();  // for trails_at()
  std::vector<Trail> trails_at(int64_t frame) const;

 private:
  TrailStore trails_;
};

// A name as part of a file name: letters, digits, dots, dashes and underscores.
std::string file_part(const std::string& name);

}  // namespace vantage::case_detail
