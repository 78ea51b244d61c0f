// OpenPose's JSON, also in Pose2Sim's folders: a file per frame, named by the frame's number from 0.
#include "core/base/json.h"
#include "core/detections/formats/format.h"
#include "core/detections/skeletons.h"

namespace vantage::detections_detail {
namespace open_pose {

using nlohmann::json;

bool recognise(const Source& source) {
  const json* people = source.json ? member(*source.json, "people") : nullptr;
  return people && people->is_array();
}

// Joints that were not found are zeros.
bool read_person(const json& entry, DetectionFile* file, PersonDetection* person) {
  const json* list = member(entry, "pose_keypoints_2d");
  if (!list) list = member(entry, "pose_keypoints");
  const auto numbers = list ? numbers_of(*list) : std::nullopt;
  const auto joints = numbers ? joints_from_threes(*numbers) : std::nullopt;
  if (!joints) return false;
  person->keypoints = *joints;
  if (const Skeleton* skeleton = skeleton_of_size(joints->size())) file->skeleton = skeleton->name;
  return true;
}

void read_frame(const json& document, int64_t frame, const std::string& where, Frames* frames,
                DetectionFile* file) {
  if (document.is_discarded()) return frames->problem(where, "it is not JSON, or truncated");
  const json* people = member(document, "people");
  if (!people || !people->is_array()) return frames->problem(where, "it holds no list \"people\"");
  frames->look(frame, where);
  for (size_t i = 0; i < people->size(); ++i) {
    PersonDetection person;
    const std::string name = where + ", person " + std::to_string(i + 1);
    if (!read_person((*people)[i], file, &person))
      frames->problem(name, "pose_keypoints_2d are threes of x, y and score, all of them numbers");
    else if (box_from_joints(file->skeleton, &person))
      frames->add(frame, std::move(person), name);
  }
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  Frames frames(file);
  file->boxes_from_keypoints = true;
  VANTAGE_TRY(for_each_document(source, [&](const json& document, int64_t frame, const std::string& where) {
    read_frame(document, frame, where, &frames, file);
  }));
  frames.finish(Gaps::unknown, Numbers::from_zero, options);
  return {};
}

}  // namespace open_pose

const Format kOpenPose = {"OpenPose", open_pose::recognise, open_pose::read,
                          "a folder with a JSON file a frame, numbered from 0 (BODY_25, COCO, HALPE_26)"};

}  // namespace vantage::detections_detail
