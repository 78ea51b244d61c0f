#include "core/detections/detection_file.h"

#include <algorithm>
#include <iterator>

#include "core/base/file.h"
#include "core/base/frame_names.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/detections/formats/format.h"
#include "core/detections/formats/table.h"

namespace vantage::detections_detail {
namespace {

// Errors about files that no format recognises; private to core/detections.

using nlohmann::json;

constexpr size_t kShown = 60;  // characters of a line

std::string shown(std::string_view line) {
  std::string text(line.substr(0, kShown));
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return "\"" + text + (line.size() > kShown ? "…\"" : "\"");
}

Error unknown(const Source& source, const std::string& what, const std::string& expected) {
  return {ErrorKind::unsupported, "not a known format of detections: " + what, source.path.string(),
          expected};
}

std::string keys_of(const json& object) {
  std::string keys;
  size_t count = 0;
  for (const auto& [key, value] : object.items()) {
    if (++count > 6) return keys + ", …";
    append_item(&keys, key);
  }
  return keys.empty() ? "nothing" : keys;
}

Error of_json(const Source& source) {
  const json& document = *source.json;
  if (document.is_object())
    return unknown(
        source, "a JSON object of " + keys_of(document),
        "Expected are \"people\" (OpenPose), \"images\" and \"annotations\" (COCO), or \"samples\" or "
        "\"labels\" (FiftyOne).");
  if (document.empty()) return unknown(source, "an empty JSON list", "COCO's results list each box.");
  const json& first = document.front();
  return unknown(source,
                 "a JSON list whose first entry holds " +
                     (first.is_object() ? keys_of(first) : std::string("no object")),
                 "Each entry of COCO's results has image_id, category_id and bbox.");
}

// The error about text that starts as JSON and is invalid.
Error of_broken_json(const Source& source) {
  std::string why;
  try {
    (void)parse_json_or_throw(source.text);
  } catch (const json::exception& error) {
    why = error.what();
  }
  const size_t at = why.find("line "), end = why.find(':', at);
  const std::string place = at == std::string::npos ? "" : " at " + why.substr(at, end - at);
  return unknown(source, "it begins as JSON and is truncated or damaged" + place, "Copy it again.");
}

int64_t numbers_in(const std::vector<std::string>& fields, char separator) {
  return std::count_if(fields.begin(), fields.end(), [&](const std::string& field) {
    return number_of_field(field, separator).has_value();
  });
}

Error of_text(const Source& source) {
  if (const std::string lacking = lacking_columns(source.text); !lacking.empty())
    return unknown(source, lacking, "Name the columns frame, left, top, width, height, score.");
  std::string first;
  int64_t line = 0;
  for_each_line(source.text, [&](int64_t number, std::string_view text) {
    if (line == 0 && !is_comment(text)) first = text, line = number;
  });
  const std::string stands = "line " + std::to_string(line) + " is " + shown(first);
  for (const char separator : {',', ';', '\t', ' '}) {
    const std::vector<std::string> fields = fields_of_row(first, separator);
    const int64_t numbers = numbers_in(fields, separator);
    if (numbers < 2) continue;
    const bool all = numbers == static_cast<int64_t>(fields.size());
    return unknown(
        source,
        stands + (all ? ", " + std::to_string(numbers) + " numbers" : ", of which not all are numbers"),
        "A row of MOTChallenge has 6 to 10: frame, id, left, top, width, height, score; one of YOLO "
        "class, x, y, width, height as shares of the picture.");
  }
  return unknown(
      source, line == 0 ? "it holds no row" : stands,
      "Expected are rows as MOTChallenge's, frame, id, left, top, width, height, score, or a header "
      "that names such columns.");
}

// One sentence with the nearest format, the line, what it contains and what is expected.
Error nearest_format(const Source& source) {
  if (source.text.starts_with("\x89HDF"))
    return unknown(source, "an HDF5 file",
                   "Convert it to CSV: DeepLabCut by analyze_videos_converth5_to_csv, SLEAP by "
                   "`sleap-convert --format analysis.csv`.");
  if (source.text.find('\0') != std::string::npos)
    return unknown(source, "it is not a text", "Detections are text: MOTChallenge, COCO, YOLO and others.");
  if (source.json) return of_json(source);
  const std::string first = first_line(source.text);
  if (first.starts_with('{') || first.starts_with('[')) return of_broken_json(source);
  return of_text(source);
}

}  // namespace

}  // namespace vantage::detections_detail

