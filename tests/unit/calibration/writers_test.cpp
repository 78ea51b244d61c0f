// What is written in another program's format reads back as the same cameras.
#include <gtest/gtest.h>

#include <functional>

#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "core/calibration/formats/detail/formats.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

Camera camera(const std::string& name, const Eigen::Vector3d& axis, double angle, bool third_radial) {
  PinholeCamera<double> model;
  model.width_px = 1288, model.height_px = 728;
  model.fx_px = 904.123456789012, model.fy_px = 907.98765432101, model.cx_px = 618.3086297620227,
  model.cy_px = 394.2132305697463;
  model.k1 = -0.21098765432109876, model.k2 = 0.0464196862116026, model.p1 = -0.004295771569519648,
  model.p2 = 0.0041132401001997, model.k3 = third_radial ? 0.0065682301495769 : 0;
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rotation =
      Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  std::copy_n(rotation.data(), 9, model.rotation_cam_from_world);
  const double translation[] = {1.0 / 3, -2.0 / 7, 4.321};
  std::copy_n(translation, 3, model.translation_cam_from_world_m);
  return Camera::make(name, model).value();
}

// Also turned by half and not at all, where rotation vectors are delicate.
std::vector<Camera> cameras(bool third_radial) {
  return {camera("cam_0", {1, -0.4, 0.3}, 2.1, third_radial),
          camera("cam_1", {0.2, 1, 0.1}, M_PI, third_radial), camera("cam_2", {0, 0, 1}, 0, third_radial),
          camera("cam_3", {1, 1, -1}, M_PI - 1e-9, third_radial)};
}

// The largest distance of the same point's pixels, over a grid of the picture at several depths.
double largest_difference_px(const Camera& a, const Camera& b) {
  double largest = 0;
  for (int y = 0; y <= 8; ++y)
    for (int x = 0; x <= 12; ++x)
      for (const double depth_m : {1.0, 5.0}) {
        const auto ray = a.ray({x * (a.width_px() - 1) / 12.0, y * (a.height_px() - 1) / 8.0});
        EXPECT_TRUE(ray);
        const Eigen::Vector3d point = ray->origin_in_world_m + depth_m * ray->direction_in_world;
        const auto first = a.project(point), second = b.project(point);
        EXPECT_TRUE(first && second);
        if (first && second) largest = std::max(largest, (*first - *second).norm());
      }
  return largest;
}

std::vector<Camera> read_back(const std::vector<CalibrationFile>& files, const std::string& format) {
  const test::TemporaryFolder folder;
  CalibrationOptions options;
  if (format.starts_with("opencv") || format == "colmap") options.unit_scale_m = 1;
  std::vector<Camera> all;
  for (const CalibrationFile& file : files) {
    const auto path = folder.path() / (file.name.empty() ? "calibration" : file.name);
    EXPECT_TRUE(write_file_atomically(path, file.text));
    if (format == "colmap" && file.name != "images.txt") continue;  // it is read with cameras.txt
    const auto read = read_calibration(path, options);
    EXPECT_TRUE(read) << read.error().message() << "\n" << file.text;
    if (read) all.insert(all.end(), read->cameras.begin(), read->cameras.end());
  }
  return all;
}

TEST(CalibrationWriters, ReadBackToABillionthOfAPixel) {
  const std::vector<std::string> formats = written_calibration_formats();
  EXPECT_GE(formats.size(), 10u);
  for (const std::string& format : formats) {
    SCOPED_TRACE(format);
    for (const bool third_radial : {false, true}) {
      const std::vector<Camera> written = cameras(third_radial);
      const auto files = write_calibration(written, format);
      if (!files) {
        EXPECT_TRUE(third_radial) << files.error().message();
        EXPECT_EQ(files.error().kind, ErrorKind::unsupported);
        EXPECT_NE(files.error().what.find("k3"), std::string::npos) << files.error().what;
        continue;
      }
      const std::vector<Camera> read = read_back(*files, format);
      ASSERT_EQ(read.size(), written.size());
      for (size_t c = 0; c < read.size(); ++c) {
        EXPECT_EQ(read[c].width_px(), 1288);
        EXPECT_EQ(read[c].height_px(), 728);
        EXPECT_LT(largest_difference_px(written[c], read[c]), 1e-9) << "camera " << c;
        if (format != "kalibr") {
          EXPECT_EQ(read[c].name(), written[c].name());
        }
      }
    }
  }
}

