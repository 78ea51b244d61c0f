#include "core/calibration/formats/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/text_encoding.h"
#include "core/calibration/formats/detail/formats.h"

namespace vantage {
namespace {

using calibration_detail::RawCalibration;
using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

constexpr uintmax_t max_file_bytes =
    16u << 20;  // a calibration is text of a few kilobytes; a video is not read whole

// The rotation that takes the file's world to ours: the named axis becomes +z, one of the others stays.
Result<RowMajor3d> world_from_file(const std::string& up_axis, const std::string& where) {
  struct Turn {
    const char* up;
    std::array<double, 9> rotation;
  };
  static constexpr std::array<Turn, 6> turns = {{{"z", {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                                                 {"-z", {1, 0, 0, 0, -1, 0, 0, 0, -1}},
                                                 {"y", {1, 0, 0, 0, 0, -1, 0, 1, 0}},
                                                 {"-y", {1, 0, 0, 0, 0, 1, 0, -1, 0}},
                                                 {"x", {0, 0, -1, 0, 1, 0, 1, 0, 0}},
                                                 {"-x", {0, 0, 1, 0, 1, 0, -1, 0, 0}}}};
  for (const Turn& turn : turns)
    if (up_axis == turn.up) return RowMajor3d(Eigen::Map<const RowMajor3d>(turn.rotation.data()));
  return fail(ErrorKind::invalid_argument, "unknown up-axis \"" + up_axis + "\"", where,
              "Use x, -x, y, -y, z or -z.");
}

Result<std::string> read_text(const std::filesystem::path& path) {
  std::error_code code;
  const uintmax_t size = std::filesystem::file_size(path, code);
  if (!code && size > max_file_bytes)
    return fail(ErrorKind::bad_data,
                "is too large for a calibration file (" + std::to_string(size >> 20) + " MiB)", path.string(),
                calibration_detail::expected_in({}));
  VANTAGE_ASSIGN(std::string text, read_file(path));
  const bool as_it_is =
      calibration_detail::looks_like_pickle(text) || calibration_detail::looks_like_utf16_xml(text);
  return as_it_is ? text : as_utf8(std::move(text));
}

Result<RawCalibration> read_raw(const std::string& text, const std::filesystem::path& path,
                                const CalibrationOptions& options) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(ErrorKind::bad_data, "the file is empty", path.string(), calibration_detail::expected_in({}));
  const bool binary =
      calibration_detail::looks_like_pickle(text) || calibration_detail::looks_like_utf16_xml(text);
  if (!binary && text.find('\0') != std::string::npos)
    return fail(ErrorKind::bad_data, "is not a text file", path.string(),
                calibration_detail::expected_in({}));
  return calibration_detail::read_calibration_text(text, path, options);
}

Result<double> unit_of(const RawCalibration& raw, const CalibrationOptions& options,
                       const std::string& where) {
  if (!options.unit_scale_m) {
    if (raw.unit_m > 0) return raw.unit_m;
    return fail(ErrorKind::invalid_argument, raw.format + " does not state the unit of its translation",
                where,
                "Give the metres per unit (--unit-scale): the side of a board square where the calibration "
                "counts squares (0.115 for squares of 115 mm), 0.001 for millimetres, 1 for metres.");
  }
  const double scale = *options.unit_scale_m;
  if (!(scale > 0) || !std::isfinite(scale))
    return fail(ErrorKind::invalid_argument, "the unit scale must be a positive number of metres",
                "--unit-scale");
  if (raw.unit_is_stated_in_file && std::abs(scale - raw.unit_m) > 1e-12)
    return fail(ErrorKind::invalid_argument, "the file states its unit, and it differs from the one given",
                where, "Leave the unit (--unit-scale) as stated in the file.");
  return scale;
}

std::string stated(double unit_m, const std::string& up_axis, const std::string& world) {
  const std::string unit = unit_m == 1 ? std::string("metres") : formatted("units of %.6g m", unit_m);
  return unit + ", " + up_axis + " up" + (world.empty() ? "" : ", the world is " + world);
}

void convert(double unit_m, const RowMajor3d& turn, PinholeCamera<double>* camera) {
  Eigen::Map<RowMajor3d> rotation(camera->rotation_cam_from_world);
  rotation = (rotation * turn.transpose()).eval();
  for (double& t : camera->translation_cam_from_world_m) t *= unit_m;
}

}  // namespace

Result<std::vector<Camera>> calibration_detail::make_cameras(const RawCalibration& raw,
                                                             const std::string& where) {
  std::vector<Camera> cameras;
  for (size_t i = 0; i < raw.cameras.size(); ++i) {
    if (std::find(raw.names.begin(), raw.names.begin() + i, raw.names[i]) != raw.names.begin() + i)
      return fail(ErrorKind::bad_data, "two cameras are called \"" + raw.names[i] + "\"", where,
                  "Give each camera its own name.");
    auto camera = Camera::make(raw.names[i], raw.cameras[i]);
    if (!camera) {
      Error error = std::move(camera).error();
      error.where = where + ", camera " + raw.names[i];
      return fail(std::move(error));
    }
    cameras.push_back(std::move(*camera));
  }
  return cameras;
}

Result<Calibration> read_calibration(const std::filesystem::path& path, const CalibrationOptions& options) {
  VANTAGE_ASSIGN(const std::string text, read_text(path));
  VANTAGE_ASSIGN(RawCalibration raw, read_raw(text, path, options));
  std::string up_axis = options.up_axis.value_or(raw.up_axis);
  if (up_axis.find('+') == 0) up_axis.erase(0, 1);
  VANTAGE_ASSIGN(const RowMajor3d turn,
                 world_from_file(up_axis, options.up_axis ? "up-axis" : path.string()));
  if (raw.unit_is_stated_in_file && !turn.isIdentity())
    return fail(ErrorKind::invalid_argument,
                "the file states that z points up, and the up-axis given differs", path.string(),
                "Leave the up-axis as stated in the file.");
  VANTAGE_ASSIGN(const double unit_m, unit_of(raw, options, path.string()));
  for (PinholeCamera<double>& camera : raw.cameras) convert(unit_m, turn, &camera);
  VANTAGE_ASSIGN(std::vector<Camera> cameras, calibration_detail::make_cameras(raw, path.string()));
  std::string told = stated(unit_m, up_axis, raw.world);
  for (const std::string& one : raw.left_out) told += "; " + one;
  return Calibration{raw.format,
                     std::move(told),
                     std::move(cameras),
                     unit_m,
                     raw.unit_is_stated_in_file,
                     std::move(raw.left_out)};
}

Result<std::vector<std::filesystem::path>> save_calibration(const std::vector<Camera>& cameras,
                                                            const std::string& format,
                                                            const std::filesystem::path& out, bool replace) {
  VANTAGE_ASSIGN(const std::vector<CalibrationFile> files, write_calibration(cameras, format));
  std::error_code code;
  const bool folder = files.size() > 1 || std::filesystem::is_directory(out, code) || !out.has_filename();
  std::vector<std::filesystem::path> places;
  for (const CalibrationFile& file : files) {
    places.push_back(file.name.empty() || !folder ? out : out / file.name);
    if (!replace && std::filesystem::exists(places.back(), code))
      return fail(ErrorKind::invalid_argument, "is there already", places.back().string(),
                  "Give another name, or --replace to overwrite it.");
  }
  for (size_t i = 0; i < files.size(); ++i) {
    if (places[i] != out) std::filesystem::create_directories(out, code);
    VANTAGE_TRY(write_file_atomically(places[i], files[i].text));
  }
  return places;
}

}  // namespace vantage
