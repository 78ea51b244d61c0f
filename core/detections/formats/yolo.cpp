// YOLO's text: a folder with a file per frame. A line is "class x y width height" in shares of the picture, x
// and y of the centre, then keypoints, then optionally a confidence, a track's ID or both.
#include <algorithm>
#include <cmath>

#include "core/base/file.h"
#include "core/detections/class_names.h"
#include "core/detections/formats/format.h"
#include "core/detections/skeletons.h"

namespace vantage::detections_detail {
namespace yolo {

constexpr size_t kBox = 4;  // numbers after the class
constexpr int kLooked = 20;

// Fields separated by blanks, commas or tabs.
std::vector<std::string> fields_of(std::string_view line) {
  std::string text(line);
  std::replace_if(text.begin(), text.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
  std::vector<std::string> fields;
  for (const std::string_view field : split_fields(text, ' ')) fields.emplace_back(field);
  return fields;
}

std::optional<std::vector<double>> numbers_behind_class(const std::vector<std::string>& fields) {
  if (fields.size() < kBox + 1) return std::nullopt;
  return to_numbers({fields.begin() + 1, fields.end()});
}

bool is_whole(double number) {
  return std::floor(number) == number;
}

bool fits(std::string_view line) {
  const std::vector<std::string> fields = fields_of(line);
  const auto numbers = numbers_behind_class(fields);
  const auto number = numbers ? to_number(fields.front()) : std::nullopt;
  if (!numbers || (number && (*number < 0 || !is_whole(*number)))) return false;
  return std::all_of(numbers->begin(), numbers->begin() + kBox,
                     [](double share) { return share >= -0.5 && share <= 1.5; });
}

bool recognise(const Source& source) {
  if (source.json) return false;
  bool found = false;
  int looked = 0;
  for_each_line(source.text, [&](int64_t, std::string_view line) {
    if (++looked <= kLooked) found = found || fits(line);
  });
  return found;
}

bool is_score(double number) {
  return number >= 0 && number <= 1;
}

// Reads a confidence, an ID, or both in either order, after the keypoints. IDs are integers.
bool read_end(const std::vector<double>& end, PersonDetection* person) {
  if (end.empty()) return true;
  if (end.size() == 1) {
    if (is_score(end[0])) person->score = static_cast<float>(end[0]);
    return is_score(end[0]) || is_whole(end[0]);
  }
  const bool score_first = is_score(end[0]) && is_whole(end[1]);
  const bool score_last = is_score(end[1]) && is_whole(end[0]);
  if (score_first || score_last) person->score = static_cast<float>(end[score_first ? 0 : 1]);
  return score_first || score_last;
}

// Returns what is wrong; empty: nothing.
std::string read_rest(std::vector<double> rest, const DetectionFileOptions& options, DetectionFile* file,
                      PersonDetection* person) {
  const size_t behind = rest.size() % 3;
  const std::vector<double> end(rest.end() - static_cast<std::ptrdiff_t>(behind), rest.end());
  if (!read_end(end, person))
    return "behind the box stand neither keypoints (x, y, score) nor a confidence and an identity";
  rest.resize(rest.size() - behind);
  if (rest.empty()) return {};
  for (size_t i = 0; i < rest.size(); i += 3)
    rest[i] = rest[i] * options.width_px - 0.5, rest[i + 1] = rest[i + 1] * options.height_px - 0.5;
  person->keypoints = joints_from_threes(rest).value();
  if (const Skeleton* skeleton = skeleton_of_size(person->keypoints.size())) file->skeleton = skeleton->name;
  return {};
}

void read_frame(const std::string& text, int64_t frame, const std::string& name,
                const DetectionFileOptions& options, DetectionFile* file, Frames* frames) {
  frames->look(frame, name);
  for_each_line(text, [&](int64_t number, std::string_view line) {
    const std::string where = name + ", " + line_name(number);
    const std::vector<std::string> fields = fields_of(line);
    const auto numbers = numbers_behind_class(fields);
    if (!numbers)
      return frames->problem(where, "\"" + std::string(line.substr(0, 60)) +
                                        "\" stands where class, x, y, width, height are expected");
    PersonDetection person;
    person.width_px = static_cast<float>((*numbers)[2] * options.width_px);
    person.height_px = static_cast<float>((*numbers)[3] * options.height_px);
    person.left_px = static_cast<float>((*numbers)[0] * options.width_px - 0.5) - person.width_px / 2;
    person.top_px = static_cast<float>((*numbers)[1] * options.height_px - 0.5) - person.height_px / 2;
    const std::string wrong = read_rest({numbers->begin() + kBox, numbers->end()}, options, file, &person);
    if (!wrong.empty()) return frames->problem(where, wrong);
    frames->add(frame, std::move(person), where, class_text(fields.front()));
  });
}

std::map<std::string, std::string> names_in(const std::filesystem::path& list) {
  const auto text = read_text(list);
  if (!text) return {};
  return parse_class_names(*text, list.extension() == ".yaml");
}

FileClasses listed_names(const std::filesystem::path& list) {
  FileClasses classes;
  if (!list.empty()) classes.names = names_in(list);
  classes.listed = !classes.names.empty();
  return classes;
}

Status read(const Source& source, const DetectionFileOptions& options, DetectionFile* file) {
  if (options.width_px <= 0 || options.height_px <= 0)
    return fail(ErrorKind::invalid_argument,
                "YOLO's text holds shares of the picture, whose size is not known", source.path.string(),
                "Give the camera's picture size, a video or a calibration.");
  file->width_px = options.width_px, file->height_px = options.height_px;
  Frames frames(file);
  if (!source.folder)
    read_frame(source.text, source.frame_or(1), source.path.stem().string(), options, file, &frames);
  for (size_t i = 0; i < source.files.size(); ++i) {
    VANTAGE_ASSIGN(const std::string text, read_text(source.files[i]));
    read_frame(text, source.frames[i], source.files[i].filename().string(), options, file, &frames);
  }
  VANTAGE_TRY(frames.keep_people(listed_names(class_names_file(source.path)), ClassList::yolo, options,
                                 source.path.string()));
  frames.finish(Gaps::empty, source.from_zero ? Numbers::from_zero : Numbers::from_one, options);
  return {};
}

}  // namespace yolo

const Format kYolo = {"YOLO", yolo::recognise, yolo::read,
                      "a folder with a text file a frame, in shares of the picture, people by classes.txt, "
                      "else class 0; from 1"};

}  // namespace vantage::detections_detail

namespace vantage {

std::filesystem::path class_names_file(const std::filesystem::path& detections) {
  std::error_code none;
  const bool file = std::filesystem::is_regular_file(detections, none);
  std::filesystem::path place = std::filesystem::absolute(detections / (file ? ".." : "."), none);
  place = place.lexically_normal().parent_path();
  for (int above = 0; above < 3 && !place.empty(); ++above, place = place.parent_path())
    for (const char* name : {"classes.txt", "obj.names", "labels.txt", "data.yaml", "dataset.yaml"})
      if (std::filesystem::is_regular_file(place / name, none) &&
          !detections_detail::yolo::names_in(place / name).empty())
        return place / name;
  return {};
}

}  // namespace vantage
