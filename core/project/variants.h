// Variants of a project: named sets of parameters in addition to the one in use. Each is a file NAME.json in
// the folder PROJECT.variants next to the project, with its time, origin and version of the program; results
// of a run with it are next to it in NAME.results. Files are written atomically, one by one, so that programs
// in parallel lose nothing of each other's.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/parameters.h"
#include "core/base/result.h"

namespace vantage {

struct Variant {
  std::string name;      // 1 to 60 letters, digits, spaces and .-_ that begin with a letter or digit
  std::string made_utc;  // "2026-11-26T06:30:00Z"
  std::string origin;    // its origin, for people: "the project", "hall.results of version 0.1.0"
  std::string version;   // version of the program that made it
  ParameterStore parameters;
};

struct StoredVariants {
  std::vector<Variant> variants;  // sorted by name
  std::vector<Error> damaged;     // unreadable files, which are left as they are
};

std::filesystem::path variants_folder(const std::filesystem::path& project);
// The folder for results of a run with it.
std::filesystem::path variant_results(const std::filesystem::path& project, std::string_view name);

// `defaults`: a store of all tables, for values that a file does not state.
StoredVariants read_variants(const std::filesystem::path& project, const ParameterStore& defaults);
// Errors: not_found, with the existing names; bad_data.
Result<Variant> read_variant(const std::filesystem::path& project, std::string_view name,
                             const ParameterStore& defaults);
// Writes it with the present time and version. Errors: invalid_argument for an invalid name, and for an
// existing one unless `replace`; io.
Status write_variant(const std::filesystem::path& project, Variant variant, bool replace);
// Removes it with its results. Errors: not_found, io.
Status remove_variant(const std::filesystem::path& project, std::string_view name);

// The parameters of stored results, with the version and the number of frames; accepts paths of folders or
// results.jsonl. Errors: those of reading, bad_data where the header has no parameters.
struct ParametersOfResults {
  ParameterStore parameters;
  std::string version;
  int64_t frames = 0;  // complete lines
};
Result<ParametersOfResults> parameters_of_results(const std::filesystem::path& results,
                                                  const ParameterStore& defaults);

// Creates a variant with the parameters of results, and a copy of their folder under its name: both or
// neither. Errors: those of parameters_of_results() and write_variant(), which replaces none; io.
Status keep_results(const std::filesystem::path& project, std::string_view name,
                    const std::filesystem::path& results, const ParameterStore& defaults);

struct ParameterDifference {
  std::string stage;
  const ParameterDescription* description = nullptr;
  double first = 0, second = 0;

  std::string key() const { return stage + "." + description->name; }
};
// In the order of the tables; both stores have the same.
std::vector<ParameterDifference> parameter_differences(const ParameterStore& first,
                                                       const ParameterStore& second);

}  // namespace vantage
