#include "app/python/frames.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "app/python/arrays.h"
#include "app/python/error.h"
#include "app/python/scene.h"
#include "core/foreground/methods.h"

namespace vantage::python {
namespace {

constexpr uint8_t kMaskFrom = 128;  // indicator >= 0.5

// The function keeps its own state.
class NothingKept final : public ForegroundState {
 public:
  size_t size_bytes() const override { return 0; }
};

Result<Image> mask_of(const Image& indicator, int64_t* count) {
  VANTAGE_ASSIGN(Image mask,
                 Image::make(ImageType::u8, indicator.width(), indicator.height(), HostPool::shared()));
  const ImageView<const uint8_t> from = indicator.view<uint8_t>();
  const ImageView<uint8_t> to = mask.writable_view<uint8_t>();
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x) {
      const bool there = from.at(x, y) >= kMaskFrom;
      to.at(x, y) = there ? 255 : 0;
      *count += there;
    }
  return mask;
}

class CalledForeground final : public ForegroundModel {
 public:
  CalledForeground(PictureForeground function, std::unique_ptr<MemoryTransfer> transfer, int camera)
      : function_(std::move(function)), transfer_(std::move(transfer)), camera_(camera) {}

  void reset() override {}
  void set_parameters(const ParameterStore&) override {}
  Status learn(const Picture&, int64_t) override { return {}; }
  Result<ForegroundImages> apply(const Picture& picture, int64_t frame) override {
    VANTAGE_ASSIGN(const Picture on_host, transfer_->download(picture, frame, camera_));
    VANTAGE_ASSIGN(const Image indicator, function_(static_cast<size_t>(camera_), on_host, frame));
    int64_t count = 0;
    VANTAGE_ASSIGN(const Image mask, mask_of(indicator, &count));
    ForegroundImages images;
    VANTAGE_ASSIGN(images.indicator, transfer_->upload(indicator, frame, camera_));
    VANTAGE_ASSIGN(images.mask, transfer_->upload(mask, frame, camera_));
    images.mask_count = count;
    return images;
  }
  Result<std::shared_ptr<const ForegroundState>> save() const override {
    return std::make_shared<const NothingKept>();
  }
  Status restore(const ForegroundState&) override { return {}; }

 private:
  const PictureForeground function_;
  const std::unique_ptr<MemoryTransfer> transfer_;
  const int camera_;
};

}  // namespace

Image indicator_of(const py::object& found, int width, int height) {
  if (found.is_none()) {
    Image empty = value(Image::make(ImageType::u8, width, height, HostPool::shared()));
    std::memset(empty.buffer()->data(), 0, empty.size_bytes());
    return empty;
  }
  const char* const name = "the foreground function's mask";
  py::array array = py::array::ensure(found);
  if (!array) throw py::error_already_set();
  require_shape(array, {height, width}, name);
  const bool truth = array.dtype().kind() == 'b';
  if (truth) array = array.attr("view")(py::dtype::of<uint8_t>());
  // A copy: the function may use its array again for the next picture.
  Image image = copied_image_of(array, ImageType::u8, name);
  if (!truth) return image;
  const ImageView<uint8_t> bytes = image.writable_view<uint8_t>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) bytes.at(x, y) = bytes.at(x, y) ? 255 : 0;
  return image;
}

void use_foreground(const PictureForeground& function, const DeviceBackends& backends,
                    BackendRegistry* registry) {
  const auto make = [function, backends](const BackendContext&, const ForegroundModel::Arguments& arguments)
      -> Result<std::unique_ptr<ForegroundModel>> {
    VANTAGE_ASSIGN(auto transfer, backends.create<MemoryTransfer>({}));
    return std::make_unique<CalledForeground>(function, std::move(transfer), arguments.camera);
  };
  for (const ForegroundMethodInfo& method : foreground_methods())
    registry->add<ForegroundModel>(method.name, backends.device, make);
}

Project without_learning(Project project) {
  const std::string& stage = parameter_table<ForegroundParameters>().stage;
  check(project.parameters.set(stage, "whole_recording", 0));
  check(project.parameters.set(stage, "learning_frames", 0));
  for (ProjectCamera& camera : project.cameras) camera.background.clear();
  return project;
}

namespace {

constexpr size_t kWaitingFrames = 4, kWaitingBytes = size_t{512} << 20;

// The requested range of frames, out of `count`.
FrameRange range_of(const py::object& frames, int64_t count) {
  if (frames.is_none()) return {0, count};
  const auto bound = [&](const char* name, int64_t otherwise) {
    const py::object at = frames.attr(name);
    return at.is_none() ? otherwise : at.cast<int64_t>();
  };
  const int64_t step = bound("step", 1);
  const FrameRange range{bound("start", 0), std::min(bound("stop", count), count)};
  if (step != 1)
    raise({ErrorKind::invalid_argument, "frames follow one another: the step is " + std::to_string(step),
           "frames", "Take those that you need from the iteration."});
  if (range.begin < 0 || range.begin >= range.end)
    raise({ErrorKind::invalid_argument, "no such frames: the recording has " + std::to_string(count),
           "frames", "Choose frames from 0 to that, without it."});
  return range;
}

CameraDetections detections_of(const py::object& found) {
  CameraDetections detections;
  if (found.is_none()) return detections;
  detections.known = true;
  const auto boxes = py::array_t < float, py::array::c_style | py::array::forcecast > ::ensure(found);
  if (!boxes) throw py::error_already_set();
  if (boxes.size() == 0) return detections;
  require_shape(boxes, {-1, 5}, "the detector's boxes");
  for (py::ssize_t i = 0; i < boxes.shape(0); ++i)
    detections.people.push_back(
        {boxes.at(i, 0), boxes.at(i, 1), boxes.at(i, 2), boxes.at(i, 3), boxes.at(i, 4), {}});
  return detections;
}

// Copies are made without the interpreter's lock, but reference counts need it.
std::shared_ptr<py::object> shared(const py::object& function) {
  return {new py::object(function), [](py::object* held) {
            const py::gil_scoped_acquire lock;
            delete held;
          }};
}

}  // namespace

