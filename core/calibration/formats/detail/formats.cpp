#include "core/calibration/formats/detail/formats.h"

#include "core/base/text.h"
#include "core/calibration/formats/detail/json_readers.h"

namespace vantage::calibration_detail {
namespace {

// Takes what no other format recognises: its reader reports what is missing.
bool any(const Document&) {
  return true;
}

constexpr CalibrationFormat kFormats[] = {
    {Syntax::xml, "OpenCV XML pair", "extr_NAME.xml with rvec, tvec, and intr_NAME.xml", is_opencv_xml_pair,
     read_opencv_xml_pair},
    {Syntax::xml, "OpenCV XML",
     "opencv_storage with mtx, dist, rvec, tvec or CameraMatrix, DistortionCoeffs, Rotation, Translation",
     is_opencv_xml, read_opencv_xml, "opencv-xml", write_opencv_xml},
    {Syntax::xml, "Qualisys QCA", "*.qca.txt", is_qualisys_xml, read_qualisys_xml},
    {Syntax::xml, "Vicon XCP", "*.xcp", is_vicon_xcp, read_vicon_xcp},
    {Syntax::xml, "OptiTrack Motive", "*.mcal", is_motive_mcal, read_motive_mcal},
    {Syntax::toml, "caliscope TOML", "camera_array.toml", is_caliscope_toml, read_caliscope_toml, "caliscope",
     write_caliscope_toml},
    {Syntax::toml, "caliscope config TOML", "config.toml of older versions", is_caliscope_config,
     read_caliscope_config},
    {Syntax::toml, "Pose2Sim TOML", "anipose's too: a section per camera", any, read_sections_toml,
     "pose2sim", write_pose2sim_toml},
    {Syntax::toml, "anipose TOML", "", nullptr, nullptr, "anipose", write_anipose_toml},
    {Syntax::yaml, "OpenCV YAML", "the keys of OpenCV XML", is_opencv_yaml, read_opencv_yaml, "opencv-yaml",
     write_opencv_yaml},
    {Syntax::yaml, "Kalibr YAML", "camchain-*.yaml", is_kalibr_yaml, read_kalibr_yaml, "kalibr",
     write_kalibr_yaml},
    {Syntax::yaml, "EasyMocap YAML", "intri.yml and extri.yml", is_easymocap, read_easymocap},
    {Syntax::json, "MATLAB JSON", "cameras with RadialDistortion", is_matlab_json, read_matlab_json},
    {Syntax::json, "CMU Panoptic JSON", "cameras with type, K, distCoef, R and t", is_panoptic_json,
     read_panoptic_json},
    {Syntax::json, "K+R+t JSON", "cameras with name, K, dist, R and t", is_k_r_t_json, read_k_r_t_json,
     "k-r-t", write_k_r_t_json},
    {Syntax::json, "K+RT JSON", "by camera K and RT", is_k_rt_json, read_k_rt_json},
    {Syntax::json, "Calib.io JSON", "Calibration with cameras", is_calib_io, read_calib_io},
    {Syntax::dictionary, "mrcal", "*.cameramodel", is_mrcal, read_mrcal, "mrcal", write_mrcal},
    {Syntax::colmap, "COLMAP text", "cameras.txt and images.txt", is_colmap, read_colmap, "colmap",
     write_colmap},
    {Syntax::numbers, "bioCV", "*.calib", is_biocv, read_biocv},
    {Syntax::json, "OpenCap", "cameraIntrinsicsExtrinsics.pickle by pickle_to_json.py", is_opencap,
     read_opencap},
    {Syntax::json, "Vantage JSON", "begins with schema", any, read_vantage_json, "vantage",
     write_vantage_json},
};

// The first line with content decides: TOML has sections and key = value, YAML has key: value.
bool looks_like_yaml(const std::string& text) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    if (line.starts_with("%YAML") || line.starts_with("---")) return true;
    return line[first] != '[' && line.find(':') < line.find('=');
  }
  return false;
}

// Start of the first content that is not a comment; the last character: there is none.
size_t behind_comments(const std::string& text) {
  size_t at = 0;
  for (;;) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string::npos) return text.size() - 1;
    if (text[at] != '#') return at;
    at = text.find('\n', at);
    if (at == std::string::npos) return text.size() - 1;
  }
}

