// COCO: results ([{image_id, category_id, bbox, score, keypoints}, ...]) or a whole annotation file.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/json.h"
#include "core/detections/formats/format.h"
#include "core/detections/skeletons.h"

namespace vantage::detections_detail {
namespace coco {

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

std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_integer() ? std::to_string(value.get<int64_t>()) : std::string();
}

std::optional<int64_t> whole(const json* value) {
  return value && value->is_number_integer() ? std::optional(value->get<int64_t>()) : std::nullopt;
}

// The frame of each image, by its ID as text.
struct ImageFrames {
  std::map<std::string, int64_t> frames;
  bool listed = false;     // the file lists its images: others were not examined
  bool from_zero = false;  // frames come from an order, not from numbers
};

// True if numbers, all different, are as dense as frame numbers.
bool count_frames(const std::vector<int64_t>& numbers) {
  constexpr int64_t kSparsest = 100;
  const std::set<int64_t> different(numbers.begin(), numbers.end());
  if (different.empty() || different.size() < numbers.size() || *different.begin() < 0) return false;
  return *different.rbegin() - *different.begin() < kSparsest * static_cast<int64_t>(different.size());
}

class Images {
 public:
  Images(const Source& source, const DetectionFileOptions& options, DetectionFile* file)
      : source_(source), options_(options), file_(file) {}

  Result<ImageFrames> read() {
    const json* list = member(*source_.json, "images");
    if (list && list->is_array() && !list->empty()) return of_list(*list);
    return of_entries();
  }

 private:
  // Frames by a number stated with the image, else by its name, else by its ID, else by its index in the
  // list.
  Result<ImageFrames> of_list(const json& list) {
    ImageFrames result;
    result.listed = true;
    std::vector<std::string> ids, names;
    std::vector<int64_t> stated, numbers;
    for (const json& image : list) {
      const json *id = member(image, "id"), *name = member(image, "file_name");
      if (!id || text_of(*id).empty()) continue;
      ids.push_back(text_of(*id));
      if (const auto number = whole(id)) numbers.push_back(*number);
      if (name && name->is_string()) names.push_back(name->get<std::string>());
      for (const char* key : {"frame_id", "frame_index", "frame_number", "frame"})
        if (const auto frame = whole(member(image, key))) {
          stated.push_back(*frame);
          break;
        }
    }
    const std::set<std::string> different(names.begin(), names.end());
    if (stated.size() == ids.size() && count_frames(stated)) {
      for (size_t i = 0; i < ids.size(); ++i) result.frames[ids[i]] = stated[i];
      file_->frames_said = "frames are the numbers given with the images";
      return result;
    }
    if (names.size() == ids.size() && different.size() == ids.size())
      if (const auto named = frames_of_pictures(names, options_, source_.path.string()); named) {
        for (size_t i = 0; i < ids.size(); ++i)
          if (const auto known = named->frames.find(names[i]); known != named->frames.end())
            result.frames[ids[i]] = known->second;
        result.from_zero = named->from_zero;
        tell(*named, file_);
        return result;
      } else if (named.error().kind != ErrorKind::not_found) {
        return fail(named.error());
      }
    if (numbers.size() == ids.size() && count_frames(numbers)) {
      for (size_t i = 0; i < ids.size(); ++i) result.frames[ids[i]] = numbers[i];
      file_->frames_said = "frames are the ids of the images, since their names do not count";
      return result;
    }
    for (size_t i = 0; i < ids.size(); ++i) result.frames[ids[i]] = static_cast<int64_t>(i);
    result.from_zero = true;
    file_->notes.emplace_back("frames are the order of the file's list of images");
    return result;
  }

  // Without a list: numbers are frames, texts are names of pictures.
  Result<ImageFrames> of_entries() {
    ImageFrames result;
    std::set<int64_t> numbers;
    std::set<std::string> names;
    for (const json& entry : *annotations_of(source_)) {
      const json* id = member(entry, "image_id");
      if (!id) continue;
      if (id->is_string())
        names.insert(id->get<std::string>());
      else if (id->is_number_integer() && id->get<int64_t>() >= 0)
        numbers.insert(id->get<int64_t>());
    }
    const bool by_order = options_.frames_by == "order";
    if (!by_order && numbers.size() > 1 && !count_frames({numbers.begin(), numbers.end()}))
      return fail(
          ErrorKind::invalid_argument,
          "the image_ids " + std::to_string(*numbers.begin()) + " to " + std::to_string(*numbers.rbegin()) +
              " of " + std::to_string(numbers.size()) + " images count no frames",
          source_.path.string(), "Give the annotation file with its list of images, or --frames-by order.");
    int64_t place = 0;
    for (const int64_t number : numbers) result.frames[std::to_string(number)] = by_order ? place++ : number;
    result.from_zero = by_order;
    if (names.empty()) return result;
    VANTAGE_ASSIGN(const PictureFrames named,
                   frames_of_pictures({names.begin(), names.end()}, options_, source_.path.string()));
    result.frames.insert(named.frames.begin(), named.frames.end());
    result.from_zero = named.from_zero;
    tell(named, file_);
    return result;
  }

