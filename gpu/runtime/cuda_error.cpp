#include "gpu/runtime/cuda_error.h"

#include <atomic>
#include <cstdlib>
#include <string>

namespace vantage::gpu {
namespace {

ErrorKind kind_of(cudaError_t code) {
  if (is_sticky(code)) return ErrorKind::device_lost;
  switch (code) {
    case cudaErrorMemoryAllocation:
      return ErrorKind::out_of_memory;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorStubLibrary:
    case cudaErrorInitializationError:
    case cudaErrorDevicesUnavailable:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorNotSupported:
    case cudaErrorOperatingSystem:
      return ErrorKind::unsupported;
    default:
      return ErrorKind::invalid_argument;
  }
}

std::string remedy_of(cudaError_t code) {
  if (is_sticky(code))
    return "Start the program again; if it happens again, run with --backend cpu and report it.";
  switch (code) {
    case cudaErrorMemoryAllocation:
      return "Close other programs on the GPU, or use fewer cameras, smaller pictures or larger voxels.";
    case cudaErrorNoDevice:
      return "Check that nvidia-smi lists a GPU and that CUDA_VISIBLE_DEVICES does not hide it.";
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorStubLibrary:
    case cudaErrorUnsupportedPtxVersion:
      return "Install an NVIDIA driver that supports this CUDA version.";
    case cudaErrorNoKernelImageForDevice:
      return "Build with CMAKE_CUDA_ARCHITECTURES set for this GPU.";
    default:
      return {};
  }
}

}  // namespace

bool is_sticky(cudaError_t code) {
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorDeviceUninitialized:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

Error cuda_error(cudaError_t code, std::string_view what, int device) {
  cudaGetLastError();
  std::string text =
      std::string(what) + ": " + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ")";
  return {kind_of(code), std::move(text), "cuda:" + std::to_string(device), remedy_of(code)};
}

namespace {

std::atomic<bool> exiting{false};

}  // namespace

void watch_process_exit() {
  [[maybe_unused]] static const int registered = std::atexit([] { exiting.store(true); });
}

bool process_is_exiting() {
  return exiting.load();
}

}  // namespace vantage::gpu
