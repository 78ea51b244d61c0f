// The instruction sets that vector code is compiled for, the same in every file that holds some: included
// before any of Highway's headers.
#pragma once

#ifdef HWY_DISABLED_TARGETS
#error "core/base/vector_targets.h comes before Highway's headers"
#endif

// On x86 there are SSE2 (Highway's plain code or its SSE2), SSE4, AVX2 and AVX3. SSSE3 without SSE4 is of
// machines that went out of use. What lies above AVX3 is left out because Highway gives its AVX3_DL the
// compiler's attribute for AVX-VNNI where it asks the CPU for AVX512-VNNI (1.0.3), so that the code dies on
// CPUs that have only the latter. Bits of better targets are lower.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | (HWY_AVX3 - 1))
