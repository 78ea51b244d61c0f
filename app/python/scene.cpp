#include "app/python/scene.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "app/python/arrays.h"
#include "app/python/error.h"
#include "app/python/tensor.h"
#include "core/fusion/body_box.h"
#include "core/pipeline/frame_people.h"
#include "core/pipeline/memory_needed.h"

namespace vantage::python {
namespace {

// A person of a frame; refers to the frame's memory.
struct Person {
  Frame frame;
  FramePerson person;
};

Image on_host(const Chain& chain, const Image& image, int64_t frame) {
  if (!image || image.place() == MemoryPlace{}) return image;
  return value(unlocked([&] { return chain.transfer->download(image, frame, -1); }));
}

Picture picture_on_host(const Frame& frame, const py::object& camera) {
  const size_t index = camera_index(frame.chain->project, camera);
  const FrameSet* const frames = frame.result->frames();
  if (!frames || !frames->cameras[index].picture) return {};
  const Picture& picture = frames->cameras[index].picture;
  if (picture.place() == MemoryPlace{}) return picture;
  return value(unlocked([&] {
    return frame.chain->transfer->download(picture, frame.result->frame, static_cast<int>(index));
  }));
}

py::object luma(const Frame& frame, const py::object& camera) {
  const Picture picture = picture_on_host(frame, camera);
  if (!picture) return py::none();
  const ImageView<const uint8_t> plane = picture.plane(0);
  return view_of(plane.data, {plane.height, plane.width}, {static_cast<py::ssize_t>(plane.stride_bytes), 1},
                 picture.buffer());
}

py::object rgb(const Frame& frame, const py::object& camera) {
  const Picture picture = picture_on_host(frame, camera);
  return picture ? py::object(rgb_of(picture)) : py::none();
}

// Tensors in the chain's memory; None where there is none.
using FrameTensor = py::object (*)(const Frame& frame);
using CameraTensor = py::object (*)(const Frame& frame, size_t camera);

py::object tensor_or_none(const Frame& frame, const Image& image) {
  return image ? py::cast(tensor_of(frame.chain, image)) : py::none();
}

py::object floor_tensor(const Frame& frame, Image FloorMap::* part) {
  const FloorMap* const map = frame.result->floor_map();
  return map ? tensor_or_none(frame, map->*part) : py::none();
}

py::object confidence_tensor(const Frame& frame) {
  const CarvedVolume* const volume = known_volume(*frame.result);
  if (!volume || !volume->confidence) return py::none();
  return py::cast(planes_of(frame.chain, volume->confidence, volume->grid.nz));
}

py::object shell_tensor(const Frame& frame) {
  const CarvedVolume* const volume = known_volume(*frame.result);
  if (!volume) return py::none();
  const int64_t count = value(unlocked([&] { return volume->counts.get(); })).shell;
  if (count == 0) return py::none();
  return py::cast(row_of(frame.chain, value(unlocked([&] { return volume->shell_ids.get(); })), count));
}

py::object height_map_tensor(const Frame& frame) {
  const HeightEstimate* const estimate = frame.result->height_map();
  return estimate ? tensor_or_none(frame, estimate->heights_m) : py::none();
}

py::object luma_tensor(const Frame& frame, size_t camera) {
  const FrameSet* const frames = frame.result->frames();
  if (!frames || !frames->cameras[camera].picture) return py::none();
  return py::cast(tensor_of(frame.chain, frames->cameras[camera].picture));
}

py::object foreground_tensor(const Frame& frame, size_t camera, Image ForegroundImages::* part) {
  const ForegroundArtifact* const foreground = frame.result->foreground();
  return foreground ? tensor_or_none(frame, foreground->cameras[camera].*part) : py::none();
}

py::object flow_tensor(const Frame& frame, size_t camera) {
  const FlowArtifact* const flow = frame.result->flow();
  if (!flow || !flow->cameras[camera].field) return py::none();
  return py::cast(pairs_of(frame.chain, flow->cameras[camera].field.vectors));
}

constexpr std::pair<std::string_view, FrameTensor> kFrameTensors[] = {
    {"floor_columns", [](const Frame& frame) { return floor_tensor(frame, &FloorMap::columns); }},
    {"floor_tops", [](const Frame& frame) { return floor_tensor(frame, &FloorMap::tops); }},
    {"confidence", confidence_tensor},
    {"shell_ids", shell_tensor},
    {"height_map", height_map_tensor}};
constexpr std::pair<std::string_view, CameraTensor> kCameraTensors[] = {
    {"luma", luma_tensor},
    {"mask", [](const Frame& frame,
                size_t camera) { return foreground_tensor(frame, camera, &ForegroundImages::mask); }},
    {"indicator",
     [](const Frame& frame, size_t camera) {
       return foreground_tensor(frame, camera, &ForegroundImages::indicator);
     }},
    {"flow", flow_tensor}};

py::object tensor(const Frame& frame, const std::string& what, const py::object& camera) {
  for (const auto& [name, make] : kFrameTensors)
    if (what == name) return make(frame);
  for (const auto& [name, make] : kCameraTensors)
    if (what == name) return make(frame, camera_index(frame.chain->project, camera));
  raise({ErrorKind::invalid_argument, "'" + what + "' is not something that frames have", "what",
         "Of a camera: luma, mask, indicator, flow; of the scene: floor_columns, floor_tops, confidence, "
         "shell_ids, height_map."});
}

py::list masks(const Frame& frame) {
  py::list all;
  const ForegroundArtifact* const foreground = frame.result->foreground();
  if (!foreground) return all;
  for (const Image& mask : value(unlocked([&] { return foreground->host_masks.get(); })))
    all.append(mask ? py::object(view_of(mask)) : py::none());
  return all;
}

py::object indicator(const Frame& frame, const py::object& camera) {
  const size_t index = camera_index(frame.chain->project, camera);
  const ForegroundArtifact* const foreground = frame.result->foreground();
  if (!foreground || !foreground->cameras[index].indicator) return py::none();
  return view_of(on_host(*frame.chain, foreground->cameras[index].indicator, frame.result->frame));
}

// None where they are unknown.
py::object people(const Frame& frame) {
  const PeopleArtifact* const found = frame.result->people();
  if (!found || !found->count_known()) return py::none();
  py::list all;
  for (FramePerson& person : people_of(*frame.result)) all.append(Person{frame, std::move(person)});
  return all;
}

std::string stopped_at(const Frame& frame) {
  const PeopleArtifact* const found = frame.result->people();
  return found ? found->stopped_at : std::string();
}

py::list flow(const Frame& frame) {
  py::list all;
  const FlowArtifact* const flow = frame.result->flow();
  if (!flow) return all;
  for (const CameraFlow& camera : flow->cameras)
    all.append(camera.field ? py::object(view_of(camera.field.vectors, 2)) : py::none());
  return all;
}

py::object height_map(const Frame& frame) {
  const HeightEstimate* const estimate = frame.result->height_map();
  return estimate && estimate->heights_m ? py::object(view_of(estimate->heights_m)) : py::none();
}

py::object floor_map(const Frame& frame) {
  const FloorMap* const map = frame.result->floor_map();
  if (!map || !map->columns) return py::none();
  return py::make_tuple(view_of(on_host(*frame.chain, map->columns, frame.result->frame)),
                        view_of(on_host(*frame.chain, map->tops, frame.result->frame)));
}

py::object volume(const Frame& frame) {
  const CarvedVolume* const volume = known_volume(*frame.result);
  return volume ? py::cast(Volume{frame.chain, *volume}) : py::none();
}

// (N, 5) boxes of each camera; None where it was not examined.
py::list detections(const Frame& frame) {
  py::list all;
  const DetectionsArtifact* const found = frame.result->detections();
  if (!found) return all;
  for (const CameraDetections& camera : found->cameras) {
    if (!camera.known) {
      all.append(py::none());
      continue;
    }
    py::array_t<float> boxes({static_cast<py::ssize_t>(camera.people.size()), py::ssize_t{5}});
    for (size_t i = 0; i < camera.people.size(); ++i) {
      const PersonDetection& person = camera.people[i];
      const float row[5] = {person.left_px, person.top_px, person.width_px, person.height_px, person.score};
      std::copy(row, row + 5, boxes.mutable_data(static_cast<py::ssize_t>(i), 0));
    }
    all.append(std::move(boxes));
  }
  return all;
}

VolumeCounts counts(const Volume& volume) {
  return value(unlocked([&] { return volume.volume.counts.get(); }));
}

py::array shell_ids(const Volume& volume) {
  const int64_t count = counts(volume).shell;
  const Image ids = on_host(*volume.chain, value(unlocked([&] { return volume.volume.shell_ids.get(); })),
                            volume.volume.frame);
  if (count == 0) return py::array_t<uint32_t>(0);
  return view_of(ids.view<uint32_t>().data, {count}, {4}, ids.buffer());
}

// Centres of the shell's voxels.
py::array_t<double> shell_points(const Volume& volume) {
  const py::array_t<uint32_t> ids = shell_ids(volume);
  const VoxelGrid& grid = volume.volume.grid;
  py::array_t<double> points({ids.shape(0), py::ssize_t{3}});
  for (py::ssize_t i = 0; i < ids.shape(0); ++i) {
    const int64_t id = ids.at(i);
    const int index[3] = {static_cast<int>(id % grid.nx), static_cast<int>(id / grid.nx % grid.ny),
                          static_cast<int>(id / grid.nx / grid.ny)};
    for (int axis = 0; axis < 3; ++axis) points.mutable_at(i, axis) = grid.center(axis, index[axis]);
  }
  return points;
}

py::object confidence(const Volume& volume) {
  if (!volume.volume.confidence) return py::none();
  const Image image = on_host(*volume.chain, volume.volume.confidence, volume.volume.frame);
  const VoxelGrid& grid = volume.volume.grid;
  const auto stride = static_cast<py::ssize_t>(image.stride_bytes());
  return view_of(image.view<float>().data, {grid.nz, grid.ny, grid.nx}, {stride * grid.ny, stride, 4},
                 image.buffer());
}

py::list evidence(const Person& person) {
  py::list all;
  if (!person.person.fused) return all;
  for (const CameraEvidence& camera : person.person.fused->evidence) {
    py::dict row;
    row["camera"] = person.frame.chain->project.cameras[camera.camera].name;
    row["detection"] = camera.detection < 0 ? py::object(py::none()) : py::int_(camera.detection);
    row["head"] = camera.head < 0 ? py::object(py::none()) : py::int_(camera.head);
    row["nats"] = camera.nats, row["visible"] = camera.visible, row["in_mask"] = camera.in_mask;
    all.append(std::move(row));
  }
  return all;
}

py::object seated(const Person& person) {
  return person.person.fused ? py::object(py::float_(seated_probability(
                                   person.person.fused->height_m, person.person.fused->height_deviation_m)))
                             : py::none();
}

py::object velocity(const Person& person) {
  const auto* const motion = person.person.motion;
  if (!motion || !*motion) return py::none();
  const auto& v = (*motion)->velocity_m_per_s;
  return py::make_tuple(v[0], v[1], v[2]);
}

// (joints, 4): x, y, z in metres and the confidence; NaN for unknown joints.
py::object skeleton(const Person& person) {
  const PersonSkeleton* const skeleton = person.person.skeleton;
  if (!skeleton || !skeleton->layout) return py::none();
  py::array_t<double> joints({static_cast<py::ssize_t>(skeleton->joints.size()), py::ssize_t{4}});
  std::fill(joints.mutable_data(), joints.mutable_data() + joints.size(), NAN);
  for (size_t i = 0; i < skeleton->joints.size(); ++i)
    if (const auto& joint = skeleton->joints[i]) {
      for (int axis = 0; axis < 3; ++axis)
        joints.mutable_at(static_cast<py::ssize_t>(i), axis) = joint->point_in_world_m[axis];
      joints.mutable_at(static_cast<py::ssize_t>(i), 3) = joint->confidence;
    }
  return joints;
}

void add_person(py::module_& module) {
  py::class_<Person>(module, "Person", "A person in one frame. Positions are in metres of the world.")
      .def_property_readonly(
          "id", [](const Person& p) { return p.person.id(); }, "Of the track; 0: not confirmed yet.")
      .def_property_readonly("x_m", [](const Person& p) { return p.person.found.x_m; })
      .def_property_readonly("y_m", [](const Person& p) { return p.person.found.y_m; })
      .def_property_readonly("height_m", [](const Person& p) { return p.person.found.height_m; })
      .def_property_readonly("seated", &seated,
                             "Probability that the person sits; None where people are not from detections.")
      .def_property_readonly(
          "volume_l", [](const Person& p) { return p.person.found.volume_l; },
          "Litres that stand over the footprint.")
      .def_property_readonly(
          "confidence", [](const Person& p) { return p.person.found.confidence; },
          "0 to 1; of people from detections the probability that a person stands there.")
      .def_property_readonly(
          "cameras", [](const Person& p) { return p.person.found.cameras; },
          "How many cameras see, or detect, the person.")
      .def_property_readonly("velocity_m_per_s", &velocity,
                             "(x, y, z) by optical flow; None where not measured.")
      .def_property_readonly(
          "evidence", &evidence,
          "Of people from detections: a dict for each camera that examined the frame, with its nats.")
      .def_property_readonly("skeleton", &skeleton,
                             "(joints, 4): x, y, z in metres and confidence, NaN where not known; None.")
      .def("__repr__", [](const Person& p) {
        return "<vantage.Person " + std::to_string(p.person.id()) + " at " +
               std::to_string(p.person.found.x_m) + ", " + std::to_string(p.person.found.y_m) + " m>";
      });
}

void add_volume(py::module_& module) {
  py::class_<Volume>(module, "Volume", "The carved volume of a frame. Arrays are [z, y, x].")
      .def_property_readonly("voxel_size_m", [](const Volume& v) { return v.volume.grid.voxel_size_m; })
      .def_property_readonly(
          "origin_m",
          [](const Volume& v) {
            const double* const o = v.volume.grid.origin_in_world_m;
            return py::make_tuple(o[0], o[1], o[2]);
          },
          "The corner with the smallest x, y, z.")
      .def_property_readonly("shape",
                             [](const Volume& v) {
                               const VoxelGrid& g = v.volume.grid;
                               return py::make_tuple(g.nz, g.ny, g.nx);
                             })
      .def_property_readonly(
          "occupied", [](const Volume& v) { return counts(v).occupied; }, "Voxels.")
      .def_property_readonly("litres",
                             [](const Volume& v) { return v.volume.grid.liters(counts(v).occupied); })
      .def_property_readonly("shell_ids", &shell_ids, "Of the shell's voxels: x + nx (y + ny z), ascending.")
      .def("shell_points", &shell_points, "(N, 3) centres of the shell's voxels in metres; a new array.")
      .def_property_readonly("confidence", &confidence,
                             "(nz, ny, nx); None unless run(confidence=True) keeps it.");
}

}  // namespace

void add_scene(py::module_& module) {
  add_person(module);
  add_volume(module);
  py::class_<Frame>(module, "Frame", "What the chain found in one frame. Cameras go by name or index from 0.")
      .def_property_readonly(
          "index", [](const Frame& f) { return f.result->frame; }, "Of the first camera, from 0.")
      .def_property_readonly("people", &people, "A list of Person; None where too few cameras see enough.")
      .def_property_readonly("stopped_at", &stopped_at, "Why no one was found, in a sentence.")
      .def("luma", &luma, py::arg("camera"), "(height, width) Y' of the picture; None where there is none.")
      .def("rgb", &rgb, py::arg("camera"),
           "(height, width, 3) of the picture; a new array, None where there is none.")
      .def("tensor", &tensor, py::arg("what"), py::arg("camera") = 0,
           "A Tensor where the chain has it, on a GPU too: luma, mask, indicator, flow of a camera;\n"
           "floor_columns, floor_tops, confidence, shell_ids, height_map of the scene. None where there is "
           "none.")
      .def_property_readonly("masks", &masks,
                             "By camera (height, width), 0 or 255; None where there is no picture.")
      .def("indicator", &indicator, py::arg("camera"), "(height, width) foreground, 255 = 1.")
      .def_property_readonly("volume", &volume, "A Volume; None without a calibration.")
      .def_property_readonly(
          "floor_map", &floor_map,
          "(columns, tops), each (ny, nx): occupied voxels above a cell, and the highest + 1.")
      .def_property_readonly("flow", &flow,
                             "By camera (height, width, 2) px from the picture before; with flow.enabled.")
      .def_property_readonly("height_map", &height_map,
                             "(height, width) metres above the floor, NaN: no head; with heightmap.enabled.")
      .def_property_readonly("detections", &detections,
                             "By camera (N, 5): left, top, width, height, score; None where it did not run.")
      .def("__repr__",
           [](const Frame& f) { return "<vantage.Frame " + std::to_string(f.result->frame) + ">"; });
}

}  // namespace vantage::python
