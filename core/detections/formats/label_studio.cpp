// Label Studio's JSON and JSON_MIN: rectangles in pictures (rectanglelabels), and in videos (videorectangle),
// in percent of the picture. Of several annotators' results of a task the first that was not cancelled
// counts; without any, the first prediction.
#include <algorithm>
#include <cmath>

#include "core/base/json.h"
#include "core/detections/formats/format.h"

namespace vantage::detections_detail {
namespace label_studio {

using nlohmann::json;

constexpr int64_t kMaxBetween = 2'000'000;  // boxes between key frames: more are not annotations

bool names_task(const json& entry) {
  const json *annotations = member(entry, "annotations"), *predictions = member(entry, "predictions");
  if (member(entry, "data") &&
      ((annotations && annotations->is_array()) || (predictions && predictions->is_array())))
    return true;
  // JSON_MIN has each control's results under its name.
  if (!entry.is_object() || !member(entry, "lead_time") || !member(entry, "annotator")) return false;
  return std::ranges::any_of(entry, [](const json& value) {
    return value.is_array() && !value.empty() && member(value.front(), "original_width");
  });
}

bool recognise(const Source& source) {
  return !source.folder && source.json && source.json->is_array() && !source.json->empty() &&
         names_task(source.json->front());
}

std::optional<double> number(const json& object, const char* key) {
  const json* value = member(object, key);
  return value && value->is_number() && std::isfinite(value->get<double>())
             ? std::optional(value->get<double>())
             : std::nullopt;
}

std::string first_text(const json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const json* value = member(object, key);
    if (value && value->is_array() && !value->empty()) value = &value->front();
    if (value && value->is_string()) return value->get<std::string>();
  }
  return {};
}

// A rectangle in percent, turned clockwise about its upper left corner; the upright one around it.
std::optional<PersonDetection> box_of(const json& value, double width_px, double height_px) {
  const auto x = number(value, "x"), y = number(value, "y"), w = number(value, "width"),
             h = number(value, "height");
  if (!x || !y || !w || !h) return std::nullopt;
  const double turn = number(value, "rotation").value_or(0) * M_PI / 180, c = std::cos(turn),
               s = std::sin(turn);
  const double left = *x / 100 * width_px, top = *y / 100 * height_px, wide = *w / 100 * width_px,
               high = *h / 100 * height_px;
  const double along[] = {0, wide * c, -high * s, wide * c - high * s},
               down[] = {0, wide * s, high * c, wide * s + high * c};
  const auto [low_x, high_x] = std::ranges::minmax(along);
  const auto [low_y, high_y] = std::ranges::minmax(down);
  PersonDetection person;
  person.left_px = static_cast<float>(left + low_x - 0.5),
  person.width_px = static_cast<float>(high_x - low_x);
  person.top_px = static_cast<float>(top + low_y - 0.5),
  person.height_px = static_cast<float>(high_y - low_y);
  return person;
}

// Uploads are named by eight hexadecimal digits before their own name, which are no frames.
std::string without_upload(std::string address) {
  const size_t begin = address.find_last_of("/\\=") + 1;
  constexpr size_t kDigits = 8;
  if (address.find_first_not_of("0123456789abcdef", begin) == begin + kDigits &&
      address[begin + kDigits] == '-')
    address.erase(begin, kDigits + 1);
  return address;
}

class Tasks {
 public:
  Tasks(const Source& source, const DetectionFileOptions& options, DetectionFile* file)
      : source_(source), options_(options), file_(file), frames_(file) {}

  Status read();

 private:
  struct Task {
    std::string picture, where;
    const json* results = nullptr;  // a list; null: none
    double score = 1;
  };
  Task task_of(const json& entry, int64_t count);
  void read_picture(const Task& task, int64_t frame);
  Status read_video(const json& result, const std::string& where);
  // The picture's size, of the result, else of the camera. False: neither is known.
  bool size_of(const json& result, const std::string& where, double* width, double* height);
  static bool is_video(const json& result) {
    const json* type = member(result, "type");
    return type && *type == "videorectangle";
  }

