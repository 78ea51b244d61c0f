#include "app/python/tensor.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <utility>

#include "app/python/error.h"

namespace vantage::python {
namespace {

// DLPack 0.6's structures (github.com/dmlc/dlpack) for tensors between libraries, in the protocol's layout.

inline constexpr const char* kDlpackCapsule = "dltensor";

struct DlpackDevice {
  int32_t type = 0;
  int32_t index = 0;
};
inline constexpr int32_t kDlpackHost = 1, kDlpackCuda = 2;

struct DlpackType {
  uint8_t code = 0, bits = 0;
  uint16_t lanes = 1;
};
inline constexpr uint8_t kDlpackSigned = 0, kDlpackUnsigned = 1, kDlpackFloat = 2;

struct DlpackTensor {
  void* data = nullptr;
  DlpackDevice device;
  int32_t dimensions = 0;
  DlpackType type;
  int64_t* shape = nullptr;
  int64_t* strides = nullptr;  // in elements
  uint64_t byte_offset = 0;
};

struct DlpackManaged {
  DlpackTensor tensor;
  void* owner = nullptr;
  void (*release)(DlpackManaged* self) = nullptr;
};

DlpackDevice device_of(const Tensor& tensor) {
  const MemoryPlace place = tensor.buffer->place();
  if (place.kind == MemoryKind::host) return {kDlpackHost, 0};
  return {kDlpackCuda, place.device};
}

DlpackType type_of(ImageType type) {
  const auto bits = static_cast<uint8_t>(8 * element_size_bytes(type));
  switch (type) {
    case ImageType::s32:
      return {kDlpackSigned, bits, 1};
    case ImageType::f32:
      return {kDlpackFloat, bits, 1};
    default:
      return {kDlpackUnsigned, bits, 1};
  }
}

std::string dtype_name(ImageType type) {
  const DlpackType code = type_of(type);
  const char* const kind = code.code == kDlpackFloat ? "float" : code.code == kDlpackSigned ? "int" : "uint";
  return kind + std::to_string(code.bits);
}

// The tensor of a capsule, with the owner of its memory.
struct Export {
  DlpackManaged managed;
  Tensor tensor;
};

// Other libraries may release it while their kernels still read. A device's memory returns to the chain,
// which overwrites it, only when they have finished. Called on any thread, with or without the interpreter's
// lock.
void release(DlpackManaged* managed) {
  const std::unique_ptr<Export> kept(static_cast<Export*>(managed->owner));
  if (kept->managed.tensor.device.type == kDlpackHost) return;
  (void)wait_for_device(*kept->tensor.chain->backends);  // a lost device has nothing to wait for
}

void drop_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, kDlpackCapsule)) return;  // a consumer took it and releases it
  auto* const managed = static_cast<DlpackManaged*>(PyCapsule_GetPointer(capsule, kDlpackCapsule));
  managed->release(managed);
}

// Waits for enqueued writes, so that the memory can be read on any stream.
py::capsule dlpack(const Tensor& tensor, const py::kwargs&) {
  if (tensor.buffer->place().kind != MemoryKind::host)
    check(unlocked([&] { return wait_for_device(*tensor.chain->backends); }));
  auto* const kept = new Export{{}, tensor};
  DlpackTensor& out = kept->managed.tensor;
  out.data = const_cast<void*>(tensor.data);
  out.device = device_of(tensor);
  out.dimensions = static_cast<int32_t>(tensor.shape.size());
  out.type = type_of(tensor.type);
  out.shape = kept->tensor.shape.data(), out.strides = kept->tensor.strides.data();
  kept->managed.owner = kept;
  kept->managed.release = release;
  return py::capsule(&kept->managed, kDlpackCapsule, drop_capsule);
}

std::string device_text(const Tensor& tensor) {
  const DlpackDevice device = device_of(tensor);
  return device.type == kDlpackHost ? "cpu" : "cuda:" + std::to_string(device.index);
}

}  // namespace

Tensor tensor_of(std::shared_ptr<Chain> chain, const Image& image) {
  const auto stride = static_cast<int64_t>(image.stride_bytes() / element_size_bytes(image.type()));
  return {
      std::move(chain), image.buffer(), image.buffer()->data(), image.type(), {image.height(), image.width()},
      {stride, 1}};
}

Tensor tensor_of(std::shared_ptr<Chain> chain, const Picture& picture) {
  const ImageView<const uint8_t> luma = picture.plane(0);
  return {std::move(chain), picture.buffer(),          luma.data,
          ImageType::u8,    {luma.height, luma.width}, {static_cast<int64_t>(luma.stride_bytes), 1}};
}

Tensor pairs_of(std::shared_ptr<Chain> chain, const Image& image) {
  Tensor tensor = tensor_of(std::move(chain), image);
  tensor.shape = {image.height(), image.width() / 2, 2};
  tensor.strides = {tensor.strides[0], 2, 1};
  return tensor;
}

Tensor planes_of(std::shared_ptr<Chain> chain, const Image& image, int64_t depth) {
  Tensor tensor = tensor_of(std::move(chain), image);
  const int64_t height = image.height() / depth, row = tensor.strides[0];
  tensor.shape = {depth, height, image.width()};
  tensor.strides = {row * height, row, 1};
  return tensor;
}

Tensor row_of(std::shared_ptr<Chain> chain, const Image& image, int64_t count) {
  Tensor tensor = tensor_of(std::move(chain), image);
  tensor.shape = {count}, tensor.strides = {1};
  return tensor;
}

void add_tensors(py::module_& module) {
  py::class_<Tensor>(
      module, "Tensor",
      "Memory of the chain, the host's or a GPU's, for numpy.from_dlpack, torch.from_dlpack and "
      "others; to be read only.")
      .def_property_readonly("shape", [](const Tensor& tensor) { return py::tuple(py::cast(tensor.shape)); })
      .def_property_readonly(
          "dtype", [](const Tensor& tensor) { return dtype_name(tensor.type); }, "\"uint8\", \"float32\", …")
      .def_property_readonly("device", &device_text, "\"cpu\" or \"cuda:0\".")
      .def("__dlpack__", &dlpack)
      .def("__dlpack_device__", [](const Tensor& tensor) {
        const DlpackDevice device = device_of(tensor);
        return py::make_tuple(device.type, device.index);
      });
}

}  // namespace vantage::python