namespace vantage {
namespace {

using namespace detections_detail;

// Tried in this order: the first that recognises a file reads it.
const Format* const kFormats[] = {&kVantageLines, &kOpenPose,     &kEasyMocap, &kAlphaPose, &kCoco,
                                  &kLabelStudio,  &kFiftyOne,     &kCvat,      &kShelf,     &kDeepLabCut,
                                  &kSleap,        &kMotChallenge, &kKitti,     &kYolo};

constexpr size_t kTriedFiles = 50;  // files tried in a folder, until one is recognised

// A list of classes next to YOLO's files.
bool is_list_of_names(const std::filesystem::path& file) {
  return file.filename() == "classes.txt" || file.filename() == "labels.txt";
}

// The text files of a folder of the most frequent kind: files of other kinds are ignored.
Status list_files(Source* source, std::vector<std::string>* others) {
  std::vector<std::filesystem::path> texts, documents;
  std::error_code code;
  for (std::filesystem::directory_iterator entry(source->path, code), end; !code && entry != end;
       entry.increment(code)) {
    const std::filesystem::path file = entry->path();
    if (!entry->is_regular_file(code) || is_list_of_names(file) || is_system_file(file.filename().string()))
      continue;
    if (file.extension() == ".txt") texts.push_back(file);
    if (file.extension() == ".json") documents.push_back(file);
  }
  if (code) return fail(ErrorKind::io, "reading failed (" + code.message() + ")", source->path.string());
  const bool more_texts = texts.size() >= documents.size();
  source->files = more_texts ? texts : documents;
  for (const auto& file : more_texts ? documents : texts) others->push_back(file.filename().string());
  std::sort(source->files.begin(), source->files.end());
  if (source->files.empty())
    return fail(ErrorKind::bad_data, "the folder holds no .txt or .json file", source->path.string(),
                "Name the folder with one file a frame, or the file itself.");
  return {};
}

// Frame numbers from the names of a folder's files, or of a file that is a single frame.
Status number_files(const DetectionFileOptions& options, std::vector<std::string> others, Source* source) {
  std::vector<std::string> names;
  for (const auto& file : source->files) names.push_back(file.filename().string());
  VANTAGE_ASSIGN(const PictureFrames named, frames_of_pictures(names, options, source->path.string()));
  std::vector<std::pair<int64_t, std::filesystem::path>> numbered;
  for (size_t i = 0; i < names.size(); ++i)
    if (const auto frame = named.frames.find(names[i]); frame != named.frames.end())
      numbered.emplace_back(frame->second, source->files[i]);
    else
      others.push_back(names[i]);
  std::sort(numbered.begin(), numbered.end());
  source->files.clear();
  for (const auto& [frame, file] : numbered) source->frames.push_back(frame), source->files.push_back(file);
  source->from_zero = named.from_zero;
  source->frames_said = named.said;
  if (others.empty()) return {};
  std::string list;
  for (size_t i = 0; i < std::min<size_t>(3, others.size()); ++i) list += (i == 0 ? "" : ", ") + others[i];
  if (others.size() > 3) list += " and " + std::to_string(others.size() - 3) + " more";
  source->notes.push_back("not named as the others and left out: " + list);
  return {};
}

Status take_text(const std::filesystem::path& path, Source* source) {
  VANTAGE_ASSIGN(source->text, read_text(path));
  source->json.reset();
  const std::string first = first_line(source->text);
  if (!first.starts_with('{') && !first.starts_with('[')) return {};
  auto json = parse_json_with_nan(source->text);
  if (!json.is_discarded()) source->json = std::make_shared<nlohmann::json>(std::move(json));
  return {};
}

const Format* recognised(const Source& source, const std::string& named) {
  for (const Format* format : kFormats)
    if (named.empty() ? format->recognise(source) : named == format->name) return format;
  return nullptr;
}

// The first recognised file of a folder decides, so that one damaged file does not invalidate the others.
Result<const Format*> choose_format(const std::string& named, Source* source) {
  std::vector<std::filesystem::path> files = source->folder ? source->files : std::vector{source->path};
  files.resize(std::min(files.size(), kTriedFiles));
  std::optional<Source> first;
  for (const std::filesystem::path& file : files) {
    VANTAGE_TRY(take_text(file, source));
    if (first_line(source->text).empty() && source->folder) continue;
    if (const Format* format = recognised(*source, named)) return format;
    if (!first) first = *source;
  }
  if (!named.empty())
    return fail(ErrorKind::unsupported, "there is no format \"" + named + "\"", source->path.string());
  if (!first)
    return fail(ErrorKind::bad_data, "the folder holds no .txt or .json file with content",
                source->path.string(), "Name the folder with one file a frame, or the file itself.");
  return fail(nearest_format(*first));
}

}  // namespace

int64_t DetectionFile::known_frames() const {
  return std::count_if(frames.begin(), frames.end(), [](const auto& frame) { return frame.known; });
}

int64_t DetectionFile::people() const {
  int64_t all = 0;
  for (const CameraDetections& frame : frames) all += static_cast<int64_t>(frame.people.size());
  return all;
}

std::vector<DetectionFormat> detection_formats() {
  std::vector<DetectionFormat> all;
  for (const Format* format : kFormats) all.push_back({format->name, format->help});
  return all;
}

DetectionFileOptions reading_options(const CameraDetectionFile& named, int width_px, int height_px,
                                     double frame_rate, int64_t frame_count) {
  DetectionFileOptions options;
  options.width_px = width_px, options.height_px = height_px;
  options.person_class = named.person_class, options.frames_by = named.frames_by;
  options.first_frame = named.first_frame;
  options.frame_rate = frame_rate, options.frame_count = frame_count;
  return options;
}

Result<DetectionFile> read_detection_file(const std::filesystem::path& path,
                                          const DetectionFileOptions& options) {
  Source source;
  source.path = path;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    return fail(ErrorKind::not_found, "there is no such file or folder", path.string());
  source.folder = std::filesystem::is_directory(path, ignored);
  std::vector<std::string> others;
  if (source.folder) VANTAGE_TRY(list_files(&source, &others));
  VANTAGE_ASSIGN(const Format* format, choose_format(options.format, &source));
  if (source.folder)
    VANTAGE_TRY(number_files(options, std::move(others), &source));
  else if (const auto named = frames_of_pictures({path.filename().string()}, options, ""))
    source.frames = {named->frames.begin()->second};
  DetectionFile file;
  file.format = format->name;
  file.frames_said = source.frames_said;
  file.notes = source.notes;
  VANTAGE_TRY(format->read(source, options, &file));
  if (file.frames.empty() && file.skipped > 0)
    return fail(ErrorKind::bad_data, "nothing in it could be read; " + file.problems.front(), path.string(),
                "It was read as " + file.format + ".");
  return file;
}

namespace detections_detail {

Result<std::string> read_text(const std::filesystem::path& path) {
  VANTAGE_ASSIGN(std::string text, read_file(path));
  return as_utf8(std::move(text));
}

}  // namespace detections_detail

}  // namespace vantage
