// The method `gaussian` on the CPU: threads by oneTBB, vector code chosen at run time (gaussian_kernel.h).
#pragma once

namespace vantage {

class BackendRegistry;
void register_gaussian_cpu(BackendRegistry& registry);

}  // namespace vantage
