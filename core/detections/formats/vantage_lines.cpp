// Our own JSON lines: a header with the origin of the boxes, then a line for each examined frame.
#include <cmath>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/detections/formats/format.h"

namespace vantage {
namespace {

using nlohmann::ordered_json;
constexpr const char* kSchema = "vantage-detections-1";

double rounded(double value, double steps) {
  return std::round(value * steps) / steps;
}

ordered_json person_json(const PersonDetection& person) {
  const auto px = [](float value) { return rounded(value, 100); };
  ordered_json json = {
      {"box_px", {px(person.left_px), px(person.top_px), px(person.width_px), px(person.height_px)}},
      {"score", rounded(person.score, 1e4)}};
  for (const Keypoint& joint : person.keypoints)
    json["keypoints"].push_back({px(joint.x_px), px(joint.y_px), rounded(joint.score, 1e4)});
  return json;
}

}  // namespace

std::string detection_header_line(const DetectionFile& file) {
  const DetectorProvenance& from = file.provenance;
  ordered_json json = {
      {"schema", kSchema},           {"model", from.model},     {"model_sha256", from.model_sha256},
      {"family", from.family},       {"engine", from.engine},   {"engine_version", from.engine_version},
      {"min_score", from.min_score}, {"overlap", from.overlap}, {"long_side_px", from.long_side_px},
      {"video", from.video}};
  if (!from.joints_model.empty())
    json["joints_model"] = from.joints_model, json["joints_model_sha256"] = from.joints_model_sha256;
  if (file.frame_rate > 0) json["frame_rate"] = file.frame_rate;
  if (file.width_px > 0) json["width_px"] = file.width_px, json["height_px"] = file.height_px;
  if (!file.skeleton.empty()) json["skeleton"] = file.skeleton;
  if (file.boxes_from_keypoints) json["boxes_from_keypoints"] = true;
  return json_text(json);
}

std::string detection_frame_line(int64_t frame, const CameraDetections& found) {
  ordered_json json = {{"frame", frame}, {"people", ordered_json::array()}};
  for (const PersonDetection& person : found.people) json["people"].push_back(person_json(person));
  return json_text(json);
}

Status write_detection_file(const std::filesystem::path& path, const DetectionFile& file) {
  std::string text = detection_header_line(file) + '\n';
  for (size_t i = 0; i < file.frames.size(); ++i)
    if (file.frames[i].known) text += detection_frame_line(static_cast<int64_t>(i), file.frames[i]) + '\n';
  return write_file_atomically(path, text);
}

namespace detections_detail {
namespace vantage_lines {

using nlohmann::json;

json header_of(const Source& source) {
  return parse_json(first_line(source.text));
}

bool recognise(const Source& source) {
  if (source.folder) return false;
  const json header = header_of(source);
  const json* schema = member(header, "schema");
  return schema && *schema == kSchema;
}

std::string text_of(const json& header, const char* key) {
  const json* value = member(header, key);
  return value && value->is_string() ? value->get<std::string>() : std::string();
}
double number_of(const json& header, const char* key) {
  const json* value = member(header, key);
  return value && value->is_number() ? value->get<double>() : 0;
}

// A side of a picture in pixels; 0 (unknown) for invalid values.
int side_of(const json& header, const char* key) {
  constexpr double kLongestSide_px = 1 << 16;
  const double side = number_of(header, key);
  return side > 0 && side <= kLongestSide_px ? static_cast<int>(side) : 0;
}

void read_header(const json& header, DetectionFile* file) {
  DetectorProvenance& from = file->provenance;
  from.model = text_of(header, "model"), from.model_sha256 = text_of(header, "model_sha256");
  from.family = text_of(header, "family"), from.engine = text_of(header, "engine");
  from.engine_version = text_of(header, "engine_version"), from.video = text_of(header, "video");
  from.joints_model = text_of(header, "joints_model");
  from.joints_model_sha256 = text_of(header, "joints_model_sha256");
  from.min_score = number_of(header, "min_score"), from.overlap = number_of(header, "overlap");
  from.long_side_px = side_of(header, "long_side_px");
  file->frame_rate = number_of(header, "frame_rate");
  file->width_px = side_of(header, "width_px");
  file->height_px = side_of(header, "height_px");
  file->skeleton = text_of(header, "skeleton");
  const json* derived = member(header, "boxes_from_keypoints");
  file->boxes_from_keypoints = derived && *derived == true;
}

std::optional<PersonDetection> read_person(const json& entry) {
  const json *list = member(entry, "box_px"), *score = member(entry, "score"),
             *joints = member(entry, "keypoints");
  const auto box = list ? numbers_of(*list) : std::nullopt;
  if (!box || box->size() != 4) return std::nullopt;
  PersonDetection person;
  person.left_px = static_cast<float>((*box)[0]), person.top_px = static_cast<float>((*box)[1]);
  person.width_px = static_cast<float>((*box)[2]), person.height_px = static_cast<float>((*box)[3]);
  if (score && score->is_number()) person.score = score->get<float>();
  for (const json& joint : joints && joints->is_array() ? *joints : json::array()) {
    const auto numbers = numbers_of(joint);
    if (!numbers || numbers->size() != 3) return std::nullopt;
    person.keypoints.push_back(joints_from_threes(*numbers)->front());
  }
  return person;
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  read_header(header_of(source), file);
  Frames frames(file);
  bool header = true;
  for_each_line(source.text, [&](int64_t number, std::string_view line) {
    if (std::exchange(header, false)) return;
    const std::string where = line_name(number);
    const json entry = parse_json(line);
    const json *frame = member(entry, "frame"), *people = member(entry, "people");
    if (!frame || !frame->is_number_integer() || !people || !people->is_array())
      return frames.problem(where, "an object with frame and people is expected");
    frames.look(frame->get<int64_t>(), where);
    for (const json& one : *people) {
      std::optional<PersonDetection> person = read_person(one);
      if (!person)
        frames.problem(where, "a person has box_px (four numbers), score and keypoints of three numbers");
      else
        frames.add(frame->get<int64_t>(), std::move(*person), where);
    }
  });
  frames.finish(Gaps::unknown, Numbers::from_zero, options);
  return {};
}

}  // namespace vantage_lines

const Format kVantageLines = {"Vantage", vantage_lines::recognise, vantage_lines::read,
                              "our own JSON lines, a line for each frame examined; frames from 0"};

}  // namespace detections_detail
}  // namespace vantage
