#include "app/backends/cuda_module.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/file.h"
#include "module_identity.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "libvantage_cuda.so";
const std::string kIdentity = std::string(gpu::kIdentityMark) + VANTAGE_CUDA_IDENTITY;

struct Close {
  void operator()(void* library) const { ::dlclose(library); }
};
using Library = std::unique_ptr<void, Close>;

fs::path program_file() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none);
}

// The program or, in Python, the library that this code is in. A program may have been called by any
// name.
fs::path own_file() {
  Dl_info info{};
  if (::dladdr(&kName, &info) == 0 || !info.dli_fname) return program_file();
  std::error_code none;
  const fs::path file = info.dli_fname;
  return file.is_absolute() && fs::is_regular_file(file, none) ? fs::canonical(file, none) : program_file();
}

// Python opens its libraries for themselves alone; the module finds core's functions there all the same.
void show_functions_of_core() {
  Dl_info info{};
  if (::dladdr(&kName, &info) != 0 && info.dli_fname)
    static_cast<void>(::dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL));
}

// "0.1.0, …" of a module, also of one that cannot be opened; empty where it states none.
std::string identity_in(const fs::path& file) {
  const Result<std::string> content = read_file(file);
  const size_t at = content ? content->find(gpu::kIdentityMark) : std::string::npos;
  return at == std::string::npos ? std::string() : std::string(content->c_str() + at);
}

std::string other_build(const std::string& identity) {
  const size_t mark = std::string_view(gpu::kIdentityMark).size();
  return "was built for another Vantage (" + identity.substr(mark) + "); this is " + VANTAGE_CUDA_IDENTITY;
}

// The table of a module of this build, or the problem with the file.
std::pair<const gpu::CudaModule*, std::string> open_module(const fs::path& file) {
  Library library(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library) {
    // Another build may call what this program does not have, which says less than the two versions.
    const char* error = ::dlerror();
    std::string problem = error ? error : "cannot be opened";
    if (const std::string prefix = file.string() + ": "; problem.starts_with(prefix))
      problem.erase(0, prefix.size());
    const std::string identity = identity_in(file);
    return {nullptr, identity.empty() || identity == kIdentity ? problem : other_build(identity)};
  }
  const auto* identity = static_cast<const char*>(::dlsym(library.get(), "vantage_cuda_identity"));
  const void* table = ::dlsym(library.get(), "vantage_cuda_module");
  if (!identity || !table) return {nullptr, "is not a CUDA module of Vantage"};
  if (identity != kIdentity) return {nullptr, other_build(identity)};
  static_cast<void>(library.release());
  return {static_cast<const gpu::CudaModule*>(table), {}};
}

}  // namespace

std::vector<fs::path> cuda_module_files() {
  std::vector<fs::path> files = {own_file().parent_path() / kName,
                                 program_file().parent_path().parent_path() / "lib/vantage" / kName};
  const char* home = std::getenv("HOME");
  if (home && *home) files.push_back(fs::path(home) / ".local/lib/vantage" / kName);
  return files;
}

CudaModuleSearch search_cuda_module(const std::vector<fs::path>& files) {
  show_functions_of_core();
  CudaModuleSearch search;
  for (const fs::path& file : files) {
    CudaModuleSearch::Place& place = search.places.emplace_back(CudaModuleSearch::Place{file, "not there"});
    std::error_code none;
    place.exists = fs::exists(file, none);
    if (!place.exists) continue;
    std::tie(search.module, place.problem) = open_module(file);
    if (!search.module) continue;
    search.file = file;
    break;
  }
  return search;
}

const CudaModuleSearch& cuda_module() {
  static const CudaModuleSearch search = search_cuda_module(cuda_module_files());
  return search;
}

Result<const gpu::CudaModule*> found_module(const CudaModuleSearch& search) {
  if (search.module) return search.module;
  const std::string build =
      "run vantage-cuda-module, which comes with the package; in a build of your own, build vantage_cuda";
  const auto bad = std::ranges::find_if(search.places, &CudaModuleSearch::Place::exists);
  if (bad != search.places.end())
    return fail(ErrorKind::unsupported, "the CUDA module cannot be used: " + bad->problem, bad->file.string(),
                "Build it again: " + build + ".");
  return fail(ErrorKind::unsupported, "there is no CUDA module (" + std::string(kName) + ")", "cuda",
              "To use a GPU " + build + ". `vantage-cli doctor` lists where it is searched for.");
}

}  // namespace vantage
