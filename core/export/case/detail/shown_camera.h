// One camera's pictures as cases, clips and stills show them: blurred, drawn on, named.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/display/trails.h"
#include "core/export/case/blur.h"
#include "core/export/case/case_export.h"
#include "core/export/case/detail/pen.h"
#include "core/geometry/floor_shapes.h"
#include "core/geometry/later_calibration.h"

namespace vantage::case_detail {

// What does not change from frame to frame.
struct CameraMarks {
  std::string name;
  std::optional<Camera> calibration;  // nothing: no one is drawn, and the blur covers whole pictures
  std::vector<LaterCalibration> later_calibrations;
  std::vector<FloorZone> zones;
  std::vector<FloorLine> lines;
  CaseOverlays overlays;
  CaseBlur blur;
  std::function<std::string(int64_t id)> label;  // what a person is called
};

struct FrameMarks {
  int64_t frame = 0;
  std::string moment;  // its time, for people
  std::vector<CasePerson> people;
  bool people_known = false;  // whether they are all
  std::vector<Trail> trails;
};

struct MarkedPicture {
  Picture picture;                 // I420, host memory, even sides
  std::optional<BlurDoubt> doubt;  // why it is blurred as a whole
};

// Not thread-safe: one a thread.
class ShownCamera {
 public:
  // Errors: not_found where the machine has no font.
  static Result<std::unique_ptr<ShownCamera>> make(CameraMarks marks);

  // `picture` and `mask` (empty: not known) in host memory.
  Result<MarkedPicture> show(const Picture& picture, const Image& mask, const FrameMarks& frame);
  // Name, time and frame at the lower edge, and what is to be known of the picture above it; smaller where it
  // would not fit.
  void write_line(Picture& picture, const FrameMarks& frame, const std::string& note);
  const CameraMarks& marks() const { return marks_; }

 private:
  explicit ShownCamera(CameraMarks marks);
  Result<BlurredPicture> covered(const Picture& picture, const Image& mask, const FrameMarks& frame) const;
  void draw(Picture& picture, const FrameMarks& frame) const;
  const Camera* calibration_at(int64_t frame) const {
    return vantage::calibration_at(marks_.calibration, marks_.later_calibrations, frame);
  }

  const CameraMarks marks_;
  std::unique_ptr<Pen> pen_;
  std::optional<Blur> blur_;
  const Camera* blurred_for_ = nullptr;  // the calibration that blur_ has
};

}  // namespace vantage::case_detail
