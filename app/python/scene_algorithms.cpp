#include "app/python/scene_algorithms.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/error.h"
#include "app/python/project.h"
#include "app/python/scene.h"
#include "core/pipeline/height_mapper.h"
#include "core/tracking/paths/path_tracker.h"

namespace vantage::python {
namespace {

using Records = py::array_t<double, py::array::c_style | py::array::forcecast>;

// One for each camera of the project.
void require_one_each(const Project& project, const py::sequence& given, const char* name) {
  if (given.size() == project.cameras.size()) return;
  raise({ErrorKind::invalid_argument,
         "one for each of the " + std::to_string(project.cameras.size()) + " cameras is expected, not " +
             std::to_string(given.size()),
         name, "Give None for cameras without a picture."});
}

// 8-bit images, one for each camera; None: empty.
std::vector<Image> images_of(const Project& project, const py::sequence& given, const char* name) {
  require_one_each(project, given, name);
  std::vector<Image> images;
  for (const py::handle one : given)
    images.push_back(one.is_none() ? Image() : image_of(py::array::ensure(one), ImageType::u8, name));
  return images;
}

std::shared_ptr<Chain> chain_of(const Project& project, const std::string& backend) {
  auto chain = std::make_shared<Chain>();
  chain->backends = backends_for(backend);
  chain->project = project;
  chain->transfer = value(chain->backends->on_device().create<MemoryTransfer>({}));
  return chain;
}

// ---- carving

Result<CarvedVolume> carve_now(const Chain& chain, std::vector<Image> indicators,
                               const CarvingParameters& parameters, bool confidence) {
  Carver::Arguments arguments;
  for (const Camera& camera : chain.project.calibrations()) arguments.cameras.push_back(camera.model());
  VANTAGE_ASSIGN(arguments.grid, chain.project.effective_grid());
  VANTAGE_ASSIGN(const auto carver, chain.backends->on_device().create<Carver>(arguments));
  carver->set_parameters(parameters);
  for (size_t i = 0; i < indicators.size(); ++i) {
    if (!indicators[i]) continue;
    VANTAGE_ASSIGN(indicators[i], chain.transfer->upload(indicators[i], 0, static_cast<int>(i)));
  }
  VANTAGE_ASSIGN(CarvedVolume volume, carver->carve(indicators, confidence, 0));
  // Before the carver is destroyed, which they may use.
  if (const auto& counts = volume.counts.get(); !counts) return fail(counts.error());
  if (const auto& ids = volume.shell_ids.get(); !ids) return fail(ids.error());
  return volume;
}

Volume carve(const OpenProject& open, const py::sequence& indicators, const std::string& backend,
             bool confidence, const py::kwargs& values) {
  require_calibrated(open.project);
  const std::shared_ptr<Chain> chain = chain_of(open.project, backend);
  const std::vector<Image> images = images_of(open.project, indicators, "indicators");
  const auto parameters =
      with_values(open.project.parameters, parameter_table<CarvingParameters>().stage, values)
          .get<CarvingParameters>();
  return {chain, value(unlocked([&] { return carve_now(*chain, images, parameters, confidence); }))};
}

// ---- height map

struct HeightMapResult {
  HeightEstimate estimate;
  std::string camera;  // the reference
};

// Grey pictures are luma as Frame.luma() gives it.
std::vector<LumaPlane> luma_planes(const Chain& chain, const py::sequence& pictures) {
  require_one_each(chain.project, pictures, "pictures");
  std::vector<Picture> taken;
  for (const py::handle one : pictures)
    taken.push_back(one.is_none() ? Picture() : luma_picture_of(py::array::ensure(one), "pictures"));
  FrameSet frames;
  for (size_t i = 0; i < taken.size(); ++i) {
    CameraFrame& camera = frames.cameras.emplace_back();
    if (!taken[i]) continue;
    camera.picture =
        value(unlocked([&] { return chain.transfer->upload(taken[i], 0, static_cast<int>(i)); }));
  }
  return luma_of(frames);
}

HeightMapResult height_map_of(const OpenProject& open, const py::sequence& pictures, const py::object& masks,
                              const std::string& backend, const py::kwargs& values) {
  const Project& project = open.project;
  require_calibrated(project);
  const std::shared_ptr<Chain> chain = chain_of(project, backend);
  const std::vector<LumaPlane> planes = luma_planes(*chain, pictures);
  std::vector<Image> foreground;
  if (!masks.is_none()) foreground = images_of(project, masks.cast<py::sequence>(), "masks");
  const ParameterStore parameters =
      with_values(project.parameters, parameter_table<HeightMapParameters>().stage, values);
  HeightMapper mapper({chain->backends->on_device(), project.calibrations(), project.grid});
  check(mapper.configure(parameters.get<HeightMapParameters>(), parameters.get<DaisyParameters>()));
  const std::string camera = project.cameras[mapper.reference()].name;
  if (!planes[mapper.reference()])
    raise({ErrorKind::invalid_argument, "the reference camera has no picture", camera,
           "Give its picture, or choose another one: reference=N, from 1."});
  const StopSource stop;
  HeightMapRequest request;
  request.on_check = [&](const HeightEstimate&) { return !stop.stop_requested(); };
  HeightEstimate estimate = value(interruptible(stop, [&]() -> Result<HeightEstimate> {
    VANTAGE_ASSIGN(const CostVolume costs, mapper.measure(planes, foreground, {}, 0));
    return mapper.solve(costs, request, 0);
  }));
  return {std::move(estimate), camera};
}

// (N, 4): x, y, height in metres, area in square metres.
py::array_t<double> heads(const HeightMapResult& map) {
  py::array_t<double> rows({static_cast<py::ssize_t>(map.estimate.heads.size()), py::ssize_t{4}});
  for (size_t i = 0; i < map.estimate.heads.size(); ++i) {
    const HeightMapHead& head = map.estimate.heads[i];
    const double row[4] = {head.x_m, head.y_m, head.height_m, head.area_m2};
    std::copy(row, row + 4, rows.mutable_data(static_cast<py::ssize_t>(i), 0));
  }
  return rows;
}

// ---- paths over the floor

// Frames from the first to the last row; a frame without a row is one in which no one was found.
std::vector<SeenFrame> seen_frames(const Records& rows) {
  constexpr double kUsualHeight_m = 1.7;
  if (rows.ndim() != 2 || rows.shape(1) < 3 || rows.shape(1) > 5) require_shape(rows, {-1, 5}, "positions");
  std::map<int64_t, std::vector<FloorPerson>> found;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    FloorPerson person;
    person.x_m = rows.at(i, 1), person.y_m = rows.at(i, 2);
    person.height_m = rows.shape(1) > 3 ? rows.at(i, 3) : kUsualHeight_m;
    person.confidence = rows.shape(1) > 4 ? rows.at(i, 4) : 1;
    found[static_cast<int64_t>(rows.at(i, 0))].push_back(person);
  }
  std::vector<SeenFrame> frames;
  if (found.empty()) return frames;
  for (int64_t frame = found.begin()->first; frame <= found.rbegin()->first; ++frame) {
    const auto at = found.find(frame);
    frames.push_back({frame, at == found.end() ? std::vector<FloorPerson>() : at->second, {}});
  }
  return frames;
}

py::array_t<double> track_recording(const Records& positions, double frame_rate, const py::kwargs& values) {
  const std::vector<SeenFrame> frames = seen_frames(positions);
  const auto parameters = parameters_from(parameter_table<PathParameters>(), values).get<PathParameters>();
  const std::vector<PersonPath> paths =
      value(unlocked([&] { return follow_paths(frames, frame_rate, parameters); }));
  std::vector<std::array<double, 6>> rows;
  for (const PersonPath& path : paths)
    for (const PathPoint& point : path.points)
      rows.push_back({static_cast<double>(point.frame), static_cast<double>(path.id), point.x_m, point.y_m,
                      point.height_m, point.seen ? 1.0 : 0.0});
  std::sort(rows.begin(), rows.end());
  py::array_t<double> out({static_cast<py::ssize_t>(rows.size()), py::ssize_t{6}});
  if (!rows.empty()) std::copy_n(rows.front().data(), 6 * rows.size(), out.mutable_data());
  return out;
}

}  // namespace

