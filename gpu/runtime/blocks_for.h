#pragma once

#include <cstdint>

namespace vantage::gpu {

// Thread blocks for `count` things, of which each takes `each`.
constexpr unsigned blocks_for(int64_t count, int64_t each) {
  return static_cast<unsigned>((count + each - 1) / each);
}

}  // namespace vantage::gpu