// Every format holds such a lens to a billionth of a pixel, or says what of it it does not hold.
TEST(CalibrationWriters, OtherLensesReadBackOrAreRefused) {
  struct Kind {
    const char* refused;  // a word of the sentence
    std::function<void(PinholeCamera<double>*)> set;
    std::vector<std::string> not_held_by;
  };
  const auto rational = [](PinholeCamera<double>* m) {
    m->lens = LensModel::rational, m->k3 = 0.0123456789012345, m->k4 = 0.0312345678901234;
    m->k5 = 0.0098765432109876, m->k6 = 0.00043210987654321;
  };
  const auto prism = [&](PinholeCamera<double>* m) {
    rational(m), m->s1 = 0.00123456789, m->s2 = -0.000234567, m->s3 = 0.00098765, m->s4 = 0.00045678;
  };
  const std::vector<Kind> kinds = {{"coefficient", rational, {"kalibr"}},
                                   {"coefficient", prism, {"kalibr", "colmap"}},
                                   {"coefficient",
                                    [&](auto* m) { prism(m), m->tau_x = 0.0213, m->tau_y = -0.0131; },
                                    {"kalibr", "mrcal", "colmap"}},
                                   {"fisheye",
                                    [](auto* m) {
                                      *static_cast<Lens<double>*>(m) = {};
                                      m->lens = LensModel::fisheye, m->k1 = -0.0312345678901,
                                      m->k2 = 0.00412345678901;
                                      m->k3 = -0.00212345678901, m->k4 = 0.00031234567890123;
                                    },
                                    {"k-r-t", "mrcal"}}};
  for (const Kind& kind : kinds) {
    std::vector<Camera> written;
    for (const Camera& plain : cameras(false)) {
      PinholeCamera<double> model = plain.model();
      kind.set(&model);
      written.push_back(Camera::make(plain.name(), model).value());
    }
    std::vector<std::string> not_held_by;
    for (const std::string& format : written_calibration_formats()) {
      SCOPED_TRACE(format);
      const auto files = write_calibration(written, format);
      if (!files) {
        not_held_by.push_back(format);
        EXPECT_EQ(files.error().kind, ErrorKind::unsupported);
        EXPECT_NE(files.error().what.find(kind.refused), std::string::npos) << files.error().what;
        continue;
      }
      const std::vector<Camera> read = read_back(*files, format);
      ASSERT_EQ(read.size(), written.size());
      for (size_t c = 0; c < read.size(); ++c) {
        EXPECT_EQ(read[c].model().lens, written[c].model().lens);
        EXPECT_LT(largest_difference_px(written[c], read[c]), 1e-9) << "camera " << c;
      }
    }
    EXPECT_EQ(not_held_by, kind.not_held_by);
  }
}

TEST(CalibrationWriters, KalibrHoldsNoThirdRadialCoefficient) {
  const auto refused = write_calibration(cameras(true), "kalibr");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where, "cam_0");
}

