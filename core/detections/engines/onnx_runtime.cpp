// ONNX Runtime through its C API (https://onnxruntime.ai/docs/api/c/), loaded at run time. The API is a table
// of functions that later versions only append to; only the table of version 1 is used, so any release's
// library works. Functions are called by their index.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "core/detections/detail/onnx_model.h"
#include "core/detections/engine.h"

namespace vantage {
namespace {

constexpr uint32_t kApiVersion = 1;
constexpr int kWarningsAndWorse = 3;  // errors only: warnings come from the optimiser
constexpr int kFloat = 1, kInt64 = 7, kDeviceAllocator = 0, kDefaultMemory = 0;

// Indices in the table.
enum Place : size_t {
  kGetErrorMessage = 2,
  kCreateEnv = 3,
  kCreateSessionFromArray = 8,
  kRun = 9,
  kCreateSessionOptions = 10,
  kSetIntraOpNumThreads = 24,
  kSessionGetInputCount = 30,
  kSessionGetOutputCount = 31,
  kSessionGetInputName = 36,
  kSessionGetOutputName = 37,
  kCreateTensorWithData = 49,
  kGetTensorMutableData = 51,
  kGetTensorElementType = 60,
  kGetDimensionsCount = 61,
  kGetDimensions = 62,
  kGetTensorTypeAndShape = 65,
  kCreateCpuMemoryInfo = 69,
  kAllocatorFree = 76,
  kGetAllocator = 78,
  kReleaseEnv = 92,
  kReleaseStatus = 93,
  kReleaseMemoryInfo = 94,
  kReleaseSession = 95,
  kReleaseValue = 96,
  kReleaseTensorInfo = 99,
  kReleaseSessionOptions = 100
};

struct ApiBase {
  const void* (*get_api)(uint32_t version);
  const char* (*get_version)();
};

// The library, opened once and never closed: it cannot be unloaded safely.
class Library {
 public:
  static Library& shared() {
    static Library library;
    return library;
  }
  const OnnxRuntimeFound& found() const { return found_; }
  bool there() const { return table_ != nullptr; }

  template <typename... Arguments>
  void* call(Place place, Arguments... arguments) const {
    return reinterpret_cast<void* (*)(Arguments...)>(const_cast<void*>(table_[place]))(arguments...);
  }
  void release(Place place, void* value) const {
    reinterpret_cast<void (*)(void*)>(const_cast<void*>(table_[place]))(value);
  }
  // Converts the status returned by every function that can fail: null, or a status to be released.
  template <typename... Arguments>
  Status check(Place place, const std::string& where, Arguments... arguments) const {
    return of_status(call(place, arguments...), where);
  }
  Status of_status(void* status, const std::string& where) const {
    if (!status) return {};
    const std::string text = static_cast<const char*>(call(kGetErrorMessage, status));
    release(kReleaseStatus, status);
    return fail(ErrorKind::bad_data, "ONNX Runtime: " + text, where, "Try detections.engine=opencv.");
  }
  void* function(const char* name) const { return ::dlsym(handle_, name); }

 private:
  Library() {
    for (const std::string& candidate : candidates())
      if (open(candidate)) return;
  }
  static std::vector<std::string> candidates();
  bool open(const std::string& path);

  OnnxRuntimeFound found_;
  void* handle_ = nullptr;
  const void* const* table_ = nullptr;
};

// Only VANTAGE_ONNXRUNTIME, the library or its folder, if it is set; else the loader's own paths, then the
// usual folders.
std::vector<std::string> Library::candidates() {
  const auto in_folder = [](const std::string& folder) {
    std::vector<std::string> libraries;
    std::error_code code;
    for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end;
         entry.increment(code))
      if (entry->path().filename().string().starts_with("libonnxruntime.so"))
        libraries.push_back(entry->path().string());
    std::sort(libraries.begin(), libraries.end());
    if (libraries.empty()) libraries.push_back(folder + "/libonnxruntime.so");
    return libraries;
  };
  if (const char* named = std::getenv("VANTAGE_ONNXRUNTIME"); named && *named) {
    std::error_code ignored;
    if (std::filesystem::is_directory(named, ignored)) return in_folder(named);
    return {named};
  }
  std::vector<std::string> all = {"libonnxruntime.so", "libonnxruntime.so.1"};
  for (const char* folder : {"/usr/local/lib", "/opt/onnxruntime/lib", "/usr/lib/x86_64-linux-gnu"})
    for (std::string& library : in_folder(folder)) all.push_back(std::move(library));
  return all;
}

bool Library::open(const std::string& path) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    found_.looked.push_back(path);
    return false;
  }
  const auto get_base = reinterpret_cast<const ApiBase* (*)()>(::dlsym(handle, "OrtGetApiBase"));
  const ApiBase* base = get_base ? get_base() : nullptr;
  const void* table = base ? base->get_api(kApiVersion) : nullptr;
  if (!table) {
    found_.looked.push_back(path + " (it is not ONNX Runtime, or one without version 1 of its interface)");
    ::dlclose(handle);
    return false;
  }
  handle_ = handle;
  table_ = static_cast<const void* const*>(table);
  found_.library = path, found_.version = base->get_version();
  return true;
}

