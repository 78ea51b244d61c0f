// AlphaPose's default results: [{image_id: "12.jpg", keypoints: [x, y, score, ...], score, box}, ...].
#include <algorithm>

#include "core/base/json.h"
#include "core/detections/formats/format.h"
#include "core/detections/skeletons.h"

namespace vantage::detections_detail {
namespace alpha_pose {

using nlohmann::json;

bool recognise(const Source& source) {
  if (source.folder || !source.json || !source.json->is_array() || source.json->empty()) return false;
  const json& first = source.json->front();
  const json* image = member(first, "image_id");
  return image && image->is_string() && member(first, "keypoints") && !member(first, "bbox");
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  Frames frames(file);
  std::vector<std::string> names;
  for (const json& entry : *source.json)
    if (const json* image = member(entry, "image_id"); image && image->is_string())
      names.push_back(image->get<std::string>());
  VANTAGE_ASSIGN(const PictureFrames pictures, frames_of_pictures(names, options, source.path.string()));
  tell(pictures, file);
  int64_t number = 0;
  for (const json& entry : *source.json) {
    const std::string where = "entry " + std::to_string(++number);
    const json *image = member(entry, "image_id"), *joints = member(entry, "keypoints");
    std::optional<int64_t> frame;
    if (image && image->is_string())
      if (const auto known = pictures.frames.find(image->get<std::string>()); known != pictures.frames.end())
        frame = known->second;
    const auto numbers = joints ? numbers_of(*joints) : std::nullopt;
    const auto read_joints = numbers ? joints_from_threes(*numbers) : std::nullopt;
    if (!frame || !read_joints) {
      frames.problem(where, "a numbered image_id and keypoints as threes are expected");
      continue;
    }
    PersonDetection person;
    person.keypoints = *read_joints;
    if (const Skeleton* skeleton = skeleton_of_size(person.keypoints.size())) file->skeleton = skeleton->name;
    // Its "score" sums several measures beyond 1, so it is replaced by the joints' mean, set here.
    const bool hull = box_from_joints(file->skeleton, &person);
    const json* list = member(entry, "box");
    const auto box = list ? numbers_of(*list) : std::nullopt;
    if (box && box->size() == 4) {
      person.left_px = static_cast<float>((*box)[0]), person.top_px = static_cast<float>((*box)[1]);
      person.width_px = static_cast<float>((*box)[2]), person.height_px = static_cast<float>((*box)[3]);
    } else if (!hull) {
      frames.problem(where, "fewer than three joints were seen");
      continue;
    } else {
      file->boxes_from_keypoints = true;
    }
    frames.add(*frame, std::move(person), where);
  }
  frames.finish(Gaps::empty, Numbers::from_zero, options);
  return {};
}

}  // namespace alpha_pose

const Format kAlphaPose = {"AlphaPose", alpha_pose::recognise, alpha_pose::read,
                           "one JSON list with image_id, keypoints and box; frames from 0"};

}  // namespace vantage::detections_detail
