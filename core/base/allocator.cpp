#include "core/base/allocator.h"

#include <malloc.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

namespace vantage {
namespace {

const char* ending_program = "";
std::terminate_handler other_end = nullptr;
std::atomic<bool> ran_out{false};

// What operator new asks before it gives up.
[[noreturn]] void note_that_memory_ran_out() {
  ran_out = true;
  throw std::bad_alloc();
}

// Takes no memory itself.
void say_memory_ran_out() {
  const auto part = [](const char* text) { return iovec{const_cast<char*>(text), std::strlen(text)}; };
  const iovec parts[] = {part(ending_program), part(": "), part(kMemoryRanOut), part("\n")};
  static_cast<void>(!::writev(STDERR_FILENO, parts, 4));
}

// Whether the program ends over it. Where a function that must not throw lets an exception out (a destructor
// that allocates, as nlohmann's), there is one that cannot be examined.
bool ends_over_memory() {
  if (!std::current_exception()) return ran_out && std::uncaught_exceptions() > 0;
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

[[noreturn]] void end() {
  if (ends_over_memory()) {
    say_memory_ran_out();
    ::_exit(1);
  }
  other_end();
  std::abort();
}

}  // namespace

void end_where_memory_runs_out(const char* program) {
  ending_program = program;
  std::set_new_handler(note_that_memory_ran_out);
  other_end = std::set_terminate(end);
}

void give_back_large_blocks() {
  mallopt(M_MMAP_THRESHOLD, kLarge_bytes);
}

void give_back_free_memory() {
  malloc_trim(0);
}

}  // namespace vantage
