// The keys of those whose cases are trusted, and which key signed which case when it was made or seen here:
// case_keys.json in config_folder().
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/base/result.h"

namespace vantage {

struct KnownKeys {
  std::map<std::string, std::string> names;  // by fingerprint
  std::map<std::string, std::string> cases;  // fingerprints by the case's id

  // No file: none are known. Errors: io, bad_data.
  static Result<KnownKeys> read(const std::filesystem::path& file = default_path());
  Status write(const std::filesystem::path& file = default_path()) const;
  static std::filesystem::path default_path();
};

}  // namespace vantage
