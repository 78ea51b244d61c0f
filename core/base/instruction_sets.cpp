#include "core/base/vector_targets.h"
// After the targets.
#include "core/base/instruction_sets.h"
#include "core/base/text.h"

#include <hwy/targets.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace vantage {
namespace {

struct Extension {
  const char* name;
  bool in_cpu;
};

struct KnownSet {
  std::string name;
  int64_t target;                // Highway's bit, or bits of which one is compiled
  std::vector<Extension> added;  // to those of the set below
};

#if HWY_ARCH_X86

#ifdef HWY_SSE2
constexpr int64_t kBase = HWY_SSE2;
#else  // Highway 1.0: plain code, for which the compiler takes SSE2
constexpr int64_t kBase = HWY_SCALAR | HWY_EMU128;
#endif

// The names are literals: the compiler makes each a look at one bit, which also says whether the system
// keeps the registers.
#define VANTAGE_EXTENSION(name) Extension{name, __builtin_cpu_supports(name) != 0}

std::vector<KnownSet> known_sets() {
  __builtin_cpu_init();
  return {
      {"sse2", kBase, {}},
      // GCC writes POPCNT wherever it may write SSE4.2; Highway does not ask for it.
      {"sse4",
       HWY_SSE4,
       {VANTAGE_EXTENSION("sse3"), VANTAGE_EXTENSION("ssse3"), VANTAGE_EXTENSION("sse4.1"),
        VANTAGE_EXTENSION("sse4.2"), VANTAGE_EXTENSION("popcnt"), VANTAGE_EXTENSION("aes"),
        VANTAGE_EXTENSION("pclmul")}},
      {"avx2",
       HWY_AVX2,
       {VANTAGE_EXTENSION("avx"), VANTAGE_EXTENSION("avx2"), VANTAGE_EXTENSION("fma"),
        VANTAGE_EXTENSION("f16c"), VANTAGE_EXTENSION("bmi"), VANTAGE_EXTENSION("bmi2"),
        VANTAGE_EXTENSION("lzcnt")}},
      // AVX512CD belongs to this target in later versions of Highway.
      {"avx512",
       HWY_AVX3,
       {VANTAGE_EXTENSION("avx512f"), VANTAGE_EXTENSION("avx512vl"), VANTAGE_EXTENSION("avx512dq"),
        VANTAGE_EXTENSION("avx512bw"), VANTAGE_EXTENSION("avx512cd")}},
  };
}

#undef VANTAGE_EXTENSION

#else

// Whatever Highway compiles for this processor, by its names.
std::vector<KnownSet> known_sets() {
  std::vector<KnownSet> sets;
  for (int bit = 62; bit >= 0; --bit)
    if (const int64_t target = int64_t{1} << bit; (HWY_TARGETS & target) != 0)
      sets.push_back({hwy::TargetName(target), target, {}});
  return sets;
}

#endif

struct Sets {
  std::vector<InstructionSet> all;
  std::vector<int64_t> targets;  // of each
};

Sets find_sets() {
  Sets found;
  const int64_t supported = hwy::SupportedTargets();
  std::vector<Extension> extensions;
  for (const KnownSet& known : known_sets()) {
    InstructionSet set;
    set.name = lower_case(known.name);
    extensions.insert(extensions.end(), known.added.begin(), known.added.end());
    for (const Extension& extension : extensions) {
      set.extensions.emplace_back(extension.name);
      if (!extension.in_cpu) set.missing.emplace_back(extension.name);
    }
    set.in_build = (HWY_TARGETS & known.target) != 0;
    set.in_cpu = set.missing.empty() && (supported & known.target) != 0;
    found.all.push_back(std::move(set));
    found.targets.push_back(known.target);
  }
  return found;
}

const Sets& sets() {
  static const Sets found = find_sets();
  return found;
}

// Sets above this one are switched off.
void use(size_t index) {
  int64_t targets = 0;
  for (size_t i = 0; i <= index; ++i)
    if (sets().all[i].usable()) targets |= sets().targets[i];
  // Else what Highway is asked later would switch on again what the CPU has.
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(targets);
}

size_t best() {
  size_t best = 0;
  for (size_t i = 0; i < sets().all.size(); ++i)
    if (sets().all[i].usable()) best = i;
  return best;
}

std::atomic<size_t>& index_in_use() {
  static std::atomic<size_t> index = [] {
    use(best());
    return best();
  }();
  return index;
}

std::string usable_names() {
  std::string names;
  for (const InstructionSet& set : sets().all)
    if (set.usable()) append_item(&names, set.name);
  return names;
}

}  // namespace

const std::vector<InstructionSet>& instruction_sets() {
  return sets().all;
}

const InstructionSet& instruction_set_in_use() {
  return sets().all[index_in_use()];
}

Status use_instruction_set(std::string_view name) {
  const std::string there_are = "Available here: " + usable_names();
  const auto found = std::ranges::find(sets().all, name, &InstructionSet::name);
  if (found == sets().all.end())
    return fail(ErrorKind::invalid_argument, "there is no instruction set '" + std::string(name) + "'", {},
                there_are);
  if (!found->in_build)
    return fail(ErrorKind::unsupported, "this program was built without code for " + found->name, {},
                there_are);
  if (!found->in_cpu) {
    std::string missing;
    for (const std::string& extension : found->missing) missing += " " + extension;
    return fail(ErrorKind::unsupported,
                "this CPU cannot run " + found->name + (missing.empty() ? "" : ": it lacks" + missing), {},
                there_are);
  }
  const auto index = static_cast<size_t>(found - sets().all.begin());
  index_in_use() = index;
  use(index);
  return {};
}

Status use_instruction_set_of_environment() {
  const char* const name = std::getenv(kInstructionSetVariable);
  if (name == nullptr || *name == '\0') return use_instruction_set(sets().all[best()].name);
  Status used = use_instruction_set(name);
  if (!used) used.error().where = kInstructionSetVariable;
  return used;
}

}  // namespace vantage