// Releases an object of the library.
class Owned {
 public:
  Owned() = default;
  explicit Owned(Place release) : release_(release) {}
  ~Owned() {
    if (value_) Library::shared().release(release_, value_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  void** out() { return &value_; }
  void* get() const { return value_; }

 private:
  Place release_ = kReleaseValue;
  void* value_ = nullptr;
};

class OnnxRuntimeEngine final : public InferenceEngine {
 public:
  explicit OnnxRuntimeEngine(std::string where) : where_(std::move(where)) {}
  Status open(std::string_view model, const EngineOptions& options);
  std::string name() const override { return on_cuda_ ? "ONNX Runtime (CUDA)" : "ONNX Runtime"; }
  std::string version() const override { return library_.found().version; }
  Result<std::vector<Tensor>> run(const Tensor& input) override;

 private:
  template <typename... Arguments>
  Status check(Place place, Arguments... arguments) const {
    return library_.check(place, where_, arguments...);
  }
  bool takes_size() const { return inputs_.size() == 2 && std::ranges::count(inputs_, kSizeInput) == 1; }
  Status read_names(Place count, Place name, std::vector<std::string>* names);
  Result<Tensor> tensor_of(void* value) const;

  const Library& library_ = Library::shared();
  const std::string where_;
  bool on_cuda_ = false;
  Owned env_{kReleaseEnv}, options_{kReleaseSessionOptions}, memory_{kReleaseMemoryInfo};
  Owned session_{kReleaseSession};  // destroyed first
  std::vector<std::string> inputs_, outputs_;
};

Status OnnxRuntimeEngine::read_names(Place count_of, Place name_of, std::vector<std::string>* names) {
  void* allocator = nullptr;
  VANTAGE_TRY(check(kGetAllocator, &allocator));
  size_t count = 0;
  VANTAGE_TRY(check(count_of, static_cast<const void*>(session_.get()), &count));
  for (size_t i = 0; i < count; ++i) {
    char* name = nullptr;
    VANTAGE_TRY(check(name_of, static_cast<const void*>(session_.get()), i, allocator, &name));
    names->emplace_back(name);
    VANTAGE_TRY(check(kAllocatorFree, allocator, static_cast<void*>(name)));
  }
  return {};
}

Status OnnxRuntimeEngine::open(std::string_view model, const EngineOptions& options) {
  VANTAGE_TRY(check(kCreateEnv, kWarningsAndWorse, "vantage", env_.out()));
  VANTAGE_TRY(check(kCreateSessionOptions, options_.out()));
  if (options.threads > 0) VANTAGE_TRY(check(kSetIntraOpNumThreads, options_.get(), options.threads));
  if (options.cuda) {
    // Builds without CUDA have the function too, and return an error.
    using Append = void* (*)(void* options, int device);
    const auto append =
        reinterpret_cast<Append>(library_.function("OrtSessionOptionsAppendExecutionProvider_CUDA"));
    on_cuda_ = append && library_.of_status(append(options_.get(), 0), where_);
  }
  VANTAGE_TRY(check(kCreateSessionFromArray, static_cast<const void*>(env_.get()),
                    static_cast<const void*>(model.data()), model.size(),
                    static_cast<const void*>(options_.get()), session_.out()));
  VANTAGE_TRY(check(kCreateCpuMemoryInfo, kDeviceAllocator, kDefaultMemory, memory_.out()));
  VANTAGE_TRY(read_names(kSessionGetInputCount, kSessionGetInputName, &inputs_));
  VANTAGE_TRY(read_names(kSessionGetOutputCount, kSessionGetOutputName, &outputs_));
  if (inputs_.size() == 1 || takes_size()) return {};
  return fail(ErrorKind::unsupported, "the model has " + std::to_string(inputs_.size()) + " inputs", where_,
              "Export it with the picture as its only input.");
}

Result<Tensor> OnnxRuntimeEngine::tensor_of(void* value) const {
  Owned info(kReleaseTensorInfo);
  VANTAGE_TRY(check(kGetTensorTypeAndShape, static_cast<const void*>(value), info.out()));
  int type = 0;
  size_t dimensions = 0;
  VANTAGE_TRY(check(kGetTensorElementType, static_cast<const void*>(info.get()), &type));
  VANTAGE_TRY(check(kGetDimensionsCount, static_cast<const void*>(info.get()), &dimensions));
  Tensor tensor;
  tensor.shape.resize(dimensions);
  VANTAGE_TRY(check(kGetDimensions, static_cast<const void*>(info.get()), tensor.shape.data(), dimensions));
  size_t count = 1;
  for (const int64_t size : tensor.shape) count *= static_cast<size_t>(size);
  void* data = nullptr;
  VANTAGE_TRY(check(kGetTensorMutableData, value, &data));
  if (type == kFloat)
    tensor.values.assign(static_cast<const float*>(data), static_cast<const float*>(data) + count);
  else if (type == kInt64)  // classes
    tensor.values.assign(static_cast<const int64_t*>(data), static_cast<const int64_t*>(data) + count);
  else
    return fail(ErrorKind::unsupported, "an output is neither of floats nor of integers", where_,
                "Export the model in single precision.");
  return tensor;
}

Result<std::vector<Tensor>> OnnxRuntimeEngine::run(const Tensor& input) {
  Owned value(kReleaseValue);
  VANTAGE_TRY(check(kCreateTensorWithData, static_cast<const void*>(memory_.get()),
                    const_cast<void*>(static_cast<const void*>(input.values.data())),
                    input.values.size() * sizeof(float), input.shape.data(), input.shape.size(), kFloat,
                    value.out()));
  int64_t size[] = {input.shape[3], input.shape[2]};
  constexpr std::array<int64_t, 2> kSizeShape = {1, 2};
  Owned size_value(kReleaseValue);
  if (takes_size())
    VANTAGE_TRY(check(kCreateTensorWithData, static_cast<const void*>(memory_.get()),
                      static_cast<void*>(size), sizeof size, kSizeShape.data(), kSizeShape.size(), kInt64,
                      size_value.out()));
  std::vector<const char*> input_names, names;
  std::vector<const void*> given;
  for (const std::string& name : inputs_) {
    input_names.push_back(name.c_str());
    given.push_back(inputs_.size() == 2 && name == kSizeInput ? size_value.get() : value.get());
  }
  for (const std::string& name : outputs_) names.push_back(name.c_str());
  std::vector<void*> found(outputs_.size(), nullptr);
  const Status ran = check(kRun, session_.get(), static_cast<const void*>(nullptr), input_names.data(),
                           given.data(), given.size(), names.data(), names.size(), found.data());
  std::vector<Tensor> tensors;
  Status read = ran;
  for (size_t i = 0; i < found.size(); ++i) {
    void* const one = found[i];
    if (!one) continue;
    if (read) {
      Result<Tensor> tensor = tensor_of(one);
      if (tensor)
        tensors.emplace_back(std::move(*tensor)).name = outputs_[i];
      else
        read = fail(tensor.error());
    }
    library_.release(kReleaseValue, one);
  }
  if (!read) return fail(read.error());
  return tensors;
}

}  // namespace

OnnxRuntimeFound find_onnx_runtime() {
  return Library::shared().found();
}

Result<std::unique_ptr<InferenceEngine>> open_onnx_runtime_engine(std::string_view model,
                                                                  const std::string& where,
                                                                  const EngineOptions& options) {
  if (!Library::shared().there())
    return fail(ErrorKind::unsupported, "ONNX Runtime was not found", where,
                "Set VANTAGE_ONNXRUNTIME to libonnxruntime.so; `vantage-cli doctor` lists where it was "
                "searched for.");
  auto engine = std::make_unique<OnnxRuntimeEngine>(where);
  VANTAGE_TRY(engine->open(model, options));
  return std::unique_ptr<InferenceEngine>(std::move(engine));
}

Result<std::unique_ptr<InferenceEngine>> open_engine(std::string_view model, const std::string& where,
                                                     const EngineOptions& options) {
  const bool runtime = options.choice == EngineChoice::onnx_runtime ||
                       (options.choice == EngineChoice::automatic && Library::shared().there());
  return runtime ? open_onnx_runtime_engine(model, where, options) : open_opencv_engine(model, where);
}

}  // namespace vantage
