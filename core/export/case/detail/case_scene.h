// Types that all parts of an export share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/display/canvas.h"
#include "core/display/trails.h"
#include "core/export/case/blur.h"
#include "core/export/case/case_export.h"
#include "core/geometry/camera.h"
#include "core/geometry/floor_shapes.h"
#include "core/run/analysis.h"
#include "core/video/video_writer.h"

namespace vantage::case_detail {

// One camera's pictures as cases, clips and stills show them: blurred, drawn on, named.

PictureFormat even_format(const PictureFormat& format);
// I420 in host memory with an even width and height: black; or a picture, of which a last odd row or column
// is doubled.
Result<Picture> black_picture(const PictureFormat& format, BufferPool& pool);
Result<Picture> even_i420(const Picture& picture, BufferPool& pool);

// Marks of a camera that are constant over the frames.
struct CameraMarks {
  std::string name;
  std::optional<Camera> calibration;  // nothing: no one is drawn, and the blur covers whole pictures
  std::vector<LaterCalibration> later_calibrations;
  std::vector<FloorZone> zones;
  std::vector<FloorLine> lines;
  CaseOverlays overlays;
  CaseBlur blur;
  std::function<std::string(int64_t id)> label;  // a person's name or ID
};

struct FrameMarks {
  int64_t frame = 0;
  std::string moment;  // its time, for people
  std::vector<CasePerson> people;
  bool people_known = false;  // all of them
  std::vector<Trail> trails;
};

struct MarkedPicture {
  Picture picture;                 // I420, host memory, even sides
  std::optional<BlurDoubt> doubt;  // why it is blurred as a whole
};

// Not thread-safe: one a thread.
class ShownCamera {
 public:
  explicit ShownCamera(CameraMarks marks);

  // `picture` and `mask` (empty: not known) in host memory.
  Result<MarkedPicture> show(const Picture& picture, const Image& mask, const FrameMarks& frame);
  // Name, time and frame at the lower edge, and the note on the picture above it; smaller where it would not
  // fit.
  void write_line(const FrameMarks& frame, const std::string& note, Canvas& canvas) const;
  const CameraMarks& marks() const { return marks_; }

 private:
  Result<BlurredPicture> covered(const Picture& picture, const Image& mask, const FrameMarks& frame) const;
  void draw(const FrameMarks& frame, Canvas& canvas) const;
  const Camera* calibration_at(int64_t frame) const {
    return vantage::calibration_at(marks_.calibration, marks_.later_calibrations, frame);
  }

  const CameraMarks marks_;
  std::optional<Blur> blur_;
  const Camera* blurred_for_ = nullptr;  // the calibration that blur_ has
};

// A camera's position from a frame of the span on.
struct CameraPose {
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
  // "Anna", else "#7"; "#?" of a person without an ID.
  std::string label(int64_t id) const;
  // Marks of a camera's pictures, and of a frame. The scene outlives the former.
  CameraMarks camera_marks(size_t camera) const;
  // Positions of all cameras in the span; a camera that was only turned has one. The project is calibrated.
  std::vector<CameraPose> camera_poses() const;
  FrameMarks frame_marks(int64_t frame) const;
  VideoWriterOptions video_options() const;
  void keep_trails();  // for trails_at()
  std::vector<Trail> trails_at(int64_t frame) const;

 private:
  TrailStore trails_;
};

// A name as part of a file name: letters, digits, dots, dashes and underscores.
std::string file_part(const std::string& name);

// The recording of a span, opened: the start of cases and clips.

struct SpanRequest {
  FrameRange span;          // of the base camera; cut to the recording
  bool with_people = true;  // people are read where there are results; always for the blur
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware;
  StopSource stop;
};

// Fills the scene's people, trails, span and frame rate; its project, overlays and blur are given. Errors:
// invalid_argument (the span holds no frame; a person to keep who is not there; a blur without a calibration
// or by results that do not belong to the recording as it is), not_found (a blur without results), those of
// Analysis::open().
Result<std::unique_ptr<Analysis>> open_span(CaseScene* scene, const SpanRequest& request);

}  // namespace vantage::case_detail
