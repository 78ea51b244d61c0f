#include "core/base/allocator.h"

#include <malloc.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

namespace vantage {
namespace {

const char* ending_program = "";
std::terminate_handler other_end = nullptr;

// Takes no memory itself.
void say_memory_ran_out() {
  const auto part = [](const char* text) { return iovec{const_cast<char*>(text), std::strlen(text)}; };
  const iovec parts[] = {part(ending_program), part(": "), part(kMemoryRanOut), part("\n")};
  static_cast<void>(!::writev(STDERR_FILENO, parts, 4));
}

[[noreturn]] void end() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    say_memory_ran_out();
    ::_exit(1);
  } catch (...) {  // something else, which is a crash
  }
  other_end();
  std::abort();
}

}  // namespace

void end_where_memory_runs_out(const char* program) {
  ending_program = program;
  other_end = std::set_terminate(end);
}

void give_back_large_blocks() {
  mallopt(M_MMAP_THRESHOLD, kLarge_bytes);
}

void give_back_free_memory() {
  malloc_trim(0);
}

}  // namespace vantage
