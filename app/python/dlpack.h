// What DLPack 0.6 hands from library to library (github.com/dmlc/dlpack): its layout is the protocol's.
#pragma once

#include <cstdint>

namespace vantage::python {

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

}  // namespace vantage::python