Syntax syntax_of(const std::string& text) {
  if (looks_like_utf16_xml(text)) return Syntax::xml;
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (text[first] == '<') return Syntax::xml;
  if (text[behind_comments(text)] == '{')
    return text[first] == '{' && text.find("lensmodel") == std::string::npos ? Syntax::json
                                                                             : Syntax::dictionary;
  if (looks_like_colmap(text)) return Syntax::colmap;
  if (looks_like_numbers(text)) return Syntax::numbers;
  return looks_like_yaml(text) ? Syntax::yaml : Syntax::toml;
}

ParsedDocument parse(Syntax syntax, const std::string& text, const std::string& where) {
  switch (syntax) {
    case Syntax::xml:
      return parse_xml(text, where);
    case Syntax::json:
      return parse_json(text, where);
    case Syntax::yaml:
      return parse_yaml(text, where);
    case Syntax::dictionary:
      return parse_dictionary(text, where);
    case Syntax::colmap:
      return parse_colmap(text, where);
    case Syntax::numbers:
      return parse_number_list(text, where);
    case Syntax::toml:
      break;
  }
  return parse_toml(text, where);
}

const char* syntax_name(Syntax syntax) {
  constexpr const char* kNames[] = {
      "XML", "JSON", "YAML", "TOML", "a Python dictionary", "COLMAP's text", "a list of numbers"};
  return kNames[static_cast<size_t>(syntax)];
}

}  // namespace

std::span<const CalibrationFormat> calibration_formats() {
  return kFormats;
}

std::string expected_in(std::optional<Syntax> syntax) {
  if (!syntax) return "Expected is a text of a few kilobytes, such as OpenCV XML, TOML of Pose2Sim or JSON.";
  std::string list;
  for (const CalibrationFormat& format : kFormats) {
    if (format.syntax != *syntax || !format.read) continue;
    append_item(&list, format.name);
    if (*format.known_by) list += std::string(" (") + format.known_by + ')';
  }
  const char* const others = *syntax == Syntax::xml ? "." : "; OpenCV XML and others are read, too.";
  return std::string("Formats understood in ") + syntax_name(*syntax) + ": " + list + others;
}

std::string line_in(const std::string& text, size_t line) {
  constexpr size_t kShown = 60;
  size_t begin = 0;
  for (size_t i = 1; i < line && begin != std::string::npos; ++i) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  const std::string number = "line " + std::to_string(line);
  if (begin == std::string::npos) return number;
  std::string shown = text.substr(begin, text.find('\n', begin) - begin);
  while (!shown.empty() && static_cast<unsigned char>(shown.back()) <= ' ') shown.pop_back();
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  if (shown.empty()) return number;
  return number + ", \"" + shown.substr(0, kShown) + (shown.size() > kShown ? "…\"" : "\"");
}

Result<RawCalibration> read_calibration_text(const std::string& text, const std::filesystem::path& path,
                                             const CalibrationOptions& options) {
  const Syntax syntax = syntax_of(text);
  VANTAGE_ASSIGN(const std::unique_ptr<Document> document, parse(syntax, text, path.string()));
  document->path = path;
  for (const CalibrationFormat& format : kFormats) {
    if (format.syntax != syntax || !format.read || !format.matches(*document)) continue;
    VANTAGE_ASSIGN(RawCalibration raw, format.read(*document, options));
    if (raw.cameras.empty() && !raw.left_out.empty())
      return fail(ErrorKind::bad_data, "holds no camera with a pose: " + raw.left_out.front(), path.string(),
                  expected_in(syntax));
    raw.format = format.name;
    return raw;
  }
  return fail(ErrorKind::bad_data,
              std::string("is ") + syntax_name(syntax) + ", but no calibration that is understood" +
                  (syntax == Syntax::json || syntax == Syntax::yaml ? keys_held(json_of(*document)) : ""),
              path.string(), expected_in(syntax));
}

}  // namespace vantage::calibration_detail

namespace vantage {

std::vector<std::string> written_calibration_formats() {
  std::vector<std::string> names;
  for (const auto& format : calibration_detail::calibration_formats())
    if (format.write) names.emplace_back(format.option);
  return names;
}

Result<std::vector<CalibrationFile>> write_calibration(const std::vector<Camera>& cameras,
                                                       const std::string& format) {
  if (cameras.empty()) return fail(ErrorKind::invalid_argument, "there is no camera to write");
  std::string known;
  for (const auto& one : calibration_detail::calibration_formats()) {
    if (!one.write) continue;
    if (format == one.option) return one.write(cameras);
    append_item(&known, one.option);
  }
  return fail(ErrorKind::invalid_argument, "\"" + format + "\" is not a format that is written", "",
              "Those are " + known + ".");
}

}  // namespace vantage
