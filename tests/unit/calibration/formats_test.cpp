// Calibrations of other programs against what their recordings say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/formats/detail/formats.h"
#include "tests/support/data.h"
#include "tests/unit/calibration/read_text.h"
#include "tests/unit/calibration/sample_files.h"

namespace vantage {
namespace {

using nlohmann::json;
using test::read_text;

// The rows of a comma-separated file, by its heading; empty cells are left out.
std::vector<std::map<std::string, double>> read_table(const std::filesystem::path& path) {
  std::ifstream in(path);
  const auto cells_of = [](std::string line) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::istringstream cells(line);
    std::vector<std::string> values;
    for (std::string cell; std::getline(cells, cell, ',');) values.push_back(cell);
    return values;
  };
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> heading = cells_of(line);
  std::vector<std::map<std::string, double>> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    auto& row = rows.emplace_back();
    for (size_t i = 0; i < cells.size(); ++i)
      if (!cells[i].empty()) row[heading.at(i)] = std::stod(cells[i]);
  }
  return rows;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// The sentence of errors and the users' page follow the table.
TEST(CalibrationFormats, AreAllTold) {
  const std::string page =
      read_file(std::filesystem::path(VANTAGE_SOURCE_DIR) / "resources/docs/formats.md").value();
  std::set<std::string> names;
  for (const calibration_detail::CalibrationFormat& format : calibration_detail::calibration_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    if (format.read) {
      const std::string sentence = calibration_detail::expected_in(format.syntax);
      EXPECT_NE(sentence.find(format.name), std::string::npos) << sentence;
    }
    if (format.write) {
      EXPECT_NE(page.find(std::string("`") + format.option + "`"), std::string::npos)
          << format.option << " is not told";
    }
    EXPECT_NE(page.find(std::string("| ") + format.name), std::string::npos) << format.name << " has no row";
  }
}

TEST(QualisysQca, AgreesWithTheDerivedCalibration) {
  VANTAGE_NEED_DATA(data, "pose2sim");
  const auto read = read_calibration(data / "Calib.qca.txt", {});
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->format, "Qualisys QCA");
  EXPECT_EQ(read->stated, "units of 0.001 m, z up");
  const json expected = parse_json_or_throw(read_file(data / "calibration_mm.json").value())["cameras"];
  ASSERT_EQ(read->cameras.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const Camera& camera = read->cameras[i];
    const json& e = expected[i];
    SCOPED_TRACE(camera.name());
    EXPECT_EQ(e["name"], camera.name());
    EXPECT_EQ(camera.width_px(), 1088);
    EXPECT_EQ(camera.height_px(), 1920);
    const PinholeCamera<double>& model = camera.model();
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        EXPECT_NEAR(camera.intrinsics()(row, column), e["K"][row][column].get<double>(), 1e-9);
        EXPECT_NEAR(camera.rotation_cam_from_world()(row, column), e["R"][row][column].get<double>(), 1e-7);
      }
      EXPECT_NEAR(model.translation_cam_from_world_m[row], e["t"][row].get<double>() / 1000, 1e-5);
    }
    const double distortion[] = {model.k1, model.k2, model.p1, model.p2, model.k3};
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(distortion[k], e["dist"][k].get<double>(), 1e-12);
  }
}

// A part of the sensor was recorded: the principal point moves with it.
TEST(QualisysQca, RecordedPartOfTheSensor) {
  const auto whole = read_text(test::sample_qca);
  ASSERT_TRUE(whole) << whole.error().message();
  const auto part = read_text(test::replaced(test::sample_qca, R"(bottom="479" left="0" right="639" top="0")",
                                             R"(bottom="459" left="10" right="629" top="20")"));
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_EQ(part->cameras[0].width_px(), 620);
  EXPECT_EQ(part->cameras[0].height_px(), 440);
  EXPECT_DOUBLE_EQ(part->cameras[0].model().cx_px, whole->cameras[0].model().cx_px - 10);
  EXPECT_DOUBLE_EQ(part->cameras[0].model().cy_px, whole->cameras[0].model().cy_px - 20);
}

