#include "app/cli/calibrate/uncertainty.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>

#include "app/cli/common/command.h"
#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/solve/measure.h"

namespace vantage::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::array<const char*, 6> kPoseNames = {"turn_x",   "turn_y",   "turn_z",
                                                   "center_x", "center_y", "center_z"};

std::string value_name(Eigen::Index value) {
  const auto at = static_cast<size_t>(value);
  return at < kPoseNames.size() ? kPoseNames[at] : kLensNames[at - kPoseNames.size()];
}

std::optional<Eigen::Index> value_named(const std::string& name) {
  for (Eigen::Index value = 0; value < kCameraValues; ++value)
    if (value_name(value) == name) return value;
  return std::nullopt;
}

// Both have the same pose and project to the same pixels.
bool are_alike(const Camera& solved, const Camera& now) {
  constexpr double kApart_m = 1e-3, kApart_px = 0.1;
  if ((solved.center_in_world_m() - now.center_in_world_m()).norm() > kApart_m) return false;
  const auto compared = compare_cameras(solved, now, nullptr);
  return compared && compared->max_px <= kApart_px &&
         std::any_of(compared->picture_px.begin(), compared->picture_px.end(),
                     [](const auto& off_px) { return off_px.has_value(); });
}

class UncertaintyReader {
 public:
  UncertaintyReader(const std::string& file, const std::vector<Camera>& cameras)
      : file_(file), cameras_(cameras) {}

  ReadUncertainty read() {
    const ordered_json report = parse_ordered_json(value_or_fail(read_file(file_)));
    if (!report.is_object() || !report.contains("covariance"))
      bad("the file is not a report of solved cameras");
    const ordered_json& covariance = report["covariance"];
    if (!covariance.is_object() || !covariance.contains("calibration") || !covariance.contains("of") ||
        !covariance.contains("values"))
      bad("its covariance lacks calibration, of or values");
    for (const Camera& solved :
         value_or_fail(calibration_from_json(json_text(covariance["calibration"]), file_)))
      add_camera(solved);
    const auto size = static_cast<Eigen::Index>(found_.solved.cameras.size()) * kCameraValues;
    found_.solved.covariance = Eigen::MatrixXd::Zero(size, size);
    fill(covariance["of"], covariance["values"]);
    return std::move(found_);
  }

 private:
  [[noreturn]] void bad(const std::string& what) const {
    fail_command({ErrorKind::bad_data, what, file_,
                  "Give what vantage-cli calibrate boards or calibrate points printed with --json."});
  }

  void add_camera(const Camera& solved) {
    const auto camera = std::find_if(cameras_.begin(), cameras_.end(),
                                     [&](const Camera& one) { return one.name() == solved.name(); });
    if (camera == cameras_.end()) return;
    if (!are_alike(solved, *camera)) found_.stand_apart.push_back(solved.name());
    found_.solved.cameras.push_back(*camera);
  }

  // -1 for a camera that the project does not have.
  Eigen::Index row_of(const ordered_json& label) const {
    if (!label.is_array() || label.size() != 2 || !label[0].is_string() || !label[1].is_string())
      bad("a value of its covariance is not named by camera and value");
    const auto value = value_named(label[1].get<std::string>());
    if (!value) bad("a value of its covariance is not known: " + label[1].get<std::string>());
    const std::vector<Camera>& cameras = found_.solved.cameras;
    for (size_t c = 0; c < cameras.size(); ++c)
      if (cameras[c].name() == label[0].get<std::string>())
        return static_cast<Eigen::Index>(c) * kCameraValues + *value;
    return -1;
  }

  void fill(const ordered_json& labels, const ordered_json& values) {
    if (!labels.is_array() || !values.is_array() || labels.size() != values.size())
      bad("its covariance is not square");
    for (size_t i = 0; i < labels.size(); ++i) {
      if (!are_numbers(values[i], labels.size())) bad("its covariance is not a square matrix of numbers");
      const Eigen::Index row = row_of(labels[i]);
      for (size_t j = 0; j < labels.size(); ++j)
        if (const Eigen::Index column = row_of(labels[j]); row >= 0 && column >= 0)
          found_.solved.covariance(row, column) = values[i][j].get<double>();
    }
  }

  static bool are_numbers(const ordered_json& json, size_t count) {
    return json.is_array() && json.size() == count &&
           std::all_of(json.begin(), json.end(), [](const auto& value) { return value.is_number(); });
  }

  const std::string& file_;
  const std::vector<Camera>& cameras_;
  ReadUncertainty found_;
};

}  // namespace

ordered_json uncertainty_json(const SolvedTogether& solved) {
  ordered_json json = {{"calibration", parse_ordered_json(calibration_to_json(solved.cameras))},
                       {"of", ordered_json::array()},
                       {"values", ordered_json::array()}};
  std::vector<Eigen::Index> kept;
  for (size_t c = 0; c < solved.cameras.size(); ++c) {
    for (Eigen::Index value = 0; value < kCameraValues; ++value) {
      const Eigen::Index row = static_cast<Eigen::Index>(c) * kCameraValues + value;
      if (!(solved.covariance(row, row) > 0)) continue;
      kept.push_back(row);
      json["of"].push_back({solved.cameras[c].name(), value_name(value)});
    }
  }
  for (const Eigen::Index row : kept) {
    ordered_json line = ordered_json::array();
    for (const Eigen::Index column : kept) line.push_back(solved.covariance(row, column));
    json["values"].push_back(std::move(line));
  }
  return json;
}

ReadUncertainty uncertainty_or_fail(const std::string& file, const std::vector<Camera>& cameras) {
  ReadUncertainty found = UncertaintyReader(file, cameras).read();
  for (const std::string& name : found.stand_apart)
    fmt::print(stderr,
               "{} has another pose or lens than in {}; apply that calibration first (calibrate apply)\n",
               name, file);
  return found;
}

}  // namespace vantage::cli
