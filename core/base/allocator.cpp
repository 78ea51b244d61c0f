#include "core/base/allocator.h"

#include <malloc.h>

namespace vantage {

void give_back_large_blocks() {
  mallopt(M_MMAP_THRESHOLD, kLarge_bytes);
}

void give_back_free_memory() {
  malloc_trim(0);
}

}  // namespace vantage
