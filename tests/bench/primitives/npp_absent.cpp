#include "tests/bench/primitives/npp_peer.h"

namespace vantage::bench {

bool npp_available() {
  return false;
}
bool npp_integral_u8_s32(cudaStream_t, const void*, size_t, void*, size_t, int, int) {
  return false;
}
bool npp_integral_u8_f32(cudaStream_t, const void*, size_t, void*, size_t, int, int) {
  return false;
}

}  // namespace vantage::bench
