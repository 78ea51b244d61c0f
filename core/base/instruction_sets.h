// The instruction set that vector code runs with: the best that the CPU has, or a lower one by name. Every
// loop written with Highway is compiled once per set and chosen at run time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace vantage {

// Names the set to use in the environment; unset or empty: the best.
inline constexpr const char* kInstructionSetVariable = "VANTAGE_SIMD";

struct InstructionSet {
  std::string name;  // sse2, sse4, avx2, avx512; on other processors as Highway calls it, in small letters
  bool in_build = false;  // this program has code for it
  bool in_cpu = false;    // this CPU and its system can run it
  // The extensions that the CPU must have before code of this set runs, beyond the processor's base (x86-64:
  // SSE2), as the compiler calls it. Code of this set holds nothing else.
  std::vector<std::string> extensions;
  std::vector<std::string> missing;  // those that this CPU lacks

  bool usable() const { return in_build && in_cpu; }
};

// All that there are for this kind of processor, lowest first.
const std::vector<InstructionSet>& instruction_sets();

// The one that vector code runs with.
const InstructionSet& instruction_set_in_use();

// Chooses one, for all threads; not while vector code runs. Fails with invalid_argument for a name that does
// not exist, with unsupported for a set that the CPU or the build lacks; both say what there is.
Status use_instruction_set(std::string_view name);

// The best, or what VANTAGE_SIMD names. Called once where a program starts, before vector code runs: also the
// CPU is then asked for what the compiler takes for granted and Highway does not ask for.
Status use_instruction_set_of_environment();

}  // namespace vantage
