// The TOML formats that toml.cpp reads.
#include "core/calibration/formats/detail/number_text.h"
#include "core/calibration/formats/detail/writers.h"

namespace vantage::calibration_detail {
namespace {

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) continue;
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

// The part that the three have in common; `rotation`: as a list.
std::string lens_and_pose(const PinholeCamera<double>& camera, std::span<const double> distortion,
                          const std::string& rotation) {
  return "matrix = [ " + rows_text(intrinsics_of(camera), 3) + " ]\ndistortions = [ " +
         list_text(distortion) + " ]\nrotation = [ " + rotation + " ]\ntranslation = [ " +
         list_text(camera.translation_cam_from_world_m) + " ]\n";
}

std::string sections(std::span<const Camera> cameras, bool numbered) {
  std::string text;
  for (size_t i = 0; i < cameras.size(); ++i) {
    const PinholeCamera<double>& m = cameras[i].model();
    const std::vector<double> distortion = lens_coefficients(m);
    // Pose2Sim's own files have four.
    const bool short_lens = !numbered && m.lens == LensModel::polynomial && m.k3 == 0;
    const std::array<double, 2> size = {static_cast<double>(m.width_px), static_cast<double>(m.height_px)};
    text += "[" + (numbered ? "cam_" + std::to_string(i) : quoted(cameras[i].name())) +
            "]\nname = " + quoted(cameras[i].name()) + "\nsize = [ " + list_text(size) + " ]\n" +
            lens_and_pose(m, std::span(distortion).first(short_lens ? 4 : distortion.size()),
                          list_text(rotation_vector_of(m))) +
            "fisheye = " + (m.lens == LensModel::fisheye ? "true" : "false") + "\n\n";
  }
  return text + "[metadata]\nadjusted = false\nerror = 0.0\n";
}

// The number of cam_N, which caliscope calls it by; -1: another name.
int number_of(const std::string& name) {
  if (!name.starts_with("cam_") || name.size() < 5 || name.size() > 8) return -1;
  if (name.find_first_not_of("0123456789", 4) != std::string::npos) return -1;
  return std::stoi(name.substr(4));
}

}  // namespace

WrittenFiles write_pose2sim_toml(std::span<const Camera> cameras) {
  return std::vector<CalibrationFile>{{"", sections(cameras, false)}};
}

WrittenFiles write_anipose_toml(std::span<const Camera> cameras) {
  return std::vector<CalibrationFile>{{"", sections(cameras, true)}};
}

// Cameras are numbers there: those of cam_N, else their order.
WrittenFiles write_caliscope_toml(std::span<const Camera> cameras) {
  bool own_numbers = true;
  for (const Camera& camera : cameras) own_numbers = own_numbers && number_of(camera.name()) >= 0;
  std::string text;
  for (size_t i = 0; i < cameras.size(); ++i) {
    const PinholeCamera<double>& m = cameras[i].model();
    const int number = own_numbers ? number_of(cameras[i].name()) : static_cast<int>(i);
    text += "[cameras." + std::to_string(number) + "]\ncam_id = " + std::to_string(number) +
            "\nrotation_count = 0\nerror = 0.0\nignore = false\nsize = [ " + std::to_string(m.width_px) +
            ", " + std::to_string(m.height_px) + " ]\n" +
            lens_and_pose(m, lens_coefficients(m), rows_text(std::span(m.rotation_cam_from_world), 3)) +
            (m.lens == LensModel::fisheye ? "fisheye = true\n\n" : "\n");
  }
  return std::vector<CalibrationFile>{{"", text}};
}

}  // namespace vantage::calibration_detail
