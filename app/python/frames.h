// Frames of a run, made by threads of the chain while Python takes them one by one.
#pragma once

#include <pybind11/pybind11.h>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "app/backends/backends.h"
#include "app/python/project.h"
#include "core/base/threads.h"
#include "core/image/backend/memory_transfer.h"
#include "core/image/backend/registry.h"
#include "core/project/project.h"
#include "core/run/analysis.h"

namespace vantage::python {

// A Python function used instead of the project's foreground method.

namespace py = pybind11;

// Returns the indicator (u8, 255 = 1, host memory, of the picture's size) of a picture in host memory. Called
// concurrently for different cameras, in order for each.
using PictureForeground = std::function<Result<Image>(size_t camera, const Picture& picture, int64_t frame)>;

// The indicator from the function's result for a picture of that size: (height, width), booleans or 8 bits,
// 255 = 1; None: no foreground. Raises for other values. Requires the interpreter's lock.
Image indicator_of(const py::object& found, int width, int height);

// Makes `function` every foreground method of the device. It learns nothing beforehand.
void use_foreground(const PictureForeground& function, const DeviceBackends& backends,
                    BackendRegistry* registry);
// A project whose chain reads no footage to learn an empty scene.
Project without_learning(Project project);

// The chain of frames. Each remaining frame keeps it alive: its memory may be a device's.
struct Chain {
  std::shared_ptr<Backends> backends;
  BackendRegistry registry;  // registry with a Python function as foreground; else empty
  Project project;
  std::unique_ptr<Analysis> analysis;
  std::unique_ptr<MemoryTransfer> transfer;
};

struct FramesOptions {
  py::object frames = py::none();  // None, a range or a slice
  std::string backend = "auto";
  py::object detector = py::none(), foreground = py::none();
  bool confidence = false;  // keep the volume's
  bool without_missing = false;
};

// An iterator. Not thread-safe.
class Frames {
 public:
  Frames(const Project& project, const FramesOptions& options);
  ~Frames();
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  // Null at the end. Raises the chain's error; KeyboardInterrupt on Ctrl-C.
  FrameResultRef next();
  void close();  // stops the chain; next() then returns null
  int64_t count() const { return range_.end - range_.begin; }
  const std::shared_ptr<Chain>& chain() const { return chain_; }

 private:
  void open(const Project& project, const FramesOptions& options);
  PictureDetector detector(const py::object& function);
  PictureForeground foreground(const py::object& function);
  // The result of `call`, called with the interpreter's lock. Its exception ends the chain, and next() raises
  // it again.
  template <typename T>
  Result<T> called(const char* function, const std::function<T()>& call);
  void compute();

  std::shared_ptr<Chain> chain_;
  FrameRange range_;
  StopSource stop_;
  BoundedQueue<FrameResultRef> queue_;
  std::exception_ptr raised_;  // raised by the caller's function; set before the chain ends
  Status status_;              // the chain's, once the queue is closed
  std::thread thread_;
};

void add_frames(py::module_& module);

}  // namespace vantage::python