TEST(CalibrationWriters, NamesThatSyntaxWouldBreakOn) {
  const std::vector<Camera> written = {camera("left \"high\" \\ #1", {1, 0, 0}, 1, false),
                                       camera("rechts: [2]", {0, 1, 0}, 1, false)};
  for (const std::string& format : written_calibration_formats()) {
    SCOPED_TRACE(format);
    const auto files = write_calibration(written, format);
    ASSERT_TRUE(files) << files.error().message();
    const std::vector<Camera> read = read_back(*files, format);
    ASSERT_EQ(read.size(), 2u);
    if (format == "pose2sim" || format == "anipose" || format == "k-r-t" || format == "vantage") {
      for (const Camera& one : written)
        EXPECT_TRUE(std::any_of(read.begin(), read.end(), [&](const Camera& other) {
          return other.name() == one.name() && largest_difference_px(one, other) < 1e-9;
        })) << one.name();
    }
  }
  EXPECT_FALSE(write_calibration({camera("a/b", {1, 0, 0}, 1, false), camera("a_b", {1, 0, 0}, 2, false)},
                                 "opencv-xml"));
  EXPECT_FALSE(write_calibration(written, "no such format"));
  EXPECT_FALSE(write_calibration({}, "vantage"));
}

// As cv::FileStorage writes it, with its own first line and numbers such as "5.".
TEST(CalibrationWriters, OpenCvsOwnYamlIsRead) {
  const std::string text =
      "%YAML:1.0\n---\nimage_width: 640\nimage_height: 480\nmtx: !!opencv-matrix\n   rows: 3\n   cols: 3\n   "
      "dt: d\n"
      "   data: [ 500., 0., 320., 0., 505., 240., 0., 0., 1. ]\ndist: !!opencv-matrix\n   rows: 1\n   cols: "
      "5\n"
      "   dt: d\n   data: [ -1.0e-01, 2.0e-02, 1.0e-03, -2.0e-03,\n       5.0e-03 ]\nrvec: !!opencv-matrix\n"
      "   rows: 3\n   cols: 1\n   dt: d\n   data: [ 1.5, 0.25, -0.5 ]\ntvec: !!opencv-matrix\n   rows: 3\n"
      "   cols: 1\n   dt: d\n   data: [ -1., 2., 30. ]\n";
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "cam1.yml";
  ASSERT_TRUE(write_file_atomically(path, text));
  CalibrationOptions options;
  options.unit_scale_m = 0.1;
  const auto read = read_calibration(path, options);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->format, "OpenCV YAML");
  ASSERT_EQ(read->cameras.size(), 1u);
  EXPECT_EQ(read->cameras[0].name(), "cam1");
  EXPECT_EQ(read->cameras[0].model().fy_px, 505);
  EXPECT_EQ(read->cameras[0].model().k3, 0.005);
  EXPECT_EQ(read->cameras[0].width_px(), 640);
  EXPECT_NEAR(read->cameras[0].translation_cam_from_world_m().z(), 3, 1e-12);
  ASSERT_TRUE(write_file_atomically(path, text.substr(0, text.find("tvec"))));
  EXPECT_FALSE(read_calibration(path, options));
  ASSERT_TRUE(write_file_atomically(path, text + "fisheye_model: 1\n"));
  const auto fisheye = read_calibration(path, options);  // of five numbers, where a fisheye has four
  ASSERT_FALSE(fisheye);
  EXPECT_EQ(fisheye.error().kind, ErrorKind::unsupported);
}

