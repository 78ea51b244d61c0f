// CVAT for video 1.1: a track a person, with a box for each frame of the camera. A box is a key frame unless
// the straight line between the key frames around it is it; `occluded`: the person was not seen there;
// `outside`: gone from there on.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/text.h"
#include "core/display/world_lines.h"
#include "core/export/people/detail/formats.h"

namespace vantage::people_export_detail {
namespace {

constexpr double kAsKeyFrames_px = 0.5;  // by which boxes differ from the line between key frames

struct CvatBox {
  int64_t frame = 0;                                  // the camera's
  Eigen::Vector4d corners = Eigen::Vector4d::Zero();  // left, top, right, bottom
  bool seen = true, outside = false, key = false;
};

std::optional<Eigen::Vector4d> box_in_picture(const Camera& camera, const PathPoint& point) {
  const double height_m = point.height_m > 0 ? point.height_m : kStandingFigure_m;
  const auto box = person_rectangle_px(camera_view(camera), {point.x_m, point.y_m, 0}, height_m);
  if (!box) return std::nullopt;
  const Eigen::AlignedBox2d picture(Eigen::Vector2d(0, 0),
                                    Eigen::Vector2d(camera.width_px(), camera.height_px()));
  const Eigen::AlignedBox2d seen = box->intersection(picture);
  if (seen.isEmpty() || seen.sizes().minCoeff() < 1) return std::nullopt;
  return Eigen::Vector4d(seen.min().x(), seen.min().y(), seen.max().x(), seen.max().y());
}

// Marks the key frames of a stretch, whose ends are some: Douglas and Peucker 1973, over time.
void mark_key_frames(std::vector<CvatBox>& boxes, size_t begin, size_t back) {
  boxes[begin].key = boxes[back].key = true;
  std::vector<std::pair<size_t, size_t>> open = {{begin, back}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    size_t worst = first;
    double most = kAsKeyFrames_px;
    for (size_t i = first + 1; i < last; ++i) {
      const double share = static_cast<double>(boxes[i].frame - boxes[first].frame) /
                           static_cast<double>(boxes[last].frame - boxes[first].frame);
      const Eigen::Vector4d line =
          boxes[first].corners + share * (boxes[last].corners - boxes[first].corners);
      const double off = (boxes[i].corners - line).cwiseAbs().maxCoeff();
      if (off > most) most = off, worst = i;
    }
    if (worst == first) continue;
    boxes[worst].key = true;
    open.emplace_back(first, worst), open.emplace_back(worst, last);
  }
}

class TrackBoxes {
 public:
  TrackBoxes(const CvatCamera& camera, const RecordedPeople& people, const PersonPath& path)
      : camera_(camera), last_known_(own_frame(people.frames.empty() ? 0 : people.frames.back())) {
    for (const auto& [first, end] : runs_of(path, people.frame_rate)) add_run(path, first, end);
  }
  std::vector<CvatBox> boxes;

 private:
  int64_t own_frame(int64_t base) const {
    return std::llround(camera_frame_at(*camera_.camera, static_cast<double>(base), camera_.rate_ratio));
  }
  bool exists(int64_t frame) const {
    return frame >= 0 && (camera_.frames ? frame < *camera_.frames : frame <= last_known_);
  }
  bool shown() const { return !boxes.empty() && !boxes.back().outside; }

  // Several frames of the base may be one of the camera's.
  void add(int64_t frame, const std::optional<Eigen::Vector4d>& corners, bool seen) {
    if (!exists(frame) || (!boxes.empty() && frame <= boxes.back().frame)) return;
    if (corners) {
      if (!shown()) begin_ = boxes.size();
      boxes.push_back({frame, *corners, seen});
    } else if (shown()) {
      mark_key_frames(boxes, begin_, boxes.size() - 1);
      CvatBox gone = boxes.back();
      gone.frame = frame, gone.outside = gone.key = true;
      boxes.push_back(gone);
    }
  }
  void add_run(const PersonPath& path, size_t first, size_t end) {
    for (size_t i = first; i < end; ++i) {
      const PathPoint point = path.points[i];
      const Camera* camera = camera_.camera->calibration_at(point.frame);
      add(own_frame(point.frame), box_in_picture(*camera, point), point.seen);
    }
    if (!shown()) return;
    add(std::max(boxes.back().frame + 1, own_frame(path.points.frame(end - 1) + 1)), {}, false);
    if (shown()) mark_key_frames(boxes, begin_, boxes.size() - 1);  // until the video's end
  }

  const CvatCamera& camera_;
  const int64_t last_known_;
  size_t begin_ = 0;  // of the stretch that is shown
};

void append_attribute(const char* name, const std::string& value, std::string* text) {
  *text += fmt::format("      <attribute name=\"{}\">{}</attribute>\n", name, xml_escaped(value));
}

void append_track(const PersonPath& path, const std::string& name, const std::vector<CvatBox>& boxes,
                  std::string* text) {
  *text += fmt::format("  <track id=\"{}\" label=\"person\" source=\"auto\">\n", path.id);
  for (const CvatBox& box : boxes) {
    *text += fmt::format(
        "    <box frame=\"{}\" outside=\"{:d}\" occluded=\"{:d}\" keyframe=\"{:d}\" xtl=\"{:.2f}\" "
        "ytl=\"{:.2f}\" xbr=\"{:.2f}\" ybr=\"{:.2f}\" z_order=\"0\">\n",
        box.frame, box.outside, !box.seen, box.key, box.corners[0], box.corners[1], box.corners[2],
        box.corners[3]);
    append_attribute("id", std::to_string(path.id), text);
    append_attribute("name", name, text);
    *text += "    </box>\n";
  }
  *text += "  </track>\n";
}

std::string head_text(const std::string& task, const CvatCamera& camera) {
  std::string text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<annotations>\n  <version>1.1</version>\n";
  text += "  <meta>\n    <task>\n      <name>" + xml_escaped(task) + "</name>\n";
  if (camera.frames)
    text += fmt::format(
        "      <size>{}</size>\n      <start_frame>0</start_frame>\n"
        "      <stop_frame>{}</stop_frame>\n",
        *camera.frames, *camera.frames - 1);
  text +=
      "      <mode>interpolation</mode>\n      <labels>\n        <label>\n          <name>person</name>\n"
      "          <attributes>\n";
  for (const char* attribute : {"id", "name"})
    text += fmt::format(
        "            <attribute><name>{}</name><mutable>False</mutable><input_type>text"
        "</input_type><default_value></default_value><values></values></attribute>\n",
        attribute);
  const Camera& calibration = *camera.camera->calibration;
  return text + fmt::format(
                    "          </attributes>\n        </label>\n      </labels>\n      <original_size>"
                    "<width>{}</width><height>{}</height></original_size>\n    </task>\n  </meta>\n",
                    calibration.width_px(), calibration.height_px());
}

}  // namespace

std::string cvat_text(const std::string& task, const CvatCamera& camera, const RecordedPeople& people) {
  std::string text = head_text(task, camera);
  for (const PersonPath& path : people.paths) {
    const TrackBoxes track(camera, people, path);
    const auto name = people.names.find(path.id);
    if (!track.boxes.empty())
      append_track(path, name == people.names.end() ? std::string() : name->second, track.boxes, &text);
  }
  return text + "</annotations>\n";
}

}  // namespace vantage::people_export_detail
