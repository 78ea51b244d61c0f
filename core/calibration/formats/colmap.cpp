// COLMAP's text model (J. Schönberger, J.-M. Frahm, "Structure-from-motion revisited", CVPR 2016):
// cameras.txt with the lenses, images.txt with a pose of each picture, qvec and tvec from world to camera.
// Every picture is a camera here, as cameras at rest have one each. The middle of COLMAP's first pixel is
// (0.5, 0.5). Its world has neither a unit nor a floor of its own.
#include <charconv>
#include <map>
#include <sstream>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/calibration/formats/detail/formats.h"
#include "core/calibration/formats/detail/readers.h"

namespace vantage::calibration_detail {
namespace {

struct ColmapDocument : Document {};  // its text is read with that of the file next to it

// Order of a lens's numbers in a model's list: `focals` of them, 1 (fx = fy) or 2, then the centre, then k1
// k2 p1 p2 k3 k4 k5 k6, a fisheye's k1 k2 k3 k4.
struct Model {
  const char* name;
  size_t focals, coefficients;
  bool fisheye;
};
constexpr Model kModels[] = {{"SIMPLE_PINHOLE", 1, 0, false}, {"PINHOLE", 2, 0, false},
                             {"SIMPLE_RADIAL", 1, 1, false},  {"RADIAL", 1, 2, false},
                             {"OPENCV", 2, 4, false},         {"FULL_OPENCV", 2, 8, false},
                             {"OPENCV_FISHEYE", 2, 4, true},  {"SIMPLE_RADIAL_FISHEYE", 1, 1, true},
                             {"RADIAL_FISHEYE", 1, 2, true}};

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool is_comment(const std::string& line) {
  const size_t first = line.find_first_not_of(" \t\r");
  return first != std::string::npos && line[first] == '#';
}

std::string where_of(const std::filesystem::path& file, size_t line) {
  return file.string() + ", line " + std::to_string(line);
}

Result<std::vector<double>> numbers_of(std::span<const std::string> words, const std::string& where) {
  std::vector<double> numbers;
  for (const std::string& word : words) {
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size())
      return fail(ErrorKind::bad_data, "\"" + word + "\" is not a number", where);
    numbers.push_back(value);
  }
  return numbers;
}

// CAMERA_ID MODEL WIDTH HEIGHT PARAMS…
Result<PinholeCamera<double>> read_lens(const std::vector<std::string>& words, const std::string& where) {
  if (words.size() < 4)
    return fail(ErrorKind::bad_data, "the camera has no size", where, expected_in(Syntax::colmap));
  const Model* model = nullptr;
  for (const Model& one : kModels)
    if (words[1] == one.name) model = &one;
  if (!model)
    return fail(ErrorKind::unsupported, "the camera model " + words[1] + " is not held", where,
                "Calibrate with OPENCV, FULL_OPENCV or OPENCV_FISHEYE.");
  VANTAGE_ASSIGN(const auto size, numbers_of(std::span(words).subspan(2, 2), where));
  VANTAGE_ASSIGN(const auto values, numbers_of(std::span(words).subspan(4), where));
  PinholeCamera<double> camera;
  for (const double side : size)
    if (!(side >= 1 && side <= 65536 && side == static_cast<int>(side)))
      return fail(ErrorKind::bad_data, "the size is not a width and a height in whole pixels", where);
  camera.width_px = static_cast<int>(size[0]), camera.height_px = static_cast<int>(size[1]);
  if (values.size() != model->focals + 2 + model->coefficients)
    return fail(ErrorKind::bad_data,
                words[1] + " has " + std::to_string(values.size()) + " parameters instead of " +
                    std::to_string(model->focals + 2 + model->coefficients),
                where);
  const double fx = values[0], fy = values[model->focals - 1];
  const double cx = values[model->focals] - 0.5, cy = values[model->focals + 1] - 0.5;
  VANTAGE_TRY(set_intrinsics(std::vector<double>{fx, 0, cx, 0, fy, cy, 0, 0, 1}, where, &camera));
  const auto lens = std::span(values).subspan(model->focals + 2);
  VANTAGE_TRY((model->fisheye ? set_fisheye : set_distortion)(lens, where, &camera));
  return camera;
}

// Lines with content, by their numbers. In images.txt every second one lists points, and may be empty.
Result<std::vector<std::pair<size_t, std::string>>> lines_of(const std::filesystem::path& file, bool pairs) {
  VANTAGE_ASSIGN(std::string read, read_file(file));
  const std::string text = as_utf8(std::move(read));
  std::istringstream in(text);
  std::vector<std::pair<size_t, std::string>> lines;
  size_t number = 0;
  bool points = false;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (is_comment(line)) continue;
    if (!points && line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (!points) lines.emplace_back(number, line);
    points = pairs && !points;
  }
  return lines;
}

// IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME
Status set_pose(const std::vector<std::string>& words, const std::string& where,
                PinholeCamera<double>* camera) {
  VANTAGE_ASSIGN(const auto values, numbers_of(std::span(words).subspan(1, 7), where));
  const Eigen::Quaterniond turn(values[0], values[1], values[2], values[3]);
  if (!(std::abs(turn.norm() - 1) < 1e-3))
    return fail(ErrorKind::bad_data, "the quaternion's length is not 1", where);
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rotation = turn.normalized().toRotationMatrix();
  VANTAGE_TRY(set_rotation({rotation.data(), 9}, where, camera));
  return set_translation(std::span(values).subspan(4), where, camera);
}

// Text behind the first nine words: a name may have blanks.
std::string name_of(const std::string& line) {
  constexpr const char* kBlanks = " \t\r";
  size_t at = line.find_first_not_of(kBlanks);
  for (int word = 0; word < 9; ++word) at = line.find_first_not_of(kBlanks, line.find_first_of(kBlanks, at));
  return line.substr(at, line.find_last_not_of(kBlanks) + 1 - at);
}

std::string one_word(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f) c = '_';
  return name.empty() ? "_" : name;
}

}  // namespace

