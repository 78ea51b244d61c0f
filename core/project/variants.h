// Variants of a project: named sets of parameters in addition to the one in use. Each is a file NAME.json in
// the folder PROJECT.variants next to the project, with when it was made, of what and by which version of the
// program; results of a run with it lie next to it in NAME.results. Files are written atomically, one by one,
// so that programs side by side lose nothing of each other's.
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
  std::string origin;    // what it was made of, for people: "the project", "hall.results of version 0.1.0"
  std::string version;   // of the program that made it
  ParameterStore parameters;
};

struct StoredVariants {
  std::vector<Variant> variants;  // by name
  std::vector<Error> damaged;     // files that cannot be read; they stay as they are
};

std::filesystem::path variants_folder(const std::filesystem::path& project);
// The folder for results of a run with it.
std::filesystem::path variant_results(const std::filesystem::path& project, std::string_view name);

// `defaults`: a store of all tables; values that a file does not name are theirs.
StoredVariants read_variants(const std::filesystem::path& project, const ParameterStore& defaults);
// Errors: not_found, naming those there are; bad_data.
Result<Variant> read_variant(const std::filesystem::path& project, std::string_view name,
                             const ParameterStore& defaults);
// Writes it as of now and of this version. Errors: invalid_argument for a name as above says, and where there
// is one of that name unless `replace`; io.
Status write_variant(const std::filesystem::path& project, Variant variant, bool replace);
// With its results. Errors: not_found, io.
Status remove_variant(const std::filesystem::path& project, std::string_view name);

// The parameters that results were made with, by which version, and of how many frames; with paths of folders
// or results.jsonl. Errors: those of reading, bad_data where the header holds none.
struct ParametersOfResults {
  ParameterStore parameters;
  std::string version;
  int64_t frames = 0;  // whole lines of them
};
Result<ParametersOfResults> parameters_of_results(const std::filesystem::path& results,
                                                  const ParameterStore& defaults);

// A variant of the parameters that results were made with, and a copy of their folder under its name: both or
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
