#include "core/calibration/formats/calibration.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/calibration/formats/detail/formats.h"
#include "core/calibration/formats/detail/readers.h"

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
  // Protocols 2 to 5, whose first byte no text has.
  if (text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5)
    return fail(ErrorKind::unsupported, "is a Python pickle, which only Python reads", path.string(),
                "Run python3 pickle_to_json.py on it (resources/python, installed in "
                "/usr/share/doc/vantage), and give the calibration's JSON that it writes.");
  return calibration_detail::looks_like_utf16_xml(text) ? text : as_utf8(std::move(text));
}

Result<RawCalibration> read_raw(const std::string& text, const std::filesystem::path& path,
                                const CalibrationOptions& options) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(ErrorKind::bad_data, "the file is empty", path.string(), calibration_detail::expected_in({}));
  if (!calibration_detail::looks_like_utf16_xml(text) && text.find('\0') != std::string::npos)
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
  const std::string unit = unit_m == 1 ? std::string("metres") : fmt::format("units of {:.6g} m", unit_m);
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

// A mirrored rotation is one again in the mirrored world; of a proper one the picture's x axis is mirrored,
// too.
void mirror(PinholeCamera<double>* camera) {
  Eigen::Map<RowMajor3d> rotation(camera->rotation_cam_from_world);
  rotation.col(1) *= -1;
  if (rotation.determinant() > 0) return;
  rotation.row(0) *= -1;
  camera->translation_cam_from_world_m[0] *= -1;
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
  for (PinholeCamera<double>& camera : raw.cameras) {
    convert(unit_m, turn, &camera);
    if (options.mirror) mirror(&camera);
  }
  VANTAGE_ASSIGN(std::vector<Camera> cameras, calibration_detail::make_cameras(raw, path.string()));
  std::string told = stated(unit_m, up_axis, raw.world) + (options.mirror ? ", mirrored" : "");
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

namespace vantage::calibration_detail {
namespace {

Status check_finite(std::span<const double> values, const char* what, const std::string& where) {
  if (std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) return {};
  return fail(ErrorKind::bad_data, std::string("the ") + what + " holds a value that is not a finite number",
              where, "Calibrate this camera again or repair the file.");
}

Status check_count(std::span<const double> values, const char* what, const std::string& expected, bool right,
                   const std::string& where) {
  if (right) return check_finite(values, what, where);
  return fail(ErrorKind::bad_data,
              std::string("the ") + what + " has " + std::to_string(values.size()) + " numbers instead of " +
                  expected,
              where);
}

// The first into the members, which those that are missing leave at 0; what is beyond them has to be 0.
Status set_coefficients(std::span<const double> coefficients, std::span<double* const> members,
                        const char* names, const std::string& where) {
  VANTAGE_TRY(check_finite(coefficients, "list of lens coefficients", where));
  for (size_t i = 0; i < coefficients.size(); ++i) {
    if (i < members.size())
      *members[i] = coefficients[i];
    else if (coefficients[i] != 0)
      return fail(ErrorKind::unsupported,
                  "the lens has " + std::to_string(coefficients.size()) +
                      " coefficients; the camera model holds " + names,
                  where, "Calibrate with one of OpenCV's lens models, or undistort the videos.");
  }
  return {};
}

}  // namespace

Status set_intrinsics(std::span<const double> matrix, const std::string& where,
                      PinholeCamera<double>* camera) {
  VANTAGE_TRY(check_count(matrix, "camera matrix", "9", matrix.size() == 9, where));
  if (!(matrix[0] > 0) || !(matrix[4] > 0))
    return fail(ErrorKind::bad_data, "the camera matrix has a focal length that is not positive", where,
                "Calibrate this camera again or repair the file.");
  if (std::abs(matrix[1]) > 1e-6 * matrix[0] || matrix[3] != 0)
    return fail(ErrorKind::unsupported, "the camera matrix has a skew, which the camera model does not hold",
                where, "Calibrate with the skew fixed at 0.");
  if (matrix[6] != 0 || matrix[7] != 0 || std::abs(matrix[8] - 1) > 1e-9)
    return fail(ErrorKind::bad_data, "the camera matrix does not end with the row 0 0 1", where,
                "Check that the matrix is stored row by row.");
  camera->fx_px = matrix[0], camera->cx_px = matrix[2];
  camera->fy_px = matrix[4], camera->cy_px = matrix[5];
  return {};
}

Status set_distortion(std::span<const double> coefficients, const std::string& where,
                      PinholeCamera<double>* camera) {
  double* const members[] = {&camera->k1, &camera->k2, &camera->p1,    &camera->p2,   &camera->k3,
                             &camera->k4, &camera->k5, &camera->k6,    &camera->s1,   &camera->s2,
                             &camera->s3, &camera->s4, &camera->tau_x, &camera->tau_y};
  constexpr size_t kOfPolynomial = 5;
  VANTAGE_TRY(
      set_coefficients(coefficients, members, "k1 k2 p1 p2 k3 k4 k5 k6 s1 s2 s3 s4 tau_x tau_y", where));
  const auto beyond = coefficients.subspan(std::min(coefficients.size(), kOfPolynomial));
  const bool rational = std::any_of(beyond.begin(), beyond.end(), [](double v) { return v != 0; });
  camera->lens = rational ? LensModel::rational : LensModel::polynomial;
  return {};
}

Status set_fisheye(std::span<const double> coefficients, const std::string& where,
                   PinholeCamera<double>* camera) {
  double* const members[] = {&camera->k1, &camera->k2, &camera->k3, &camera->k4};
  VANTAGE_TRY(set_coefficients(coefficients, members, "k1 k2 k3 k4", where));
  camera->lens = LensModel::fisheye;
  return {};
}

Status set_rotation(std::span<const double> rotation, const std::string& where,
                    PinholeCamera<double>* camera) {
  const size_t count = rotation.size();
  VANTAGE_TRY(check_count(rotation, "rotation", "3 (a rotation vector) or 9 (a matrix)",
                          count == 3 || count == 9, where));
  Eigen::Matrix<double, 3, 3, Eigen::RowMajor> matrix;
  if (count == 9) {
    std::copy(rotation.begin(), rotation.end(), matrix.data());
  } else {
    const Eigen::Vector3d vector(rotation[0], rotation[1], rotation[2]);
    const double angle = vector.stableNorm();
    matrix.setIdentity();
    if (angle > 0) matrix = Eigen::AngleAxisd(angle, vector / angle).toRotationMatrix();
  }
  std::copy(matrix.data(), matrix.data() + 9, camera->rotation_cam_from_world);
  return {};
}

Status set_translation(std::span<const double> translation, const std::string& where,
                       PinholeCamera<double>* camera) {
  VANTAGE_TRY(check_count(translation, "translation", "3", translation.size() == 3, where));
  std::copy(translation.begin(), translation.end(), camera->translation_cam_from_world_m);
  return {};
}

std::array<double, 9> intrinsics_of(const PinholeCamera<double>& camera) {
  return {camera.fx_px, 0, camera.cx_px, 0, camera.fy_px, camera.cy_px, 0, 0, 1};
}

// Goes by way of the quaternion, which is exact near half a turn, too, where the matrix's trace is not.
std::array<double, 3> rotation_vector_of(const PinholeCamera<double>& camera) {
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> matrix(camera.rotation_cam_from_world);
  const Eigen::Quaterniond turn{Eigen::Matrix3d(matrix)};
  const double length = turn.vec().norm();
  if (length == 0) return {0, 0, 0};
  const double angle = 2 * std::atan2(turn.w() < 0 ? -length : length, std::abs(turn.w()));
  const Eigen::Vector3d vector = turn.vec() / length * angle;
  return {vector.x(), vector.y(), vector.z()};
}

Status check_lenses(std::span<const Camera> cameras, const LensesHeld& held) {
  constexpr const char* kNames[] = {"k1", "k2", "p1", "p2", "k3", "k4",    "k5",
                                    "k6", "s1", "s2", "s3", "s4", "tau_x", "tau_y"};
  const auto refuse = [&](const Camera& camera, const std::string& what) {
    return fail(ErrorKind::unsupported, "the lens " + what + ", which " + held.format + " does not hold",
                camera.name(), "Write another format, or calibrate with a lens that it holds.");
  };
  for (const Camera& camera : cameras) {
    const bool fisheye = camera.model().lens == LensModel::fisheye;
    if (fisheye && !held.fisheye) return refuse(camera, "is a fisheye");
    const std::vector<double> coefficients = lens_coefficients(camera.model());
    for (size_t i = held.coefficients; !fisheye && i < coefficients.size(); ++i)
      if (coefficients[i] != 0) return refuse(camera, std::string("has a coefficient ") + kNames[i]);
  }
  return {};
}

WrittenFiles file_each(std::span<const Camera> cameras, const char* suffix,
                       std::string (*text_of)(const PinholeCamera<double>&)) {
  std::vector<CalibrationFile> files;
  std::map<std::string, std::string> taken;
  for (const Camera& camera : cameras) {
    std::string name = camera.name();
    for (char& c : name)
      if (c == '/' || static_cast<unsigned char>(c) < ' ') c = '_';
    if (name.empty() || name == "." || name == "..") name = "camera_" + std::to_string(files.size() + 1);
    if (const auto [other, fresh] = taken.try_emplace(name, camera.name()); !fresh)
      return fail(ErrorKind::invalid_argument,
                  "the file " + name + suffix + " would be this camera's and that of " + other->second,
                  camera.name(), "Give one of them another name.");
    files.push_back({name + suffix, text_of(camera.model())});
  }
  return files;
}

}  // namespace vantage::calibration_detail
