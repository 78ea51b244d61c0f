#include "gpu/runtime/context.h"

#include <cstdlib>
#include <map>
#include <system_error>

#include "core/base/log.h"
#include "gpu/runtime/cuda_error.h"
#include "gpu/runtime/submission_thread.h"
#include "gpu/runtime/tracer.h"

namespace vantage::gpu {
namespace {

constexpr double kDeviceShare = 0.9;  // of the device's memory, the rest is the driver's and other programs'
constexpr size_t kPinnedCap = size_t{512} << 20;  // pinned memory is taken from every other program

// cudaSetDevice() is per thread. Waiting threads need it too, or the runtime would make a context on device 0
// for them.
void use_device(int device) {
  thread_local int current = -1;
  if (current == device) return;
  if (cudaSetDevice(device) == cudaSuccess) current = device;
}

}  // namespace

cudaError_t count_devices(int* count) {
  // Loaded lazily, a kernel's first launch may wait for the whole context, while an interop stream of it
  // waits for OpenGL commands of the very thread that waits for the launch.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  return cudaGetDeviceCount(count);
}

Result<std::shared_ptr<Context>> Context::get(int device_index) {
  static std::mutex mutex;
  static std::map<int, std::weak_ptr<Context>> contexts;
  const std::lock_guard lock(mutex);
  if (std::shared_ptr<Context> context = contexts[device_index].lock()) return context;
  int count = 0;
  if (const cudaError_t code = count_devices(&count); code != cudaSuccess)
    return fail(cuda_error(code, "no CUDA device can be used", device_index));
  if (device_index < 0 || device_index >= count)
    return fail(ErrorKind::not_found,
                "there is no such CUDA device; this machine has " + std::to_string(count),
                "cuda:" + std::to_string(device_index),
                "Choose one of those that `vantage-cli doctor` lists; they count from 0.");
  watch_process_exit();
  try {
    std::shared_ptr<Context> context(new Context(device_index));
    VANTAGE_TRY(context->start());
    contexts[device_index] = context;
    return context;
  } catch (const std::system_error& error) {
    return fail(ErrorKind::out_of_memory, std::string("no thread for the device: ") + error.what(),
                "cuda:" + std::to_string(device_index));
  }
}

Context::Context(int device)
    : device_(device),
      events_(std::make_shared<EventPool>(cudaEventDisableTiming | cudaEventBlockingSync)),
      tracer_(std::make_unique<Tracer>(*this)) {
  thread_ = std::make_unique<SubmissionThread>([device] { use_device(device); },
                                               [this] { return tracer_->poll(); });
}

Status Context::start() {
  return run([this]() -> Status {
    VANTAGE_TRY(check(cudaSetDevice(device_), "open the device"));
    cudaDeviceProp properties;
    VANTAGE_TRY(check(cudaGetDeviceProperties(&properties, device_), "read the device's properties"));
    name_ = properties.name;
    VANTAGE_ASSIGN(limits_, query_device_limits(*this));
    const auto cap = static_cast<size_t>(static_cast<double>(properties.totalGlobalMem) * kDeviceShare);
    device_pool_ = std::make_unique<MemoryPool>(*this, MemoryPool::Kind::device, cap);
    pinned_pool_ = std::make_unique<MemoryPool>(*this, MemoryPool::Kind::pinned, kPinnedCap);
    return tracer_->start();
  });
}

Context::~Context() {
  // No one uses the device any more: buffers, streams and pools all hold a share of the context.
  thread_->run([this] {
    tracer_->close();
    if (device_pool_) device_pool_->close();
    if (pinned_pool_) pinned_pool_->close();
    events_->close();
  });
  thread_.reset();
}

void Context::run_always(const std::function<void()>& work) {
  thread_->run(work);
}

void Context::post(std::function<void()> work) {
  thread_->post(std::move(work));
}

Status Context::status() const {
  if (!lost_.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(error_mutex_);
  return fail(lost_error_);
}

Status Context::check(cudaError_t code, std::string_view what) {
  if (code == cudaSuccess) return {};
  Error error = cuda_error(code, what, device_);
  if (error.kind == ErrorKind::device_lost) {
    const std::lock_guard lock(error_mutex_);
    if (lost_.load(std::memory_order_relaxed)) return fail(lost_error_);  // what came first says most
    error.what = "the GPU stopped working at \"" + error.what + "\"";
    lost_error_ = error;
    lost_.store(true, std::memory_order_release);
    log_error(error.message());
  }
  return fail(std::move(error));
}

Status Context::wait(const EventRef& event) {
  VANTAGE_TRY(status());
  if (!event) return {};
  use_device(device_);
  return check(cudaEventSynchronize(event->handle()), "wait for the GPU");
}

void Context::use_on_this_thread() const {
  use_device(device_);
}

bool Context::all_done(const std::vector<EventRef>& events) {
  use_device(device_);
  for (const EventRef& event : events) {
    if (cudaEventQuery(event->handle()) != cudaSuccess) {
      cudaGetLastError();  // "not ready" would be reported by the next call that looks
      return false;
    }
  }
  return true;
}

}  // namespace vantage::gpu
