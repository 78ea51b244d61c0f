// The CUDA module, libvantage_cuda.so: all of gpu/ with NVIDIA's runtime, which programs do not link but open
// when a GPU is first asked for, where there is one that fits them. Why: resources/docs/decisions.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "gpu/cuda_backends.h"

namespace vantage {

struct CudaModuleSearch {
  const gpu::CudaModule* module = nullptr;  // null: none that can be used
  std::filesystem::path file;               // of it
  struct Place {
    std::filesystem::path file;
    std::string problem;  // empty: the module that is used
    bool exists = false;
  };
  std::vector<Place> places;  // in the order of the search, which ends with the first that can be used
};

// Opens the first file that is a module of this very build. It stays open until the process ends.
CudaModuleSearch search_cuda_module(const std::vector<std::filesystem::path>& files);

// libvantage_cuda.so next to the program, or to the library of Python that this code is in; in ../lib/vantage
// of the program; in ~/.local/lib/vantage.
std::vector<std::filesystem::path> cuda_module_files();

// The search in those, once in a process. Any thread.
const CudaModuleSearch& cuda_module();

// The module found. Errors: unsupported, with the first problem of a file that exists.
Result<const gpu::CudaModule*> found_module(const CudaModuleSearch& search);

}  // namespace vantage
