#include "core/detections/detection_file.h"

#include <algorithm>
#include <iterator>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/detections/formats/format.h"

namespace vantage {
namespace {

using namespace detections_detail;

// Asked in this order: the first that recognises a file reads it.
const Format* const kFormats[] = {&kVantageLines, &kOpenPose,     &kAlphaPose, &kCoco,
                                  &kShelf,        &kMotChallenge, &kKitti,     &kYolo};

bool hidden(const std::filesystem::path& file) {
  return file.filename().string().starts_with('.') || file.filename() == "classes.txt";
}

Status list_files(Source* source) {
  std::error_code code;
  for (std::filesystem::directory_iterator entry(source->path, code), end; !code && entry != end;
       entry.increment(code))
    if (entry->is_regular_file(code) && !hidden(entry->path()) &&
        (entry->path().extension() == ".txt" || entry->path().extension() == ".json"))
      source->files.push_back(entry->path());
  if (code) return fail(ErrorKind::io, "reading failed (" + code.message() + ")", source->path.string());
  std::sort(source->files.begin(), source->files.end(), [](const auto& a, const auto& b) {
    const auto frame_a = frame_of_name(a.stem().string()), frame_b = frame_of_name(b.stem().string());
    return frame_a != frame_b ? frame_a < frame_b : a < b;
  });
  for (const std::filesystem::path& file : source->files) {
    VANTAGE_ASSIGN(source->text, read_file(file));
    if (!first_line(source->text).empty()) return {};
  }
  return fail(ErrorKind::bad_data, "the folder holds no .txt or .json file with content",
              source->path.string(), "Name the folder with one file a frame, or the file itself.");
}

Result<Source> open_source(const std::filesystem::path& path) {
  Source source;
  source.path = path;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    return fail(ErrorKind::not_found, "there is no such file or folder", path.string());
  source.folder = std::filesystem::is_directory(path, ignored);
  if (source.folder) {
    VANTAGE_TRY(list_files(&source));
  } else {
    VANTAGE_ASSIGN(source.text, read_file(path));
  }
  const std::string first = first_line(source.text);
  if (first.starts_with('{') || first.starts_with('[')) {
    auto json = parse_json(source.text);
    if (!json.is_discarded()) source.json = std::make_shared<nlohmann::json>(std::move(json));
  }
  return source;
}

std::string names_of_formats() {
  std::string names;
  for (const Format* format : kFormats) names += (names.empty() ? "" : ", ") + std::string(format->name);
  return names;
}

Result<const Format*> choose_format(const Source& source, const std::string& named) {
  for (const Format* format : kFormats)
    if (named.empty() ? format->recognise(source) : named == format->name) return format;
  return fail(ErrorKind::unsupported,
              named.empty() ? "not a known format of detections" : "there is no format \"" + named + "\"",
              source.path.string(), "Known are " + names_of_formats() + ".");
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

Result<DetectionFile> read_detection_file(const std::filesystem::path& path,
                                          const DetectionFileOptions& options) {
  VANTAGE_ASSIGN(const Source source, open_source(path));
  VANTAGE_ASSIGN(const Format* format, choose_format(source, options.format));
  DetectionFile file;
  file.format = format->name;
  VANTAGE_TRY(format->read(source, options, &file));
  if (file.frames.empty() && file.skipped > 0)
    return fail(ErrorKind::bad_data, "nothing in it could be read; " + file.problems.front(), path.string(),
                "It was read as " + file.format + ".");
  return file;
}

}  // namespace vantage
