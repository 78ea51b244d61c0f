#include "app/python/primitives.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>

#include "app/python/arrays.h"
#include "app/python/error.h"
#include "app/python/project.h"
#include "core/foreground/methods.h"
#include "core/image/backend/memory_transfer.h"
#include "core/optical_flow/flow_courier.h"
#include "core/primitives/integral_image.h"
#include "core/primitives/nms.h"
#include "core/tracking/tracker.h"

namespace vantage::python {
namespace {

template <typename T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

// ---- integral image

IntegralType integral_type(const py::dtype& dtype, const char* name) {
  const std::pair<const char*, IntegralType> known[] = {
      {"uint8", IntegralType::u8},   {"int32", IntegralType::s32},   {"uint32", IntegralType::u32},
      {"uint64", IntegralType::u64}, {"float32", IntegralType::f32}, {"float64", IntegralType::f64}};
  const auto word = py::str(static_cast<py::handle>(dtype)).cast<std::string>();
  for (const auto& [text, type] : known)
    if (word == text) return type;
  raise({ErrorKind::invalid_argument, "elements of " + word + " have no integral image here", name,
         "Types: uint8, int32, uint32, float32, float64; sums of uint8 also as uint64."});
}

py::array integral_image(const py::array& given, bool exclusive, const py::object& sums) {
  require_shape(given, {-1, -1}, "image");
  const auto image = py::array::ensure(given, py::array::c_style);
  IntegralRequest request;
  request.in_type = integral_type(image.dtype(), "image");
  py::dtype out_type = request.in_type == IntegralType::u8 ? py::dtype::of<int32_t>() : image.dtype();
  if (!sums.is_none()) out_type = py::dtype::from_args(sums);
  request.out_type = integral_type(out_type, "sums");
  request.kind = exclusive ? IntegralKind::exclusive : IntegralKind::inclusive;
  const py::ssize_t more = exclusive ? 1 : 0;
  py::array out(out_type, Shape{image.shape(0) + more, image.shape(1) + more});
  const auto plane = [](const py::array& of, void* data) {
    return IntegralPlane{data, static_cast<int>(of.shape(1)), static_cast<int>(of.shape(0)),
                         static_cast<size_t>(of.shape(1) * of.itemsize())};
  };
  request.in.first = plane(image, const_cast<void*>(image.data()));
  request.out.first = plane(out, out.mutable_data());
  const auto backends = backends_for("cpu");
  const auto algorithm = value(backends->on_device().create<IntegralImage>({}));
  check(unlocked([&] { return algorithm->run(request); }));
  return out;
}

// ---- non-maximum suppression

NmsMethod nms_method(const std::string& name) {
  const std::pair<const char*, NmsMethod> known[] = {{"greedy", NmsMethod::greedy},
                                                     {"mapreduce", NmsMethod::mapreduce},
                                                     {"soft-linear", NmsMethod::soft_linear},
                                                     {"soft-gaussian", NmsMethod::soft_gaussian}};
  for (const auto& [text, method] : known)
    if (name == text) return method;
  raise({ErrorKind::invalid_argument, "'" + name + "' is no method", "method",
         "Methods: greedy, mapreduce, soft-linear, soft-gaussian."});
}

py::tuple nms(const Array<float>& boxes, const Array<float>& scores, float threshold,
              const std::string& method, const std::optional<Array<int32_t>>& classes,
              const std::string& backend) {
  require_shape(boxes, {-1, 4}, "boxes");
  require_shape(scores, {boxes.shape(0)}, "scores");
  if (classes) require_shape(*classes, {boxes.shape(0)}, "classes");
  std::vector<Detection> detections;
  for (py::ssize_t i = 0; i < boxes.shape(0); ++i)
    detections.push_back({boxes.at(i, 0), boxes.at(i, 1), boxes.at(i, 2), boxes.at(i, 3), scores.at(i),
                          classes ? classes->at(i) : 0});
  NmsOptions options;
  options.method = nms_method(method);
  if (options.method == NmsMethod::mapreduce) options = published_nms(threshold);
  options.rule.threshold = threshold;
  const auto backends = backends_for(backend);
  const auto algorithm = value(backends->on_device().create<NonMaximumSuppression>({}));
  const NmsResult result = value(unlocked([&] { return algorithm->run(detections, options); }));
  return py::make_tuple(
      py::array_t<int32_t>(static_cast<py::ssize_t>(result.kept.size()), result.kept.data()),
      py::array_t<float>(static_cast<py::ssize_t>(result.scores.size()), result.scores.data()));
}

// ---- optical flow

py::object farneback(const py::array& earlier, const py::array& later, const std::string& backend,
                     bool confidence, const py::kwargs& values) {
  const Image first = image_of(earlier, ImageType::u8, "earlier"),
              second = image_of(later, ImageType::u8, "later");
  const auto parameters =
      parameters_from(parameter_table<OpticalFlowParameters>(), values).get<OpticalFlowParameters>();
  const auto backends = backends_for(backend);
  const auto estimate = [&]() -> Result<FlowField> {
    VANTAGE_ASSIGN(const FlowCourier memory, FlowCourier::make(backends->on_device()));
    VANTAGE_ASSIGN(const auto flow, backends->on_device().create<OpticalFlow>({}));
    flow->set_parameters(parameters);
    FlowRequest request;
    request.confidence = confidence;
    VANTAGE_ASSIGN(const Image from, memory.upload(first));
    VANTAGE_ASSIGN(const Image to, memory.upload(second));
    VANTAGE_TRY(flow->next(from, {}, 0));
    VANTAGE_ASSIGN(FlowField field, flow->next(to, request, 1));
    return memory.download(std::move(field));
  };
  const FlowField field = value(unlocked(estimate));
  if (!confidence) return view_of(field.vectors, 2);
  return py::make_tuple(view_of(field.vectors, 2), view_of(field.confidence));
}

// ---- foreground

// One camera's scene and what differs from it.
class Foreground {
 public:
  Foreground(const std::string& backend, const py::kwargs& values) : backends_(backends_for(backend)) {
    const ParameterStore store = parameters_from(parameter_table<ForegroundParameters>(), values);
    const std::string method(foreground_method(store.get<ForegroundParameters>()).name);
    model_ = value(backends_->on_device().create<ForegroundModel>(method, {}));
    model_->set_parameters(store);
    transfer_ = value(backends_->on_device().create<MemoryTransfer>({}));
  }
  void learn(const py::array& picture) {
    const Picture given = picture_of(picture, "picture");
    check(unlocked([&]() -> Status {
      VANTAGE_ASSIGN(const Picture there, transfer_->upload(given, frame_, 0));
      return model_->learn(there, frame_);
    }));
    ++frame_;
  }
  py::array apply(const py::array& picture) {
    const Picture given = picture_of(picture, "picture");
    const Image mask = value(unlocked([&]() -> Result<Image> {
      VANTAGE_ASSIGN(const Picture there, transfer_->upload(given, frame_, 0));
      VANTAGE_ASSIGN(const ForegroundImages images, model_->apply(there, frame_));
      return transfer_->download(images.mask, frame_, 0);
    }));
    ++frame_;
    return view_of(mask);
  }

