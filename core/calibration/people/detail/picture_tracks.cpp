#include <algorithm>
#include <optional>

#include "core/base/assignment.h"
#include "core/calibration/people/detail/floor_camera.h"
#include "core/calibration/people/detail/upright_people.h"
#include "core/calibration/people/person_outlines.h"
#include "core/detections/skeletons.h"
#include "core/fusion/body_box.h"

namespace vantage::footage_detail {
namespace {

constexpr double kSameBox = 0.65;  // overlap of two boxes of one person
constexpr double kNextBox = 0.3;   // minimum overlap of a box with where its track goes on
constexpr double kRivalBox = 0.5;  // share of the best overlap from which another one is a doubt
constexpr double kMaxGap_s = 0.6;
constexpr double kMinApart_s = 0.095, kMinJointsApart_s = 0.035;  // marks of a track, and those with joints
constexpr size_t kMinMarks = 4;
constexpr double kFeetShare = 0.1, kHiddenWidth = 0.3;  // of a box: its feet, and as much of them is hidden

PixelBox pixels(const PersonDetection& box) {
  return {box.left_px, box.top_px, box.left_px + box.width_px, box.top_px + box.height_px};
}

std::vector<PersonDetection> without_doubles(const CameraDetections& frame) {
  std::vector<PersonDetection> all, kept;
  for (const PersonOutline& one : person_boxes(frame)) all.push_back(one.box);
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.score > b.score; });
  for (const PersonDetection& box : all)
    if (box.width_px > 2 && box.height_px > 8 && std::ranges::none_of(kept, [&](const auto& other) {
          return overlap(pixels(box), pixels(other)) > kSameBox;
        }))
      kept.push_back(box);
  return kept;
}

// Another person, nearer to the camera, stands before the lower end of the box: its bottom is where the feet
// are hidden, or a guess.
bool feet_hidden(const PersonDetection& box, const std::vector<PersonDetection>& all) {
  const PixelBox its = pixels(box);
  return std::ranges::any_of(all, [&](const PersonDetection& other) {
    const PixelBox front = pixels(other);
    return front.bottom > its.bottom && front.top < its.bottom - kFeetShare * box.height_px &&
           std::min(front.right, its.right) - std::max(front.left, its.left) > kHiddenWidth * box.width_px;
  });
}

BoxMark box_mark(const PersonDetection& box, bool hidden, const Camera& camera, double time_s) {
  const auto mark = people_calibration_detail::mark_of({box, {}}, camera, 0, 0);
  BoxMark its{time_s, mark.top_px, mark.bottom_px, (mark.left_px + mark.right_px) / 2};
  its.top_std_px = mark.top_std_px, its.middle_std_px = mark.middle_std_px;
  if (!hidden && feet_seen(box)) its.bottom_std_px = mark.bottom_std_px;
  return its;
}

struct OpenTrack {
  PictureTrack track;
  PixelBox box{};
  double time_s = 0;
  double speed_x = 0, speed_y = 0;  // pixels/s

  PixelBox at(double when_s) const {
    const auto x = static_cast<float>(speed_x * (when_s - time_s)),
               y = static_cast<float>(speed_y * (when_s - time_s));
    return {box.left + x, box.top + y, box.right + x, box.bottom + y};
  }
  void go_on(const PixelBox& next, double when_s) {
    const double elapsed_s = std::max(when_s - time_s, 1e-3), gain = std::min(1.0, elapsed_s / 0.4);
    speed_x += gain * ((next.left + next.right - box.left - box.right) / 2 / elapsed_s - speed_x);
    speed_y += gain * ((next.top + next.bottom - box.top - box.bottom) / 2 / elapsed_s - speed_y);
    box = next, time_s = when_s;
  }
  void add(const PersonDetection& person, const std::vector<PersonDetection>& all, const Camera& camera) {
    track.marks.push_back(box_mark(person, feet_hidden(person, all), camera, time_s));
    track.joints.push_back(person.keypoints);
  }
};

}  // namespace

