// A library loaded before a program's own (LD_PRELOAD): the n-th allocation of C++ code (operator new in all
// its forms, in the program and its libraries) fails, once. Counted from the first line of main() to its end.
//
//   VANTAGE_FAULT_MEMORY        N, from 1; 0 or nothing: allocations are counted only
//   VANTAGE_FAULT_MEMORY_COUNT  a file that gets their number when main() returns
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> counting;
std::atomic<long> allocations;
long fails_at = 0;

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int counted_main(int count, char** arguments, char** environment) {
  if (const char* const at = std::getenv("VANTAGE_FAULT_MEMORY")) fails_at = std::atol(at);
  counting = true;
  const int code = real_main(count, arguments, environment);
  counting = false;
  const char* const name = std::getenv("VANTAGE_FAULT_MEMORY_COUNT");
  if (std::FILE* const file = name ? std::fopen(name, "w") : nullptr) {
    std::fprintf(file, "%ld\n", allocations.load());
    std::fclose(file);
  }
  return code;
}

// Null: it fails.
void* take(std::size_t bytes, std::size_t alignment) noexcept {
  if (counting.load(std::memory_order_relaxed) && ++allocations == fails_at) return nullptr;
  if (bytes == 0) bytes = 1;
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return std::malloc(bytes);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void* take_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const memory = take(bytes, alignment)) return memory;
  if (const std::new_handler asked = std::get_new_handler()) asked();
  throw std::bad_alloc();
}

}  // namespace

// What the C library calls with a program's main().
extern "C" int __libc_start_main(Main main, int count, char** arguments, void (*start)(), void (*end)(),
                                 void (*loader_end)(), void* stack) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  real_main = main;
  const auto real = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return real(counted_main, count, arguments, start, end, loader_end, stack);
}

void* operator new(std::size_t bytes) {
  return take_or_throw(bytes, 1);
}
void* operator new[](std::size_t bytes) {
  return take_or_throw(bytes, 1);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return take(bytes, 1);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return take(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return take_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return take_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return take(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return take(bytes, static_cast<std::size_t>(alignment));
}
