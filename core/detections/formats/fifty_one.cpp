// FiftyOne's JSON: labels.json of its image detection datasets ({"classes", "labels": {name: [...]}}), and
// samples of its own export ({"samples": [{"filepath", FIELD: {"detections": [...]}}]}). Boxes are left, top,
// width and height in shares of the picture.
#include <algorithm>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/detections/formats/format.h"

namespace vantage::detections_detail {
namespace fifty_one {

using nlohmann::json;

const json* list_in(const json& object, const char* key) {
  const json* value = member(object, key);
  return value && value->is_array() ? value : nullptr;
}

// The detections of a sample's field; null: it is another kind of field.
const json* detections_in(const json& field) {
  const json* kind = member(field, "_cls");
  return kind && *kind == "Detections" ? list_in(field, "detections") : nullptr;
}

bool recognise(const Source& source) {
  if (source.folder || !source.json) return false;
  const json *samples = list_in(*source.json, "samples"), *labels = member(*source.json, "labels");
  if (samples && !samples->empty()) return member(samples->front(), "filepath") != nullptr;
  if (!labels || !labels->is_object() || !list_in(*source.json, "classes")) return false;
  return std::ranges::all_of(*labels, [](const json& one) { return one.is_array() || one.is_null(); });
}

// A picture with its detections (null: it has none) and the size that the file states.
struct Sample {
  std::string name;
  const json* detections = nullptr;
  double width_px = 0, height_px = 0;
};

double size_in(const json& sample, const char* key) {
  const json* metadata = member(sample, "metadata");
  const json* value = metadata ? member(*metadata, key) : nullptr;
  const double size = value && value->is_number() ? value->get<double>() : 0;
  return size > 0 && size < 1e6 ? size : 0;
}

// A sample may have ground truth and several models' predictions: which of them is meant is not guessed.
Result<std::string> field_of(const json& samples, const std::string& where) {
  std::vector<std::string> fields;
  for (const json& sample : samples) {
    if (!sample.is_object()) continue;
    for (const auto& [key, value] : sample.items())
      if (detections_in(value) && std::ranges::find(fields, key) == fields.end()) fields.push_back(key);
  }
  if (fields.size() == 1) return fields.front();
  std::string names;
  for (const std::string& field : fields) append_item(&names, field);
  return fail(ErrorKind::unsupported,
              fields.empty() ? "its samples have no field of detections"
                             : "its samples have several fields of detections: " + names,
              where, "Export one of them: dataset.select_fields(\"FIELD\").export(…).");
}

Result<std::vector<Sample>> samples_of(const Source& source) {
  std::vector<Sample> found;
  if (const json* samples = list_in(*source.json, "samples")) {
    VANTAGE_ASSIGN(const std::string field, field_of(*samples, source.path.string()));
    for (const json& sample : *samples) {
      const json *path = member(sample, "filepath"), *labels = member(sample, field.c_str());
      if (!path || !path->is_string()) continue;
      const json* detections = labels ? detections_in(*labels) : nullptr;
      found.push_back(
          {path->get<std::string>(), detections, size_in(sample, "width"), size_in(sample, "height")});
    }
    return found;
  }
  for (const auto& [name, detections] : member(*source.json, "labels")->items())
    found.push_back({name, detections.is_array() ? &detections : nullptr});
  return found;
}

// A name, or a number of the file's list of classes.
std::string label_of(const json& detection, const json* classes) {
  const json* label = member(detection, "label");
  if (label && label->is_string()) return label->get<std::string>();
  if (!label || !label->is_number_integer()) return {};
  const auto number = label->get<int64_t>();
  const bool listed = classes && number >= 0 && number < static_cast<int64_t>(classes->size()) &&
                      (*classes)[static_cast<size_t>(number)].is_string();
  return listed ? (*classes)[static_cast<size_t>(number)].get<std::string>() : std::to_string(number);
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  VANTAGE_ASSIGN(const std::vector<Sample> samples, samples_of(source));
  std::vector<std::string> names;
  for (const Sample& sample : samples) names.push_back(sample.name);
  Frames frames(file);
  PictureFrames pictures;
  if (!names.empty()) {
    VANTAGE_ASSIGN(pictures, frames_of_pictures(names, options, source.path.string()));
    tell(pictures, file);
  }
  for (const Sample& sample : samples) {
    const auto frame = pictures.frames.find(sample.name);
    if (frame == pictures.frames.end()) continue;
    frames.look(frame->second, sample.name);
    const double width = sample.width_px > 0 ? sample.width_px : options.width_px,
                 height = sample.height_px > 0 ? sample.height_px : options.height_px;
    if (sample.detections && !sample.detections->empty() && (width <= 0 || height <= 0))
      return fail(ErrorKind::invalid_argument, "boxes are shares of the picture, whose size is not known",
                  source.path.string() + ", " + sample.name,
                  "Give the camera's picture size, a video or a calibration.");
    for (size_t i = 0; sample.detections && i < sample.detections->size(); ++i) {
      const json& detection = (*sample.detections)[i];
      const std::string where = sample.name + ", detection " + std::to_string(i + 1);
      const json* bounds = member(detection, "bounding_box");
      const auto box = bounds ? numbers_of(*bounds) : std::nullopt;
      if (!box || box->size() != 4) {
        frames.problem(where, "bounding_box is left, top, width and height, all of them numbers");
        continue;
      }
      PersonDetection person;
      person.left_px = static_cast<float>((*box)[0] * width - 0.5);
      person.top_px = static_cast<float>((*box)[1] * height - 0.5);
      person.width_px = static_cast<float>((*box)[2] * width);
      person.height_px = static_cast<float>((*box)[3] * height);
      if (const json* score = member(detection, "confidence"); score && score->is_number())
        person.score = score->get<float>();
      frames.add(frame->second, std::move(person), where,
                 label_of(detection, list_in(*source.json, "classes")));
    }
  }
  VANTAGE_TRY(frames.keep_people({}, ClassList::none, options, source.path.string()));
  frames.finish(Gaps::unknown, pictures.from_zero ? Numbers::from_zero : Numbers::from_one, options);
  return {};
}

}  // namespace fifty_one

const Format kFiftyOne = {"FiftyOne", fifty_one::recognise, fifty_one::read,
                          "labels.json or samples.json with boxes in shares of the picture; frames from 1"};

}  // namespace vantage::detections_detail