Frames::Frames(const Project& project, const FramesOptions& options)
    : queue_(kWaitingFrames, kWaitingBytes, QueuePolicy::block) {
  open(project, options);
  thread_ = std::thread([this] { compute(); });
}

Frames::~Frames() {
  close();
}

void Frames::open(const Project& project, const FramesOptions& options) {
  if (project.live())
    raise({ErrorKind::unsupported, "its cameras are live", project.path.string(),
           "Record them first: vantage-cli run --record."});
  chain_ = std::make_shared<Chain>();
  chain_->backends = backends_for(options.backend);
  chain_->project = project;
  AnalysisOptions analysis;
  analysis.backends = chain_->backends->on_device();
  if (!options.foreground.is_none()) {
    chain_->project = without_learning(project);
    chain_->registry = chain_->backends->registry;
    use_foreground(foreground(options.foreground), chain_->backends->on_device(), &chain_->registry);
    analysis.backends.registry = &chain_->registry;
  }
  analysis.hardware = chain_->backends->hardware;
  analysis.keep_confidence = options.confidence;
  analysis.without_missing = options.without_missing;
  analysis.pipeline.cache_bytes = 0;  // each frame is used once
  analysis.detect = detector(options.detector);
  chain_->analysis = value(unlocked([&] { return Analysis::open(chain_->project, analysis); }));
  chain_->transfer = value(analysis.backends.create<MemoryTransfer>({}));
  const int64_t count =
      value(unlocked([&] { return chain_->analysis->source().wait_for_frame_count(stop_); }));
  range_ = range_of(options.frames, count);
}

template <typename T>
Result<T> Frames::called(const char* function, const std::function<T()>& call) {
  const py::gil_scoped_acquire lock;
  try {
    return call();
  } catch (...) {
    if (!raised_) raised_ = std::current_exception();
    return fail(ErrorKind::cancelled, std::string("the ") + function + " raised an exception");
  }
}

PictureDetector Frames::detector(const py::object& function) {
  if (function.is_none()) return {};
  return [this, held = shared(function)](size_t camera, const Picture& picture, int64_t frame) {
    return called<CameraDetections>("detector", [&] {
      return detections_of((*held)(rgb_of(picture), chain_->project.cameras[camera].name, frame));
    });
  };
}

PictureForeground Frames::foreground(const py::object& function) {
  return [this, held = shared(function)](size_t camera, const Picture& picture, int64_t frame) {
    return called<Image>("foreground function", [&] {
      const py::object found = (*held)(rgb_of(picture), chain_->project.cameras[camera].name, frame);
      return indicator_of(found, picture.width(), picture.height());
    });
  };
}

void Frames::compute() {
  status_ = chain_->analysis->pipeline().analyse(
      range_, ExecutionMode::threaded,
      [this](FrameResultRef result) { return queue_.push(std::move(result)); }, stop_);
  queue_.close();
}

FrameResultRef Frames::next() {
  for (;;) {
    bool waiting = false;
    std::optional<FrameResultRef> result =
        unlocked([&] { return queue_.pop_within(kSignalsEvery, &waiting); });
    if (result) return std::move(*result);
    if (waiting) {
      if (PyErr_CheckSignals() == 0) continue;
      close();
      throw py::error_already_set();
    }
    if (thread_.joinable()) unlocked([&] { thread_.join(); });
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
    if (!status_) raise(std::exchange(status_, {}).error());
    return nullptr;
  }
}

void Frames::close() {
  stop_.request_stop();
  queue_.abort();
  if (thread_.joinable()) unlocked([&] { thread_.join(); });
  raised_ = nullptr;
  status_ = {};
}

void add_frames(py::module_& module) {
  py::class_<Frames>(module, "Frames",
                     "The frames of a run, in order; each is computed once, ahead of where it is taken.")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__",
           [](Frames& frames) {
             FrameResultRef result = frames.next();
             if (!result) throw py::stop_iteration();
             return Frame{frames.chain(), std::move(result)};
           })
      .def("__len__", &Frames::count)
      .def("close", &Frames::close, "Stops the chain.")
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](Frames& frames, const py::args&) { frames.close(); })
      .def_property_readonly(
          "notes", [](const Frames& frames) { return frames.chain()->analysis->notes(); },
          "Remarks for the user: decoder fallbacks, missing calibrations.");
  module.attr("Project").attr("run") = py::cpp_function(
      [](const OpenProject& open, const py::object& frames, const std::string& backend,
         const py::object& detector, const py::object& foreground, bool confidence, bool without_missing) {
        return std::make_unique<Frames>(
            open.project, FramesOptions{frames, backend, detector, foreground, confidence, without_missing});
      },
      py::name("run"), py::is_method(module.attr("Project")), py::arg("frames") = py::none(), py::kw_only(),
      py::arg("backend") = "auto", py::arg("detector") = py::none(), py::arg("foreground") = py::none(),
      py::arg("confidence") = false, py::arg("without_missing") = false,
      "The chain over these frames (a range; None: all), with the project as it is now. `detector(rgb, "
      "camera,\n"
      "frame)` finds people in place of the project's model: rows of left, top, width, height (px), score; "
      "None\n"
      "where it did not run. `foreground(rgb, camera, frame)` finds what is not empty scene in place of the\n"
      "project's method: (height, width) truth values or uint8, 255 = 1; None: nothing. `confidence` keeps "
      "that of every voxel.");
}

}  // namespace vantage::python