std::vector<PictureTrack> picture_tracks(const FootageCamera& input) {
  PinholeCamera<double> model;
  model.width_px = input.width_px, model.height_px = input.height_px;
  const auto camera = Camera::make(input.name, model);  // for its size alone
  std::vector<PictureTrack> done;
  if (!camera) return done;
  std::vector<OpenTrack> open;
  const auto close = [&](OpenTrack& one) {
    if (one.track.marks.size() >= kMinMarks) done.push_back(std::move(one.track));
  };
  for (size_t f = 0; f < input.frames.size(); ++f) {
    if (!input.frames[f].known) continue;
    const double time_s = static_cast<double>(f) / input.frame_rate;
    const double max_gap_s = std::max(kMaxGap_s, 2.5 / input.frame_rate);
    std::erase_if(open, [&](OpenTrack& one) {
      const bool over = time_s - one.time_s > max_gap_s;
      if (over) close(one);
      return over;
    });
    const std::vector<PersonDetection> boxes = without_doubles(input.frames[f]);
    ScoreMatrix scores(static_cast<int>(open.size()), static_cast<int>(boxes.size()));
    for (size_t t = 0; t < open.size(); ++t)
      for (size_t b = 0; b < boxes.size(); ++b)
        if (const double its = overlap(open[t].at(time_s), pixels(boxes[b])); its > kNextBox)
          scores.at(static_cast<int>(t), static_cast<int>(b)) = its;
    const std::vector<int> assigned =
        open.empty() || boxes.empty() ? std::vector<int>(open.size(), -1) : assign_maximum(scores);
    std::vector<bool> taken(boxes.size(), false), over(open.size(), false);
    for (size_t t = 0; t < open.size(); ++t) {
      const int b = assigned[t];
      const auto row = static_cast<int>(t);
      if (b < 0 || scores.at(row, b) <= 0) continue;
      // Where two people pass each other, tracks end: those who come out may be exchanged.
      bool doubtful = false;
      for (int other = 0; other < scores.columns; ++other)
        doubtful = doubtful || (other != b && scores.at(row, other) > kRivalBox * scores.at(row, b));
      for (int other = 0; other < scores.rows; ++other)
        doubtful = doubtful || (other != row && scores.at(other, b) > kRivalBox * scores.at(row, b));
      if (doubtful) {
        over[t] = true;
        continue;
      }
      taken[b] = true;
      open[t].go_on(pixels(boxes[b]), time_s);
      const double apart_s = boxes[b].keypoints.empty() ? kMinApart_s : kMinJointsApart_s;
      if (time_s - open[t].track.end_s() >= apart_s) open[t].add(boxes[b], boxes, *camera);
    }
    std::vector<OpenTrack> going_on;
    for (size_t t = 0; t < open.size(); ++t)
      if (over[t])
        close(open[t]);
      else
        going_on.push_back(std::move(open[t]));
    open = std::move(going_on);
    for (size_t b = 0; b < boxes.size(); ++b)
      if (!taken[b]) {
        open.push_back({{}, pixels(boxes[b]), time_s});
        open.back().add(boxes[b], boxes, *camera);
      }
  }
  for (OpenTrack& one : open) close(one);
  std::ranges::stable_sort(done, [](const auto& a, const auto& b) { return a.begin_s() < b.begin_s(); });
  return done;
}

Result<Camera> camera_of(const std::string& name, const PictureSize& size, const FloorValues& values) {
  const FloorAxes<double> axes = axes_of(values.data());
  PinholeCamera<double> model;
  model.width_px = static_cast<int>(size.width_px), model.height_px = static_cast<int>(size.height_px);
  model.fx_px = model.fy_px = std::exp(values[kLogFocal]) * size.longer();
  model.cx_px = (size.width_px - 1) / 2 + values[kCentreX] * size.longer();
  model.cy_px = (size.height_px - 1) / 2 + values[kCentreY] * size.longer();
  model.k1 = values[kBend];
  const double* const rows[] = {axes.right, axes.down, axes.ahead};
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < 3; ++i) model.rotation_cam_from_world[3 * row + i] = rows[row][i];
    model.translation_cam_from_world_m[row] =
        -(rows[row][0] * values[kX] + rows[row][1] * values[kY] + rows[row][2] * values[kHeight]);
  }
  return Camera::make(name, model);
}

}  // namespace vantage::footage_detail
