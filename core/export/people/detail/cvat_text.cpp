// CVAT for video 1.1: a track a person, with a box for each frame of the camera. A box is a key frame unless
// the straight line between the key frames around it is it; `occluded`: the person was not seen there;
// `outside`: gone from there on.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/text.h"
#include "core/export/people/detail/formats.h"

namespace vantage::people_export_detail {
namespace {

constexpr double kAsKeyFrames_px = 0.5;  // by which boxes differ from the line between key frames

struct CvatBox : CameraBox {
  bool key = false;
};

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

// Stretches end where the person is gone.
std::vector<CvatBox> with_key_frames(std::vector<CameraBox> boxes) {
  std::vector<CvatBox> marked;
  for (const CameraBox& box : boxes) marked.push_back({box, box.outside});
  for (size_t begin = 0, i = 0; i < marked.size(); ++i) {
    if (marked[i].outside)
      begin = i + 1;
    else if (i + 1 == marked.size() || marked[i + 1].outside)
      mark_key_frames(marked, begin, i);
  }
  return marked;
}

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

std::string head_text(const std::string& task, const ExportCamera& camera) {
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

std::string cvat_text(const std::string& task, const ExportCamera& camera, const RecordedPeople& people) {
  std::string text = head_text(task, camera);
  for (const PersonPath& path : people.paths) {
    const std::vector<CvatBox> boxes = with_key_frames(boxes_of(camera, people, path));
    const auto name = people.names.find(path.id);
    if (!boxes.empty())
      append_track(path, name == people.names.end() ? std::string() : name->second, boxes, &text);
  }
  return text + "</annotations>\n";
}

}  // namespace vantage::people_export_detail