// As mrcal writes it: comments, single quotes, a comma behind the last.
TEST(OtherPrograms, MrcalsOwnFileIsRead) {
  const std::string text =
      "# generated on 2026-11-27 10:00:00 with mrcal-calibrate-cameras --lensmodel=LENSMODEL_OPENCV8\n"
      "# [ a comment = { that misleads\n{\n    'lensmodel':  'LENSMODEL_OPENCV8',\n\n"
      "    # intrinsics are fx,fy,cx,cy,distortion0,distortion1,....\n"
      "    'intrinsics': [ 1761.18, 1761.25, 1965.7, 1087.5, -0.0126, 0.0349, 0.0001, -0.0002, 0.01, 0.05, "
      "0.06, 0.003,],\n"
      "    'valid_intrinsics_region': [],\n\n    # extrinsics are rt_fromref\n"
      "    'extrinsics': [ 0.1, -0.2, 0.3, 1.5, -0.5, 4,],\n    'imagersize': [ 4000, 2200,]\n}\n";
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "camera-0.cameramodel";
  ASSERT_TRUE(write_file_atomically(path, text));
  const auto read = read_calibration(path, {});
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->format, "mrcal");
  ASSERT_EQ(read->cameras.size(), 1u);
  const PinholeCamera<double>& m = read->cameras[0].model();
  EXPECT_EQ(read->cameras[0].name(), "camera-0");
  EXPECT_EQ(m.lens, LensModel::rational);
  EXPECT_EQ(m.fy_px, 1761.25);
  EXPECT_EQ(m.k6, 0.003);
  EXPECT_EQ(m.width_px, 4000);
  EXPECT_EQ(m.translation_cam_from_world_m[2], 4);
  std::string other = text;
  other.replace(other.find("'LENSMODEL_OPENCV8"), 18, "'LENSMODEL_CAHVOR");
  ASSERT_TRUE(write_file_atomically(path, other));
  EXPECT_EQ(read_calibration(path, {}).error().kind, ErrorKind::unsupported);
}

// Two pictures of one camera; one has points.
TEST(OtherPrograms, ColmapsOwnFilesAreRead) {
  const test::TemporaryFolder folder;
  const auto cameras = folder.path() / "cameras.txt", images = folder.path() / "images.txt";
  ASSERT_TRUE(write_file_atomically(cameras,
                                    "# Camera list with one line of data per camera:\n#   CAMERA_ID, MODEL, "
                                    "WIDTH, HEIGHT, PARAMS[]\n# Number of cameras: 1\n"
                                    "1 SIMPLE_RADIAL 3072 2304 2559.81 1536 1152 -0.0204997\n"));
  ASSERT_TRUE(write_file_atomically(
      images,
      "# Image list with two lines of data per image:\n1 0.5 0.5 -0.5 0.5 -0.737434 1.02973 3.74354 1 "
      "left.jpg\n"
      "2362.39 248.498 58396 1784.7 268.254 59027\n2 1 0 0 0 1 2 3 1 right/0001.png\n\n"));
  EXPECT_FALSE(read_calibration(images, {})) << "it states no unit";
  CalibrationOptions options;
  options.unit_scale_m = 0.5;
  for (const auto& path : {cameras, images}) {
    const auto read = read_calibration(path, options);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->format, "COLMAP text");
    ASSERT_EQ(read->cameras.size(), 2u);
    const PinholeCamera<double>& m = read->cameras[0].model();
    EXPECT_EQ(read->cameras[0].name(), "left");
    EXPECT_EQ(read->cameras[1].name(), "right/0001");
    EXPECT_EQ(m.cx_px, 1535.5);
    EXPECT_EQ(m.fy_px, 2559.81);
    EXPECT_EQ(m.k1, -0.0204997);
    EXPECT_NEAR(m.translation_cam_from_world_m[2], 3.74354 / 2, 1e-12);
  }
  for (const auto& [from, to, word] :
       {std::array<std::string, 3>{"SIMPLE_RADIAL", "THIN_PRISM_FISHEYE", "THIN_PRISM"},
        {"-0.0204997", "-0.0204997 1", "instead of 4"},
        {"1 SIMPLE", "7 SIMPLE", "no camera 1"},
        {"2559.81", "wide", "not a number"}}) {
    std::string text = *read_file(cameras);
    const std::string before = text;
    text.replace(text.find(from), from.size(), to);
    ASSERT_TRUE(write_file_atomically(cameras, text));
    const auto read = read_calibration(images, options);
    ASSERT_FALSE(read) << to;
    EXPECT_NE(read.error().message().find(word), std::string::npos) << read.error().message();
    ASSERT_TRUE(write_file_atomically(cameras, before));
  }
}

}  // namespace
}  // namespace vantage
