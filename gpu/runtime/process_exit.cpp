#include "gpu/runtime/process_exit.h"

#include <atomic>
#include <cstdlib>

namespace vantage::gpu {
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
