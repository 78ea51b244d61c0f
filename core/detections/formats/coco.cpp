// COCO: results ([{image_id, category_id, bbox, score, keypoints}, ...]) or a whole annotation file.
#include <map>

#include "core/base/json.h"
#include "core/detections/formats/format.h"
#include "core/detections/skeletons.h"

namespace vantage::detections_detail {
namespace {

using nlohmann::json;

const json* annotations_of(const Source& source) {
  if (source.folder || !source.json) return nullptr;
  if (source.json->is_array()) return &*source.json;
  const json* list = member(*source.json, "annotations");
  return list && list->is_array() ? list : nullptr;
}

bool recognise(const Source& source) {
  const json* list = annotations_of(source);
  if (!list) return false;
  if (list->empty()) return source.json->is_object();
  return member(list->front(), "image_id") &&
         (member(list->front(), "bbox") || member(list->front(), "keypoints"));
}

// The frame of each image of an annotation file: the number in its name, else its place in the list.
std::map<int64_t, int64_t> frames_of_images(const json& document, Frames* frames) {
  std::map<int64_t, int64_t> result;
  const json* images = member(document, "images");
  if (!images || !images->is_array()) return result;
  for (size_t i = 0; i < images->size(); ++i) {
    const json& image = (*images)[i];
    const json *id = member(image, "id"), *name = member(image, "file_name");
    if (!id || !id->is_number_integer()) continue;
    std::optional<int64_t> number;
    if (name && name->is_string())
      number = frame_of_name(std::filesystem::path(name->get<std::string>()).stem().string());
    result[id->get<int64_t>()] = number.value_or(static_cast<int64_t>(i) + 1);
    frames->look(result[id->get<int64_t>()], "image " + std::to_string(i + 1));
  }
  return result;
}

// The category called person; 1 where the file does not name them.
int64_t person_category(const json& document) {
  const json* categories = member(document, "categories");
  for (const json& category : categories && categories->is_array() ? *categories : json::array())
    if (member(category, "name") && category["name"] == "person" && member(category, "id") &&
        category["id"].is_number_integer())
      return category["id"].get<int64_t>();
  return 1;
}

std::optional<int64_t> frame_of(const json& id, const std::map<int64_t, int64_t>& images) {
  if (id.is_string()) return frame_of_name(std::filesystem::path(id.get<std::string>()).stem().string());
  if (!id.is_number_integer()) return std::nullopt;
  const auto image = images.find(id.get<int64_t>());
  return image == images.end() ? id.get<int64_t>() : image->second;
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  Frames frames(file);
  const json& list = *annotations_of(source);
  const auto images = frames_of_images(*source.json, &frames);
  const int64_t person_id = person_category(*source.json);
  int64_t others = 0, number = 0;
  for (const json& entry : list) {
    const std::string where = "entry " + std::to_string(++number);
    const json *image = member(entry, "image_id"), *category = member(entry, "category_id");
    if (category && *category != person_id) {
      ++others;
      continue;
    }
    const std::optional<int64_t> frame = image ? frame_of(*image, images) : std::nullopt;
    if (!frame) {
      frames.problem(where, "image_id contains no number");
      continue;
    }
    PersonDetection person;
    if (const json* joints = member(entry, "keypoints")) {
      const auto numbers = numbers_of(*joints);
      const auto read_joints = numbers ? joints_from_threes(*numbers) : std::nullopt;
      if (!read_joints) {
        frames.problem(where, "keypoints are threes of x, y and score");
        continue;
      }
      person.keypoints = *read_joints;
      if (const Skeleton* skeleton = skeleton_of_size(person.keypoints.size()))
        file->skeleton = skeleton->name;
    }
    const json* bbox = member(entry, "bbox");
    const auto box = bbox ? numbers_of(*bbox) : std::nullopt;
    if (bbox && (!box || box->size() != 4)) {
      frames.problem(where, "bbox is left, top, width, height");
      continue;
    }
    if (box) {
      person.left_px = static_cast<float>((*box)[0]), person.top_px = static_cast<float>((*box)[1]);
      person.width_px = static_cast<float>((*box)[2]), person.height_px = static_cast<float>((*box)[3]);
    } else if (!box_from_joints(file->skeleton, &person)) {
      frames.problem(where, "fewer than three joints were seen");
      continue;
    } else {
      file->boxes_from_keypoints = true;
    }
    const json* score = member(entry, "score");
    if (score && score->is_number()) person.score = score->get<float>();
    frames.add(*frame, std::move(person), where);
  }
  if (others > 0) file->notes.push_back(std::to_string(others) + " entries are not people");
  frames.finish(images.empty() ? Gaps::empty : Gaps::unknown, Numbers::from_one, options);
  return {};
}

}  // namespace

const Format kCoco = {"COCO", recognise, read,
                      "JSON results or annotations with image_id, bbox, score and keypoints; frames from 1"};

}  // namespace vantage::detections_detail
