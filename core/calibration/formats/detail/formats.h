// The calibration formats, a line each in formats.cpp. A new one is a file with its functions, declared below
// and in readers.h, and its line; a line in resources/docs/formats.md tells users.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/calibration/formats/detail/readers.h"

namespace vantage::calibration_detail {

enum class Syntax { xml, json, yaml, toml, dictionary, colmap, numbers };

// A file as its syntax reads it: xml_of(), json_of() (YAML too) or toml_of() give the content.
struct Document {
  virtual ~Document() = default;
  std::filesystem::path path;
  std::string where() const { return path.string(); }
};

struct CalibrationFormat {
  Syntax syntax;
  const char* name;
  const char* known_by;  // for people: what such a file holds, or how it is called; may be empty
  bool (*matches)(const Document& file);  // of this syntax; the first that matches reads the file
  // Null: read as another row.
  Result<RawCalibration> (*read)(const Document& file, const CalibrationOptions& options);
  const char* option = nullptr;  // its name on the command line; null: not written
  WrittenFiles (*write)(std::span<const Camera> cameras) = nullptr;
};
std::span<const CalibrationFormat> calibration_formats();

// The formats of that syntax with what their files hold, as a sentence for errors; no syntax: what any file
// is.
std::string expected_in(std::optional<Syntax> syntax);
// A line of a text for an error: "line 3, \"x = [1,\"". Lines count from 1.
std::string line_in(const std::string& text, size_t line);

// `text` is not empty and, unless it is XML in UTF-16, holds no byte 0.
Result<RawCalibration> read_calibration_text(const std::string& text, const std::filesystem::path& path,
                                             const CalibrationOptions& options);

// A text that is not of the syntax is an error that says where it breaks off.
using ParsedDocument = Result<std::unique_ptr<Document>>;
ParsedDocument parse_xml(const std::string& text, const std::string& where);
bool looks_like_utf16_xml(const std::string& text);
ParsedDocument parse_json(const std::string& text, const std::string& where);
ParsedDocument parse_yaml(const std::string& text, const std::string& where);
ParsedDocument parse_toml(const std::string& text, const std::string& where);
ParsedDocument parse_dictionary(const std::string& text, const std::string& where);  // Python's; json_of()
ParsedDocument parse_colmap(const std::string& text, const std::string& where);
bool looks_like_colmap(const std::string& text);
ParsedDocument parse_number_list(const std::string& text, const std::string& where);  // nothing but numbers
bool looks_like_numbers(const std::string& text);

bool is_opencv_xml(const Document& file);
bool is_opencv_xml_pair(const Document& file);
bool is_opencv_yaml(const Document& file);
bool is_qualisys_xml(const Document& file);
bool is_vicon_xcp(const Document& file);
bool is_motive_mcal(const Document& file);
bool is_panoptic_json(const Document& file);
bool is_k_r_t_json(const Document& file);
bool is_k_rt_json(const Document& file);
bool is_caliscope_toml(const Document& file);
bool is_kalibr_yaml(const Document& file);
bool is_mrcal(const Document& file);
bool is_easymocap(const Document& file);
bool is_matlab_json(const Document& file);
bool is_biocv(const Document& file);
bool is_calib_io(const Document& file);
bool is_opencap(const Document& file);
bool is_caliscope_config(const Document& file);
bool is_colmap(const Document& file);

Result<RawCalibration> read_opencv_xml(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_opencv_xml_pair(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_opencv_yaml(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_qualisys_xml(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_vicon_xcp(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_motive_mcal(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_panoptic_json(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_k_r_t_json(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_k_rt_json(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_vantage_json(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_caliscope_toml(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_kalibr_yaml(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_mrcal(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_easymocap(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_matlab_json(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_biocv(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_calib_io(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_opencap(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_caliscope_config(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_colmap(const Document& file, const CalibrationOptions& options);
Result<RawCalibration> read_sections_toml(const Document& file, const CalibrationOptions& options);

}  // namespace vantage::calibration_detail
