#include "core/results/skeleton_files.h"

#include <cctype>

#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/project/json_parts.h"

namespace vantage {
namespace {

using nlohmann::ordered_json;
using project_detail::rounded;

double time_s(const RecordedSkeletons& recording, int64_t frame) {
  return static_cast<double>(frame) / recording.frame_rate;
}

ordered_json frame_json(const SkeletonFrame& frame) {
  ordered_json joints = ordered_json::array();
  for (const auto& joint : frame.skeleton.joints) {
    if (!joint) {
      joints.push_back(nullptr);
      continue;
    }
    joints.push_back({{"x_m", rounded(joint->point_in_world_m.x())},
                      {"y_m", rounded(joint->point_in_world_m.y())},
                      {"z_m", rounded(joint->point_in_world_m.z())},
                      {"deviation_m", rounded(joint->deviation_m())},
                      {"confidence", rounded(joint->confidence)},
                      {"cameras", joint->cameras}});
  }
  return {{"frame", frame.frame}, {"joints", joints}};
}

}  // namespace

std::string marker_name(std::string_view joint) {
  if (joint == "hip") return "CHip";
  std::string name;
  for (const std::string_view side : {"left_", "right_"}) {
    if (!joint.starts_with(side)) continue;
    name = static_cast<char>(std::toupper(side.front()));
    joint.remove_prefix(side.size());
  }
  bool starts = true;
  for (const char c : joint) {
    if (c != '_') name += starts ? static_cast<char>(std::toupper(c)) : c;
    starts = c == '_';
  }
  return name;
}

std::string trc_text(const RecordedSkeletons& recording, const SkeletonTrack& person,
                     const std::string& name) {
  const auto& names = person.layout->joints;
  const int64_t frames = recording.end_frame - recording.first_frame;
  std::string text =
      "PathFileType\t4\t(X/Y/Z)\t" + name +
      "\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\t"
      "OrigNumFrames\n";
  text += formatted("%g\t%g\t%lld\t%zu\tm\t%g\t%lld\t%lld\n", recording.frame_rate, recording.frame_rate,
                    static_cast<long long>(frames), names.size(), recording.frame_rate,
                    static_cast<long long>(recording.first_frame), static_cast<long long>(frames));
  text += "Frame#\tTime";
  for (const std::string_view joint : names) text += '\t' + marker_name(joint) + "\t\t";
  text += "\n\t";
  for (size_t i = 1; i <= names.size(); ++i) text += formatted("\tX%zu\tY%zu\tZ%zu", i, i, i);
  text += "\n\n";
  auto next = person.frames.begin();
  for (int64_t frame = recording.first_frame; frame < recording.end_frame; ++frame) {
    text += formatted("%lld\t%.6f", static_cast<long long>(frame), time_s(recording, frame));
    const bool here = next != person.frames.end() && next->frame == frame;
    for (size_t i = 0; i < names.size(); ++i) {
      const auto* joint = here && next->skeleton.joints[i] ? &*next->skeleton.joints[i] : nullptr;
      if (!joint) {
        text += "\t\t\t";
        continue;
      }
      const Eigen::Vector3d& at = joint->point_in_world_m;
      text += formatted("\t%.5f\t%.5f\t%.5f", at.y(), at.z(), at.x());
    }
    text += '\n';
    if (here) ++next;
  }
  return text;
}

std::string skeletons_csv(const RecordedSkeletons& recording) {
  std::string text = "frame,time_s,id,joint,x_m,y_m,z_m,deviation_m,confidence,cameras\n";
  for (const SkeletonTrack& person : recording.people)
    for (const auto& [frame, skeleton] : person.frames)
      for (size_t i = 0; i < skeleton.joints.size(); ++i) {
        if (!skeleton.joints[i]) continue;
        const SceneJoint& joint = *skeleton.joints[i];
        const Eigen::Vector3d& at = joint.point_in_world_m;
        text += formatted("%lld,%.6f,%lld,%s,%.5f,%.5f,%.5f,%.5f,%.3f,%zu\n", static_cast<long long>(frame),
                          time_s(recording, frame), static_cast<long long>(person.id),
                          std::string(skeleton.layout->joints[i]).c_str(), at.x(), at.y(), at.z(),
                          joint.deviation_m(), joint.confidence, joint.cameras.size());
      }
  return text;
}

std::string skeletons_json(const RecordedSkeletons& recording) {
  ordered_json people = ordered_json::array();
  for (const SkeletonTrack& person : recording.people) {
    ordered_json lengths = ordered_json::object(), frames = ordered_json::array();
    for (const auto& [limb, length_m] : person.limb_lengths_m) lengths[std::string(limb)] = rounded(length_m);
    for (const SkeletonFrame& frame : person.frames) frames.push_back(frame_json(frame));
    people.push_back({{"id", person.id},
                      {"layout", person.layout->name},
                      {"joints", person.layout->joints},
                      {"limb_lengths_m", lengths},
                      {"frames", frames}});
  }
  const ordered_json json = {{"schema", "vantage-skeletons-1"},      {"frame_rate", recording.frame_rate},
                             {"first_frame", recording.first_frame}, {"end_frame", recording.end_frame},
                             {"cameras", recording.cameras},         {"people", people}};
  return json_text(json) + "\n";
}

}  // namespace vantage
