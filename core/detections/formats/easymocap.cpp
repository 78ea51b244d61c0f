// EasyMocap's annots/CAMERA: a JSON file a frame, named by its number from 0, with the people's boxes (left,
// top, right, bottom, score) and BODY_25 joints (rows of x, y, score).
#include "core/base/json.h"
#include "core/detections/formats/format.h"
#include "core/detections/skeletons.h"

namespace vantage::detections_detail {
namespace easymocap {

using nlohmann::json;

const json* people_of(const json& document) {
  const json* people = member(document, "annots");
  return people && people->is_array() ? people : nullptr;
}

bool recognise(const Source& source) {
  return source.json && people_of(*source.json);
}

std::optional<std::vector<Keypoint>> read_joints(const json& rows) {
  std::vector<double> numbers;
  for (const json& row : rows.is_array() ? rows : json::array()) {
    const auto three = numbers_of(row);
    if (!three || three->size() != 3) return std::nullopt;
    numbers.insert(numbers.end(), three->begin(), three->end());
  }
  return joints_from_threes(numbers);
}

std::optional<PersonDetection> read_person(const json& entry, DetectionFile* file) {
  const json *list = member(entry, "bbox"), *rows = member(entry, "keypoints");
  const auto box = list ? numbers_of(*list) : std::nullopt;
  if (!box || box->size() < 4) return std::nullopt;
  PersonDetection person;
  person.left_px = static_cast<float>((*box)[0]), person.top_px = static_cast<float>((*box)[1]);
  person.width_px = static_cast<float>((*box)[2] - (*box)[0]);
  person.height_px = static_cast<float>((*box)[3] - (*box)[1]);
  if (box->size() > 4) person.score = static_cast<float>((*box)[4]);
  if (!rows) return person;
  auto joints = read_joints(*rows);
  if (!joints) return std::nullopt;
  if (const Skeleton* skeleton = skeleton_of_size(joints->size())) file->skeleton = skeleton->name;
  person.keypoints = std::move(*joints);
  return person;
}

void read_frame(const json& document, int64_t frame, const std::string& where, Frames* frames,
                DetectionFile* file) {
  const json* people = people_of(document);
  if (!people) return frames->problem(where, "an object with a list \"annots\" is expected");
  frames->look(frame, where);
  for (size_t i = 0; i < people->size(); ++i) {
    const std::string name = where + ", person " + std::to_string(i + 1);
    if (auto person = read_person((*people)[i], file))
      frames->add(frame, std::move(*person), name);
    else
      frames->problem(name, "bbox (left, top, right, bottom) and keypoints in rows of three are expected");
  }
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  Frames frames(file);
  VANTAGE_TRY(for_each_document(source, [&](const json& document, int64_t frame, const std::string& where) {
    read_frame(document, frame, where, &frames, file);
  }));
  frames.finish(Gaps::unknown, Numbers::from_zero, options);
  return {};
}

}  // namespace easymocap

const Format kEasyMocap = {"EasyMocap", easymocap::recognise, easymocap::read,
                           "a folder with a JSON file a frame, numbered from 0, with annots"};

}  // namespace vantage::detections_detail
