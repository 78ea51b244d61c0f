// Rendered footage (`synth`) rewritten as public footage of crowds is laid out, and boxes of it as a
// detector's files.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "core/image/image_files.h"
#include "core/metrics/wildtrack.h"
#include "core/video/video_source.h"

namespace vantage::test {

struct CrowdFootageOptions {
  AnnotationGrid grid = {};
  double unit_m = 0.01;
  Eigen::Vector2d moved_m = Eigen::Vector2d::Zero();  // of the rendered world in the data set's
  int step = 5;                                       // from one picture's number to the next
  bool matrices = false;     // rvec and tvec as OpenCV writes matrices, else plain numbers
  bool upside_down = false;  // the data set's z points down
  std::string lens_folder = "intrinsic_zero";
  std::vector<std::string> names;  // of the calibrations, by camera
};

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  ASSERT_TRUE(make_folder(path.parent_path()));
  ASSERT_TRUE(write_file_atomically(path, text));
}

inline std::string opencv_matrix(const std::string& name, int rows, int columns, const std::string& numbers) {
  return "<" + name + " type_id=\"opencv-matrix\"><rows>" + std::to_string(rows) + "</rows><cols>" +
         std::to_string(columns) + "</cols><dt>d</dt><data>" + numbers + "</data></" + name + ">\n";
}

inline std::string numbers_of(std::initializer_list<double> values) {
  std::ostringstream text;
  text << std::setprecision(17);
  for (const double value : values) text << (text.tellp() > 0 ? " " : "") << value;
  return text.str();
}

inline void write_crowd_calibration(const Camera& camera, const CrowdFootageOptions& options,
                                    const std::string& name, const std::filesystem::path& folder) {
  const std::string head = "<?xml version=\"1.0\"?>\n<opencv_storage>\n", tail = "</opencv_storage>\n";
  const PinholeCamera<double>& m = camera.model();
  write_text(folder / options.lens_folder / ("intr_" + name + ".xml"),
             head +
                 opencv_matrix("camera_matrix", 3, 3,
                               numbers_of({m.fx_px, 0, m.cx_px, 0, m.fy_px, m.cy_px, 0, 0, 1})) +
                 opencv_matrix("distortion_coefficients", 1, 5, numbers_of({m.k1, m.k2, m.p1, m.p2, m.k3})) +
                 tail);
  Eigen::Matrix3d world_from_theirs = Eigen::Matrix3d::Identity();
  if (options.upside_down) world_from_theirs.diagonal() << 1, -1, -1;
  const Eigen::Vector3d moved(options.moved_m.x(), options.moved_m.y(), 0);
  const Eigen::Matrix3d rotation = camera.rotation_cam_from_world() * world_from_theirs;
  const Eigen::Vector3d translation =
      (camera.translation_cam_from_world_m() - rotation * moved) / options.unit_m;
  const Eigen::AngleAxisd turn(rotation);
  const Eigen::Vector3d rvec = turn.angle() * turn.axis();
  const auto vector = [&](const std::string& key, const Eigen::Vector3d& v) {
    const std::string numbers = numbers_of({v.x(), v.y(), v.z()});
    return options.matrices ? opencv_matrix(key, 3, 1, numbers)
                            : "<" + key + ">\n " + numbers + "</" + key + ">\n";
  };
  write_text(folder / "extrinsic" / ("extr_" + name + ".xml"),
             head + vector("rvec", rvec) + vector("tvec", translation) + tail);
}

inline std::string picture_number(int64_t number) {
  std::ostringstream name;
  name << std::setw(8) << std::setfill('0') << number;
  return name.str();
}

inline void write_crowd_pictures(const std::filesystem::path& video, int step,
                                 const std::filesystem::path& folder) {
  ASSERT_TRUE(make_folder(folder));
  const auto source = open_video(video.string(), {});
  ASSERT_TRUE(source) << source.error().message();
  for (int64_t frame = 0;; ++frame) {
    const auto read = (*source)->read();
    if (!read) break;
    const ImageView<const uint8_t> luma = read->picture.plane(0);
    Image grey = Image::make(ImageType::u8, luma.width, luma.height, HostPool::shared()).value();
    for (int y = 0; y < luma.height; ++y)
      std::copy_n(luma.row(y), luma.width, grey.writable_view<uint8_t>().row(y));
    ASSERT_TRUE(write_png_gray(folder / (picture_number(frame * step) + ".png"), grey));
  }
}

// People whom no camera sees have boxes of -1, as there.
inline void write_crowd_annotations(const std::filesystem::path& tracks, const CrowdFootageOptions& options,
                                    size_t cameras, const std::filesystem::path& folder) {
  const std::vector<TrackRow> rows = read_mot_csv(read_file(tracks).value(), tracks.string()).value();
  std::map<int64_t, std::string> files;
  for (const TrackRow& row : rows) {
    const double x_m = row.x_m + options.moved_m.x(),
                 y_m = (options.upside_down ? -row.y_m : row.y_m) + options.moved_m.y();
    const auto column = std::lround((x_m - options.grid.left_m) / options.grid.cell_m),
               line = std::lround((y_m - options.grid.low_m) / options.grid.cell_m);
    std::string& text = files[row.frame - 1];
    text += (text.empty() ? "[" : ",") + std::string("{\"personID\":") + std::to_string(row.id) +
            ",\"positionID\":" + std::to_string(line * options.grid.columns + column) + ",\"views\":[";
    for (size_t c = 0; c < cameras; ++c)
      text += (c > 0 ? "," : "") + std::string("{\"viewNum\":") + std::to_string(c) +
              ",\"xmin\":1,\"ymin\":2,\"xmax\":3,\"ymax\":4}";
    text += "]}";
  }
  for (const auto& [frame, text] : files)
    write_text(folder / (picture_number(frame * options.step) + ".json"), text + "]");
}

// `rendered`: the folder of `synth`. Also boxes_C1.txt and so on in `folder`, MOTChallenge rows of whoever is
// seen by a third at least.
inline void write_crowd_footage(const std::filesystem::path& rendered, const CrowdFootageOptions& options,
                                const std::filesystem::path& folder) {
  const auto calibration = read_calibration(rendered / "calibration.json", {});
  ASSERT_TRUE(calibration) << calibration.error().message();
  const size_t cameras = calibration->cameras.size();
  for (size_t c = 0; c < cameras; ++c) {
    const std::string number = std::to_string(c + 1);
    write_crowd_calibration(calibration->cameras[c], options, options.names.at(c), folder / "calibrations");
    write_crowd_pictures(rendered / ("cam" + number + ".mp4"), options.step,
                         folder / "Image_subsets" / ("C" + number));
    std::istringstream boxes(read_file(rendered / "truth" / ("boxes_cam" + number + ".csv")).value());
    std::string kept;
    for (std::string line; std::getline(boxes, line);) {
      const std::vector<TrackRow> row = read_mot_csv(line + "\n", "boxes").value();
      if (row.front().confidence < 0.33) continue;
      const TrackRow& box = row.front();
      kept += std::to_string(box.frame) + ",-1," + numbers_of({box.left_px}) + "," +
              numbers_of({box.top_px}) + "," + numbers_of({box.width_px}) + "," +
              numbers_of({box.height_px}) + ",0.9\n";
    }
    write_text(folder / ("boxes_C" + number + ".txt"), kept);
  }
  write_crowd_annotations(rendered / "truth/tracks.csv", options, cameras, folder / "annotations_positions");
}

}  // namespace vantage::test