bool looks_like_colmap(const std::string& text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (is_comment(line)) continue;
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    int number = 0;
    const char* end = words[0].data() + words[0].size();
    if (std::from_chars(words[0].data(), end, number).ptr != end) return false;
    if (words.size() >= 10) return true;
    return words.size() >= 5 &&
           words[1].find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == std::string::npos;
  }
  return false;
}

ParsedDocument parse_colmap(const std::string&, const std::string&) {
  return std::make_unique<ColmapDocument>();
}

bool is_colmap(const Document&) {
  return true;
}

Result<RawCalibration> read_colmap(const Document& file, const CalibrationOptions&) {
  const std::filesystem::path folder = file.path.parent_path();
  VANTAGE_ASSIGN(const auto camera_lines, lines_of(folder / "cameras.txt", false));
  VANTAGE_ASSIGN(const auto image_lines, lines_of(folder / "images.txt", true));
  std::map<std::string, PinholeCamera<double>> lenses;
  for (const auto& [number, line] : camera_lines) {
    const std::vector<std::string> words = words_of(line);
    VANTAGE_ASSIGN(lenses[words[0]], read_lens(words, where_of(folder / "cameras.txt", number)));
  }
  RawCalibration raw{.world = "COLMAP's, which has no floor of its own"};
  for (const auto& [number, line] : image_lines) {
    const std::string where = where_of(folder / "images.txt", number);
    const std::vector<std::string> words = words_of(line);
    if (words.size() < 10)
      return fail(ErrorKind::bad_data, "the picture has no pose, camera and name", where,
                  expected_in(Syntax::colmap));
    const auto lens = lenses.find(words[8]);
    if (lens == lenses.end())
      return fail(ErrorKind::bad_data, "there is no camera " + words[8] + " in cameras.txt", where);
    PinholeCamera<double> camera = lens->second;
    VANTAGE_TRY(set_pose(words, where, &camera));
    raw.names.push_back(std::filesystem::path(name_of(line)).replace_extension().string());
    raw.cameras.push_back(camera);
  }
  if (raw.cameras.empty())
    return fail(ErrorKind::bad_data, "holds no picture with a pose", (folder / "images.txt").string());
  return raw;
}

WrittenFiles write_colmap(std::span<const Camera> cameras) {
  VANTAGE_TRY(check_lenses(cameras, {.format = "COLMAP", .coefficients = 8, .fisheye = true}));
  std::string lenses = "# CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]\n";
  std::string pictures =
      "# IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME; then a line of points, which is empty\n";
  std::map<std::string, std::string> taken;
  for (size_t i = 0; i < cameras.size(); ++i) {
    const PinholeCamera<double>& m = cameras[i].model();
    const std::string name = one_word(cameras[i].name()), id = std::to_string(i + 1);
    if (const auto [other, fresh] = taken.try_emplace(name, cameras[i].name()); !fresh)
      return fail(ErrorKind::invalid_argument,
                  "the picture " + name + " would be this camera's and that of " + other->second,
                  cameras[i].name(), "Give one of them another name.");
    std::vector<double> values = {m.fx_px, m.fy_px, m.cx_px + 0.5, m.cy_px + 0.5};
    std::vector<double> lens = lens_coefficients(m);
    const bool fisheye = m.lens == LensModel::fisheye, full = !fisheye && (lens.size() > 5 || m.k3 != 0);
    lens.resize(full ? 8 : 4);
    values.insert(values.end(), lens.begin(), lens.end());
    lenses += id +
              (fisheye ? " OPENCV_FISHEYE "
               : full  ? " FULL_OPENCV "
                       : " OPENCV ") +
              std::to_string(m.width_px) + " " + std::to_string(m.height_px) + " " + list_text(values, " ") +
              "\n";
    const Eigen::Quaterniond turn(cameras[i].rotation_cam_from_world());
    const double* t = m.translation_cam_from_world_m;
    const std::array<double, 7> pose = {turn.w(), turn.x(), turn.y(), turn.z(), t[0], t[1], t[2]};
    pictures += id + " " + list_text(pose, " ") + " " + id + " " + name + "\n\n";
  }
  return std::vector<CalibrationFile>{
      {"cameras.txt", lenses}, {"images.txt", pictures}, {"points3D.txt", "# There are no points.\n"}};
}

}  // namespace vantage::calibration_detail