TEST(CaliscopeToml, ReprojectsItsBoardOntoItsDetections) {
  VANTAGE_NEED_DATA(data, "caliscope-4cam");
  const auto folder = data / "post_optimization";
  const auto read = read_calibration(folder / "camera_array.toml", {});
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->format, "caliscope TOML");
  EXPECT_EQ(read->stated, "metres, z up, the world is a pose of the board");
  ASSERT_EQ(read->cameras.size(), 4u);
  std::map<std::pair<int, int>, Eigen::Vector3d> points;
  for (const auto& row : read_table(folder / "calibration/extrinsic/CHARUCO/xyz_CHARUCO.csv"))
    points[{static_cast<int>(row.at("sync_index")), static_cast<int>(row.at("keypoint_id"))}] = {
        row.at("x_coord"), row.at("y_coord"), row.at("z_coord")};
  std::map<int, std::vector<double>> errors_px;
  for (const auto& row : read_table(folder / "calibration/extrinsic/CHARUCO/xy_CHARUCO.csv")) {
    const auto point =
        points.find({static_cast<int>(row.at("sync_index")), static_cast<int>(row.at("keypoint_id"))});
    if (point == points.end()) continue;
    const int camera = static_cast<int>(row.at("cam_id"));
    const auto pixel = read->cameras[camera].project(point->second);
    ASSERT_TRUE(pixel);
    errors_px[camera].push_back((*pixel - Eigen::Vector2d(row.at("img_loc_x"), row.at("img_loc_y"))).norm());
  }
  ASSERT_EQ(errors_px.size(), 4u);
  for (const auto& [camera, errors] : errors_px) {
    EXPECT_EQ(read->cameras[camera].name(), "cam_" + std::to_string(camera));
    EXPECT_GT(errors.size(), 50u);
    EXPECT_GT(median(errors), 0.85) << camera;  // the source says 0.9 to 1.5 px
    EXPECT_LT(median(errors), 1.55) << camera;
  }
}

TEST(PanopticJson, CamerasByTypeInCentimetresWithYDown) {
  VANTAGE_NEED_DATA(data, "sync-sports1");
  const auto path = data / "calibration_160906.json";
  const auto all = read_calibration(path, {});
  ASSERT_TRUE(all) << all.error().message();
  EXPECT_EQ(all->format, "CMU Panoptic JSON");
  EXPECT_EQ(all->stated, "units of 0.01 m, -y up");
  EXPECT_EQ(all->cameras.size(), 520u);
  const auto hd = read_calibration(path, {.unit_scale_m = {}, .up_axis = {}, .camera_type = "hd"});
  ASSERT_TRUE(hd) << hd.error().message();
  EXPECT_EQ(hd->cameras.size(), 31u);
  const auto found = std::find_if(hd->cameras.begin(), hd->cameras.end(),
                                  [](const Camera& c) { return c.name() == "00_18"; });
  ASSERT_NE(found, hd->cameras.end());
  EXPECT_EQ(found->width_px(), 1920);
  EXPECT_DOUBLE_EQ(found->model().fx_px, 1542.2);
  // The dome stands on the floor at y = 0 and is about 5.5 m wide: every camera above the floor, none far.
  for (const Camera& camera : hd->cameras) {
    EXPECT_GT(camera.center_in_world_m().z(), 0) << camera.name();
    EXPECT_LT(camera.center_in_world_m().norm(), 6) << camera.name();
    EXPECT_TRUE(camera.sees({0, 0, 1})) << camera.name();
  }
  const auto none = read_calibration(path, {.unit_scale_m = {}, .up_axis = {}, .camera_type = "uhd"});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message().find("hd, kinect-color, vga"), std::string::npos)
      << none.error().message();
}

struct Detections {
  std::vector<std::vector<Eigen::Vector2d>> frames;  // limb joints, of whomever
};

// The file's own format; parts that join joints are read over. Joints 2-4, 5-7, 9-11 and 12-14 are limbs.
Detections read_detections(const std::filesystem::path& path) {
  std::ifstream in(path);
  int type = 0, frames = 0;
  in >> type >> frames;
  static constexpr int pairs[26][2] = {{1, 8},   {9, 10},  {10, 11}, {8, 9},   {8, 12},  {12, 13}, {13, 14},
                                       {1, 2},   {2, 3},   {3, 4},   {2, 17},  {1, 5},   {5, 6},   {6, 7},
                                       {5, 18},  {1, 0},   {0, 15},  {0, 16},  {15, 17}, {16, 18}, {14, 19},
                                       {19, 20}, {14, 21}, {11, 22}, {22, 23}, {11, 24}};
  Detections result;
  for (int frame = 0; frame < frames && in; ++frame) {
    std::vector<Eigen::Vector2d>& found = result.frames.emplace_back();
    int counts[25] = {};
    for (int joint = 0; joint < 25; ++joint) {
      in >> counts[joint];
      std::vector<double> x(counts[joint]), y(x), score(x);
      for (std::vector<double>* row : {&x, &y, &score})
        for (double& value : *row) in >> value;
      const bool limb = (joint >= 2 && joint <= 7) || (joint >= 9 && joint <= 14);
      for (size_t i = 0; limb && i < x.size(); ++i) found.emplace_back(x[i] * 1031, y[i] * 775);
    }
    double skipped = 0;
    for (const auto& pair : pairs)
      for (int i = 0; i < counts[pair[0]] * counts[pair[1]]; ++i) in >> skipped;
  }
  return result;
}

