#include "app/python/project.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>
#include <map>
#include <mutex>

#include "app/python/arrays.h"
#include "app/python/error.h"
#include "core/geometry/lens_inverse.h"
#include "core/project/camera_in_time.h"
#include "core/project/match_cameras.h"
#include "core/project/project_store.h"

namespace vantage::python {
namespace {

py::array_t<double> square(const double* values, int side) {
  py::array_t<double> matrix({side, side});
  std::copy(values, values + side * side, matrix.mutable_data());
  return matrix;
}

const Camera& calibration_of(const ProjectCamera& camera) {
  if (!camera.calibration)
    raise({ErrorKind::not_found, "the camera has no calibration", camera.name,
           "Give it one: vantage-cli new --calibration, or vantage-cli calibrate."});
  return *camera.calibration;
}

py::array_t<double> project_points(
    const ProjectCamera& camera,
    const py::array_t<double, py::array::c_style | py::array::forcecast>& points) {
  const PinholeCamera<double> model = calibration_of(camera).model();
  require_shape(points, {-1, 3}, "points");
  const py::ssize_t count = points.shape(0);
  py::array_t<double> pixels({count, py::ssize_t{2}});
  for (py::ssize_t i = 0; i < count; ++i) {
    const Pixel<double> pixel = vantage::project(model, points.at(i, 0), points.at(i, 1), points.at(i, 2));
    pixels.mutable_at(i, 0) = pixel.in_front ? pixel.x : NAN;
    pixels.mutable_at(i, 1) = pixel.in_front ? pixel.y : NAN;
  }
  return pixels;
}

void add_cameras(py::module_& module) {
  py::class_<ProjectCamera>(module, "Camera", "A camera of a project.")
      .def_readonly("name", &ProjectCamera::name)
      .def_readonly("video", &ProjectCamera::video)
      .def_readonly("background", &ProjectCamera::background, "The empty-scene clip; '' where there is none.")
      .def_readonly("offset_frames", &ProjectCamera::offset_frames,
                    "The frame of this camera at the time of frame 0 of the first camera.")
      .def_property_readonly("calibrated",
                             [](const ProjectCamera& camera) { return camera.calibration.has_value(); })
      .def_property_readonly(
          "size_px",
          [](const ProjectCamera& camera) {
            const Camera& calibration = calibration_of(camera);
            return py::make_tuple(calibration.width_px(), calibration.height_px());
          },
          "(width, height) of the pictures that the calibration is for.")
      .def_property_readonly(
          "intrinsics",
          [](const ProjectCamera& camera) {
            const auto& m = calibration_of(camera).model();
            const double k[9] = {m.fx_px, 0, m.cx_px, 0, m.fy_px, m.cy_px, 0, 0, 1};
            return square(k, 3);
          },
          "The 3x3 matrix K, in pixels.")
      .def_property_readonly(
          "distortion",
          [](const ProjectCamera& camera) {
            const auto& m = calibration_of(camera).model();
            return lens_coefficients(m);
          },
          "k1, k2, p1, p2, k3 as OpenCV orders them; of a rational lens 8, 12 or 14; of a fisheye k1 to k4.")
      .def_property_readonly(
          "lens",
          [](const ProjectCamera& camera) {
            return std::string(lens_model_name(calibration_of(camera).model().lens));
          },
          "\"polynomial\", \"rational\" or \"fisheye\".")
      .def_property_readonly(
          "cam_from_world",
          [](const ProjectCamera& camera) {
            const auto& m = calibration_of(camera).model();
            double pose[16] = {0};
            for (int row = 0; row < 3; ++row) {
              for (int column = 0; column < 3; ++column)
                pose[4 * row + column] = m.rotation_cam_from_world[3 * row + column];
              pose[4 * row + 3] = m.translation_cam_from_world_m[row];
            }
            pose[15] = 1;
            return square(pose, 4);
          },
          "The 4x4 pose, from the world's metres to the camera's.")
      .def("project", &project_points, py::arg("points"),
           "The pixels (N, 2) of world points (N, 3) in metres, the lens included; NaN behind the camera.")
      .def("__repr__", [](const ProjectCamera& camera) { return "<vantage.Camera " + camera.name + ">"; });
}

void save(OpenProject& open, const std::optional<std::filesystem::path>& path) {
  if (path && *path != open.project.path) {
    check(save_project(open.project, *path));
    open.project.path = *path;
    open.stamp = project_stamp(*path);
    return;
  }
  const Saved saved = value(save_project_over(open.project, open.project.path, &open.stamp));
  if (saved == Saved::changed_outside)
    raise({ErrorKind::invalid_argument, "the file was changed by another program since it was read",
           open.project.path.string(), "Save it under another name, or open it again."});
}

// Sets the cameras' lenses and poses, by name; other names are ignored.
void apply_calibration(OpenProject& open, const std::vector<ProjectCamera>& given) {
  Project changed = open.project;
  int count = 0;
  for (const ProjectCamera& from : given)
    for (ProjectCamera& to : changed.cameras) {
      if (to.name != from.name) continue;
      const Camera& calibration = calibration_of(from);
      if (to.calibration)
        check(check_calibration_size(calibration, to.name, to.calibration->width_px(),
                                     to.calibration->height_px()));
      replace_calibration(&to, calibration);
      ++count;
    }
  if (count == 0)
    raise({ErrorKind::not_found, "none of these cameras has the name of a camera of the project",
           open.project.path.string(), "Give cameras that have the names of the project's."});
  open.project = std::move(changed);
}

}  // namespace

void require_calibrated(const Project& project) {
  for (const ProjectCamera& camera : project.cameras) calibration_of(camera);
}

size_t camera_index(const Project& project, const py::object& camera) {
  if (py::isinstance<py::int_>(camera)) {
    const auto index = camera.cast<int64_t>();
    if (index >= 0 && index < static_cast<int64_t>(project.cameras.size())) return static_cast<size_t>(index);
    throw py::index_error("there are " + std::to_string(project.cameras.size()) + " cameras, counted from 0");
  }
  std::vector<std::string> names;
  for (const ProjectCamera& one : project.cameras) names.push_back(one.name);
  const Result<size_t> found = camera_named(names, camera.cast<std::string>());
  if (!found) throw py::key_error(found.error().what);
  return *found;
}

std::shared_ptr<Backends> backends_for(const std::string& choice) {
  static std::map<std::string, std::shared_ptr<Backends>> opened;
  std::shared_ptr<Backends>& backends = opened[choice];
  if (!backends)
    backends = std::make_shared<Backends>(value(unlocked([&] { return open_backends(choice, nullptr); })));
  return backends;
}

void add_projects(py::module_& module) {
  add_cameras(module);
  py::class_<OpenProject, std::shared_ptr<OpenProject>>(module, "Project", "A project file, NAME.vantage.")
      .def(py::init([](const std::filesystem::path& path) {
             auto open = std::make_shared<OpenProject>();
             open->stamp = project_stamp(path);
             open->project = value(unlocked([&] { return load_project(path); }));
             return open;
           }),
           py::arg("path"))
      .def_property_readonly("path", [](const OpenProject& open) { return open.project.path; })
      .def_property_readonly("cameras", [](const OpenProject& open) { return open.project.cameras; })
      .def_property_readonly("parameters",
                             [](const std::shared_ptr<OpenProject>& open) {
                               return parameters_object({open, &open->project.parameters});
                             })
      .def_property(
          "detection_model", [](const OpenProject& open) { return open.project.detection_model; },
          [](OpenProject& open, const std::string& file) { open.project.detection_model = file; },
          "The ONNX file of the detector; '' where there is none.")
      .def_property(
          "joints_model", [](const OpenProject& open) { return open.project.joints_model; },
          [](OpenProject& open, const std::string& file) { open.project.joints_model = file; },
          "The ONNX file of the model that finds the joints of the detector's people; '' where there is "
          "none.")
      .def_property_readonly("calibrated", [](const OpenProject& open) { return open.project.calibrated(); })
      .def("apply_calibration", &apply_calibration, py::arg("cameras"),
           "Takes lenses and poses of these cameras, by name; those of other names are left out.")
      .def("save", &save, py::arg("path") = py::none(),
           "Writes the file, or another one. Nothing newer is overwritten unseen: that is an Error.")
      .def("__repr__", [](const OpenProject& open) {
        return "<vantage.Project " + open.project.path.string() + ", " +
               std::to_string(open.project.cameras.size()) + " cameras>";
      });
}

}  // namespace vantage::python