void add_scene_algorithms(py::module_& module) {
  module.def("carve", &carve, py::arg("project"), py::arg("indicators"), py::kw_only(),
             py::arg("backend") = "auto", py::arg("confidence") = false,
             "The Volume that the project's cameras agree on. `indicators`: by camera (height, width) uint8, "
             "255 = 1,\n"
             "or None. The project's region and parameters; those of the stage `carving` as keywords.");
  py::class_<HeightMapResult>(module, "HeightMap", "A height map of a reference camera's picture.")
      .def_readonly("camera", &HeightMapResult::camera, "The reference's name.")
      .def_property_readonly(
          "heights_m", [](const HeightMapResult& map) { return view_of(map.estimate.heights_m); },
          "(height, width) metres above the floor, NaN: no head.")
      .def_property_readonly("heads", &heads, "(N, 4) x, y, height in metres, area in square metres.");
  module.def(
      "height_map", &height_map_of, py::arg("project"), py::arg("pictures"), py::arg("masks") = py::none(),
      py::kw_only(), py::arg("backend") = "auto",
      "The HeightMap of one instant. `pictures`: by camera (height, width) luma or (height, width, 3), None\n"
      "where there is none; `masks`: by camera, 0 or 255. The project's parameters; those of the stage\n"
      "`heightmap` as keywords.");
  module.def(
      "track", &track_recording, py::arg("positions"), py::arg("frame_rate"),
      "People over a whole recording at once, as `vantage-cli track`. `positions`: rows of frame, x, y[, "
      "height[,\n"
      "confidence]]; gives rows of frame, ID, x, y, height, seen (0: bridged). Parameters of `paths` as "
      "keywords.");
}

}  // namespace vantage::python
