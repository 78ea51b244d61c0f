#include "core/algorithms.h"

namespace vantage {

void register_cpu_backends(BackendRegistry& registry) {
#define VANTAGE_REGISTER(NAME) register_##NAME##_cpu(registry);
  VANTAGE_CPU_ALGORITHMS(VANTAGE_REGISTER)
#undef VANTAGE_REGISTER
}

}  // namespace vantage