 private:
  std::shared_ptr<Backends> backends_;
  std::unique_ptr<ForegroundModel> model_;
  std::unique_ptr<MemoryTransfer> transfer_;
  int64_t frame_ = 0;
};

// ---- tracking

py::array_t<int64_t> track(Tracker& tracker, int64_t frame, const Array<double>& positions) {
  if (positions.ndim() != 2 || (positions.shape(1) != 2 && positions.shape(1) != 3))
    require_shape(positions, {-1, 3}, "positions");
  constexpr double kUsualHeight_m = 1.7;
  std::vector<FloorDetection> found;
  for (py::ssize_t i = 0; i < positions.shape(0); ++i)
    found.push_back({positions.at(i, 0), positions.at(i, 1),
                     positions.shape(1) == 3 ? positions.at(i, 2) : kUsualHeight_m});
  if (frame <= tracker.memory().last_frame)
    raise({ErrorKind::invalid_argument,
           "frames come in order; the last was " + std::to_string(tracker.memory().last_frame),
           "frame " + std::to_string(frame), "Give each frame once, in order."});
  const auto tracked = value(tracker.update(frame, found));
  py::array_t<int64_t> ids(static_cast<py::ssize_t>(tracked.size()));
  for (size_t i = 0; i < tracked.size(); ++i) ids.mutable_at(static_cast<py::ssize_t>(i)) = tracked[i].id;
  return ids;
}

}  // namespace

void add_primitives(py::module_& module) {
  module.def(
      "integral_image", &integral_image, py::arg("image"), py::kw_only(), py::arg("exclusive") = false,
      py::arg("sums") = py::none(),
      "The summed-area table of a (height, width) array. Exclusive: one larger in both directions, its "
      "first\n"
      "row and column 0, so that a box's sum is J[y1, x1] - J[y0, x1] - J[y1, x0] + J[y0, x0]. `sums`: the\n"
      "type of the sums; int32 of uint8, else the image's.");
  module.def("nms", &nms, py::arg("boxes"), py::arg("scores"), py::arg("threshold") = 0.5f, py::kw_only(),
             py::arg("method") = "greedy", py::arg("classes") = py::none(), py::arg("backend") = "auto",
             "Non-maximum suppression of (N, 4) boxes: left, top, width, height. Returns the indices that "
             "are kept,\n"
             "ascending, and their scores (soft methods lower them).");
  module.def(
      "farneback", &farneback, py::arg("earlier"), py::arg("later"), py::kw_only(),
      py::arg("backend") = "auto", py::arg("confidence") = false,
      "Dense optical flow of two grey pictures: (height, width, 2) px, earlier[y, x] is found at\n"
      "later[y + dy, x + dx]. Parameters of the stage `flow` as keywords. With `confidence` also (height,\n"
      "width), 255 = 1.");
  py::class_<Foreground>(module, "Foreground",
                         "What differs from the empty scene, of one camera, picture by picture.")
      .def(py::init<const std::string&, const py::kwargs&>(), py::kw_only(), py::arg("backend") = "auto",
           "Parameters of the stage `foreground` as keywords.")
      .def("learn", &Foreground::learn, py::arg("picture"),
           "A picture of the empty scene: (height, width, 3) or grey.")
      .def("apply", &Foreground::apply, py::arg("picture"),
           "The mask (height, width), 0 or 255; the scene follows.");
  py::class_<Tracker>(module, "Tracker", "Numbers people on the floor frame by frame.")
      .def(py::init([](double frame_rate, const py::kwargs& values) {
             auto tracker = std::make_unique<Tracker>(frame_rate);
             tracker->set_parameters(
                 parameters_from(parameter_table<TrackingParameters>(), values).get<TrackingParameters>());
             return tracker;
           }),
           py::arg("frame_rate"), "Parameters of the stage `tracking` as keywords.")
      .def("update", &track, py::arg("frame"), py::arg("positions"),
           "Of people at (N, 2 or 3) x, y and height in metres the track numbers, 0: not confirmed yet.");
}

}  // namespace vantage::python