  const Source& source_;
  const DetectionFileOptions& options_;
  DetectionFile* file_;
  Frames frames_;
  int64_t others_ = 0, several_ = 0, added_ = 0;
};

Tasks::Task Tasks::task_of(const json& entry, int64_t count) {
  Task task;
  task.where = "task " + std::to_string(count);
  if (const json* data = member(entry, "data"))
    task.picture = first_text(*data, {"image", "img", "picture", "video"});
  else
    task.picture = first_text(entry, {"image", "img", "picture", "video"});
  task.picture = without_upload(std::move(task.picture));
  const json *annotations = member(entry, "annotations"), *predictions = member(entry, "predictions");
  int64_t valid = 0;
  if (annotations && annotations->is_array())
    for (const json& one : *annotations) {
      const json *cancelled = member(one, "was_cancelled"), *result = member(one, "result");
      if ((cancelled && *cancelled == true) || !result || !result->is_array()) continue;
      if (valid++ == 0) task.results = result;
    }
  several_ += valid > 1;
  if (!task.results && predictions && predictions->is_array() && !predictions->empty()) {
    const json* result = member(predictions->front(), "result");
    if (result && result->is_array()) task.results = result;
    task.score = number(predictions->front(), "score").value_or(1);
  }
  if (!member(entry, "data") && entry.is_object())
    for (const json& value : entry)
      if (value.is_array() && !value.empty() && member(value.front(), "original_width"))
        task.results = &value;
  return task;
}

bool Tasks::size_of(const json& result, const std::string& where, double* width, double* height) {
  *width = number(result, "original_width").value_or(options_.width_px);
  *height = number(result, "original_height").value_or(options_.height_px);
  if (*width > 0 && *height > 0 && *width < 1e6 && *height < 1e6) return true;
  frames_.problem(where,
                  "neither original_width and original_height nor the camera's picture size are known");
  return false;
}

void Tasks::read_picture(const Task& task, int64_t frame) {
  frames_.look(frame, task.where);
  int64_t count = 0;
  for (const json& result : *task.results) {
    const std::string where = task.where + ", result " + std::to_string(++count);
    // JSON_MIN has the values in the result itself.
    const json* value = member(result, "value") ? member(result, "value") : &result;
    const std::string label = first_text(*value, {"rectanglelabels", "labels"});
    if (!member(*value, "width") || !member(*value, "height") || (label.empty() && !member(result, "type"))) {
      ++others_;
      continue;
    }
    double width = 0, height = 0;
    if (!size_of(result, where, &width, &height)) continue;
    std::optional<PersonDetection> person = box_of(*value, width, height);
    if (!person) {
      frames_.problem(where, "x, y, width and height are numbers, in percent");
      continue;
    }
    person->score = static_cast<float>(number(result, "score").value_or(task.score));
    frames_.add(frame, std::move(*person), where, label);
  }
}

// Frames count from 1. A key frame holds until the next one, on the straight line between; not where it is
// not enabled.
Status Tasks::read_video(const json& result, const std::string& where) {
  const json* value = member(result, "value");
  const json* sequence = value ? member(*value, "sequence") : nullptr;
  if (!sequence || !sequence->is_array()) {
    frames_.problem(where, "a list is expected as value/sequence");
    return {};
  }
  double width = 0, height = 0;
  if (!size_of(result, where, &width, &height)) return {};
  struct Key {
    int64_t frame;
    bool enabled;
    PersonDetection person;
  };
  std::vector<Key> keys;
  for (const json& one : *sequence) {
    const json* enabled = member(one, "enabled");
    const auto frame = number(one, "frame");
    const auto person = box_of(one, width, height);
    if (!frame || !person || *frame < 0 || *frame > 1e9)
      frames_.problem(where + ", key frame " + std::to_string(keys.size() + 1),
                      "frame, x, y, width and height are numbers");
    else
      keys.push_back({static_cast<int64_t>(*frame), !enabled || *enabled != false, *person});
  }
  std::ranges::stable_sort(keys, {}, &Key::frame);
  const std::string label = first_text(*value, {"labels", "rectanglelabels"});
  for (size_t i = 0; i < keys.size(); ++i) {
    const Key& key = keys[i];
    frames_.add(key.frame, key.person, where, label);
    if (!key.enabled || i + 1 == keys.size()) continue;
    const Key& next = keys[i + 1];
    if ((added_ += next.frame - key.frame) > kMaxBetween)
      return fail(ErrorKind::bad_data, "leaves more frames between its key frames than a recording has",
                  source_.path.string() + ", " + where, "Export it again.");
    for (int64_t frame = key.frame + 1; frame < next.frame; ++frame) {
      const float share = static_cast<float>(frame - key.frame) / static_cast<float>(next.frame - key.frame);
      PersonDetection person = key.person;
      for (const auto side : {&PersonDetection::left_px, &PersonDetection::top_px, &PersonDetection::width_px,
                              &PersonDetection::height_px})
        person.*side += share * (next.person.*side - person.*side);
      frames_.add(frame, std::move(person), where, label);
    }
  }
  return {};
}

Status Tasks::read() {
  std::vector<Task> tasks;
  std::vector<std::string> names;
  bool video = false;
  for (const json& entry : *source_.json) {
    tasks.push_back(task_of(entry, static_cast<int64_t>(tasks.size()) + 1));
    if (!tasks.back().results) continue;
    names.push_back(tasks.back().picture);
    video = video || std::ranges::any_of(*tasks.back().results, is_video);
  }
  if (video && names.size() > 1)
    return fail(ErrorKind::unsupported, "has tasks of several videos", source_.path.string(),
                "Export each camera's task into a file of its own.");
  PictureFrames pictures;
  if (!video && !names.empty()) {
    VANTAGE_ASSIGN(pictures, frames_of_pictures(names, options_, source_.path.string()));
    tell(pictures, file_);
  }
  for (const Task& task : tasks) {
    if (!task.results) continue;  // not examined
    if (!video) {
      const auto frame = pictures.frames.find(task.picture);
      if (frame != pictures.frames.end()) read_picture(task, frame->second);
      continue;
    }
    int64_t count = 0;
    for (const json& result : *task.results) {
      const std::string where = task.where + ", result " + std::to_string(++count);
      if (is_video(result))
        VANTAGE_TRY(read_video(result, where));
      else
        ++others_;
    }
  }
  if (others_ > 0) file_->notes.push_back(std::to_string(others_) + " results that are not boxes left out");
  if (several_ > 0)
    file_->notes.push_back(std::to_string(several_) + " tasks have several annotations: the first counts");
  VANTAGE_TRY(frames_.keep_people({}, ClassList::none, options_, source_.path.string()));
  frames_.finish(video ? Gaps::empty : Gaps::unknown,
                 pictures.from_zero ? Numbers::from_zero : Numbers::from_one, options_);
  return {};
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  return Tasks(source, options, file).read();
}

}  // namespace label_studio

const Format kLabelStudio = {"Label Studio", label_studio::recognise, label_studio::read,
                             "JSON or JSON_MIN with rectangles in pictures or videos; frames from 1"};

}  // namespace vantage::detections_detail