TEST(KRtJson, GroundTruthJointsLieNearTheDetections) {
  VANTAGE_NEED_DATA(data, "shelf-detections");
  const auto read = read_calibration(data / "calibration.json", {});
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->format, "K+RT JSON");
  EXPECT_EQ(read->stated, "metres, z up");
  ASSERT_EQ(read->cameras.size(), 5u);
  std::ifstream in(data / "gt.txt");
  int joints = 0, frames = 0;
  in >> joints >> frames;
  ASSERT_EQ(joints, 15);
  std::vector<std::vector<Eigen::Vector3d>> truth(frames);
  std::vector<double> head_tops;
  for (auto& points : truth) {
    int people = 0, id = 0;
    in >> people;
    for (int p = 0; p < people; ++p) {
      double rows[4][15];
      in >> id;
      for (auto& row : rows)
        for (double& value : row) in >> value;
      for (int joint = 0; joint < 12; ++joint)
        if (rows[3][joint] > 0) points.emplace_back(rows[0][joint], rows[1][joint], rows[2][joint]);
      if (rows[3][13] > 0) head_tops.push_back(rows[2][13]);
    }
  }
  ASSERT_FALSE(head_tops.empty());
  EXPECT_NEAR(median(head_tops), 1.58, 0.12);  // metres, z up
  for (size_t c = 0; c < 5; ++c) {
    EXPECT_EQ(read->cameras[c].name(), std::to_string(c));
    const Detections detected = read_detections(data / "detection" / (std::to_string(c) + ".txt"));
    ASSERT_EQ(detected.frames.size(), truth.size());
    std::vector<double> distances_px;
    for (size_t f = 0; f < truth.size(); ++f)
      for (const Eigen::Vector3d& point : truth[f]) {
        if (!read->cameras[c].sees(point)) continue;
        const Eigen::Vector2d pixel = *read->cameras[c].project(point);
        double nearest = std::numeric_limits<double>::infinity();
        for (const Eigen::Vector2d& joint : detected.frames[f])
          nearest = std::min(nearest, (joint - pixel).norm());
        distances_px.push_back(nearest);
      }
    ASSERT_GT(distances_px.size(), 500u) << c;
    EXPECT_LT(median(distances_px), 22) << c;  // the source says 11 to 21 px
  }
}

// The same cameras once from the laboratory's own file and once rewritten in millimetres with K, R and t.
TEST(KRtSeparateJson, IsTheQualisysCalibrationItWasDerivedFrom) {
  VANTAGE_NEED_DATA(data, "pose2sim");
  const auto derived = read_calibration(data / "calibration_mm.json", {});
  ASSERT_TRUE(derived) << derived.error().message();
  EXPECT_EQ(derived->format, "K+R+t JSON");
  EXPECT_EQ(derived->stated, "units of 0.001 m, z up");
  const auto original = read_calibration(data / "Calib.qca.txt", {});
  ASSERT_TRUE(original) << original.error().message();
  ASSERT_EQ(derived->cameras.size(), original->cameras.size());
  const Eigen::Vector3d place(0.2, -0.3, 1.1);
  for (size_t c = 0; c < derived->cameras.size(); ++c) {
    const auto a = derived->cameras[c].project(place), b = original->cameras[c].project(place);
    ASSERT_TRUE(a && b) << c;
    EXPECT_LT((*a - *b).norm(), 0.6) << c;  // Qualisys counts pixels from another corner
  }
}

TEST(OtherFormats, UnitAndUpAxisCanBeSaidOtherwise) {
  for (const std::string& text : {test::sample_qca, test::sample_caliscope, test::sample_panoptic,
                                  test::sample_k_rt, test::sample_k_r_t}) {
    const auto own = read_text(text);
    ASSERT_TRUE(own) << own.error().message();
    const auto other = read_text(text, {.unit_scale_m = 2, .up_axis = "x"});
    ASSERT_TRUE(other) << other.error().message();
    EXPECT_TRUE(other->stated.starts_with("units of 2 m, x up")) << own->format << ": " << other->stated;
    EXPECT_GT(other->cameras[0].translation_cam_from_world_m().norm(),
              1.9 * own->cameras[0].translation_cam_from_world_m().norm());
  }
}

TEST(OtherFormats, CaliscopeLeavesIgnoredCamerasOut) {
  const auto read = read_text(test::replaced(test::sample_caliscope, "ignore = false", "ignore = true"));
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->cameras.size(), 1u);
  EXPECT_EQ(read->cameras[0].name(), "cam_7");
}

}  // namespace
}  // namespace vantage