  const Source& source_;
  const DetectionFileOptions& options_;
  DetectionFile* file_;
};

FileClasses names_of_categories(const json& document) {
  FileClasses classes;
  const json* categories = member(document, "categories");
  if (!categories || !categories->is_array()) return classes;
  for (const json& category : *categories) {
    const json *id = member(category, "id"), *name = member(category, "name");
    if (!id || !name || !name->is_string() || text_of(*id).empty()) continue;
    classes.names[text_of(*id)] = name->get<std::string>();
    classes.listed = true;
  }
  return classes;
}

// Where joints of the file are in a known layout, by the names in the first category that has any; empty
// where no category names joints of another layout than that of their number.
std::vector<int> places_of_joints(const json& document) {
  const json* categories = member(document, "categories");
  if (!categories || !categories->is_array()) return {};
  for (const json& category : *categories) {
    const json* names = member(category, "keypoints");
    if (!names || !names->is_array() || names->empty()) continue;
    std::vector<std::string> joints;
    for (const json& name : *names) joints.push_back(name.is_string() ? name.get<std::string>() : "");
    return places_in_layout(joints);
  }
  return {};
}

// The box of a file without boxes of its own: that around the joints, of which some are zeros where they were
// not found.
bool is_hull(const std::vector<double>& box, const std::vector<Keypoint>& joints) {
  constexpr double kRounding_px = 1.5;
  for (const float min_score : {0.0F, 1e-6F}) {
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
    for (const Keypoint& joint : joints) {
      if (joint.score < min_score) continue;
      left = std::min<double>(left, joint.x_px), right = std::max<double>(right, joint.x_px);
      top = std::min<double>(top, joint.y_px), bottom = std::max<double>(bottom, joint.y_px);
    }
    if (std::abs(box[0] - left) <= kRounding_px && std::abs(box[1] - top) <= kRounding_px &&
        std::abs(box[0] + box[2] - right) <= kRounding_px &&
        std::abs(box[1] + box[3] - bottom) <= kRounding_px)
      return true;
  }
  return false;
}

// Scores that differ from joint to joint; visibility by 0, 1 and 2 is none.
bool joints_are_scored(const std::vector<Keypoint>& joints) {
  return std::ranges::any_of(joints,
                             [](const Keypoint& joint) { return joint.score > 0 && joint.score < 1; });
}

// Reads joints and box of an entry; returns what is wrong, or an empty text. `places`: of places_of_joints().
std::string read_person(const json& entry, const std::vector<int>& places, DetectionFile* file,
                        PersonDetection* person) {
  if (const json* joints = member(entry, "keypoints")) {
    const auto numbers = numbers_of(*joints);
    const auto read_joints = numbers ? joints_from_threes(*numbers) : std::nullopt;
    if (!read_joints) return "keypoints are threes of x, y and score";
    person->keypoints = in_layout(*read_joints, places);
    if (const Skeleton* skeleton = skeleton_of_size(person->keypoints.size()))
      file->skeleton = skeleton->name;
  }
  const json* bbox = member(entry, "bbox");
  const auto box = bbox ? numbers_of(*bbox) : std::nullopt;
  if (bbox && (!box || box->size() != 4)) return "bbox is left, top, width, height, all of them numbers";
  if (box && !is_hull(*box, person->keypoints)) {
    person->left_px = static_cast<float>((*box)[0]), person->top_px = static_cast<float>((*box)[1]);
    person->width_px = static_cast<float>((*box)[2]), person->height_px = static_cast<float>((*box)[3]);
  } else if (!box_from_joints(file->skeleton, person)) {
    return "fewer than three joints were seen";
  } else {
    file->boxes_from_keypoints = true;
  }
  // A sum or mean over all joints falls with each that is hidden: where joints make the box, the mean of
  // those found is the score.
  const bool by_joints = file->boxes_from_keypoints && joints_are_scored(person->keypoints);
  if (const json* score = member(entry, "score"); score && score->is_number() && !by_joints)
    person->score = score->get<float>();
  return {};
}

std::string class_of(const json& entry, FileClasses* classes) {
  const json *id = member(entry, "category_id"), *name = member(entry, "category_name");
  const std::string kind = id ? class_text(text_of(*id)) : std::string();
  if (!name || !name->is_string()) return kind;
  if (kind.empty()) return name->get<std::string>();
  classes->names[kind] = name->get<std::string>();
  return kind;
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  Frames frames(file);
  VANTAGE_ASSIGN(const ImageFrames images, Images(source, options, file).read());
  FileClasses classes = names_of_categories(*source.json);
  if (images.listed)
    for (const auto& [id, frame] : images.frames) frames.look(frame, "image " + id);
  const std::vector<int> places = places_of_joints(*source.json);
  int64_t number = 0;
  for (const json& entry : *annotations_of(source)) {
    const std::string where = "entry " + std::to_string(++number);
    const json* image = member(entry, "image_id");
    const auto frame = image ? images.frames.find(text_of(*image)) : images.frames.end();
    if (frame == images.frames.end()) {
      frames.problem(where,
                     !image ? "it has no image_id"
                            : "its image_id " + json_text(*image) +
                                  (images.listed ? " is not one of the images" : " is not a frame number"));
      continue;
    }
    PersonDetection person;
    if (const std::string wrong = read_person(entry, places, file, &person); !wrong.empty()) {
      frames.problem(where, wrong);
      continue;
    }
    frames.add(frame->second, std::move(person), where, class_of(entry, &classes));
  }
  VANTAGE_TRY(frames.keep_people(std::move(classes), ClassList::coco, options, source.path.string()));
  frames.finish(images.listed ? Gaps::unknown : Gaps::empty,
                images.from_zero ? Numbers::from_zero : Numbers::from_one, options);
  return {};
}

}  // namespace coco

const Format kCoco = {"COCO", coco::recognise, coco::read,
                      "JSON results or annotations with image_id, bbox, score and keypoints; frames from 1"};

}  // namespace vantage::detections_detail
