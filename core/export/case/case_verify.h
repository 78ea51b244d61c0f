// Whether a case is as it was when it was signed, and by whom.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/export/case/known_keys.h"

namespace vantage {

struct CaseVerdict {
  std::string id, who, why, exported, program;       // as the manifest says
  std::vector<std::string> changed, missing, extra;  // files
  std::vector<std::string> faults;                   // of signatures and lists, as sentences
  int64_t files = 0;                                 // listed
  std::string fingerprint;                           // of the key in the case
  std::string key_name;                              // as it is known here; empty: it is not
  // The key that signed this case when it was known here first, where it was another one: the case has been
  // signed again.
  std::string former_fingerprint;

  bool untouched() const {
    return changed.empty() && missing.empty() && extra.empty() && faults.empty() &&
           former_fingerprint.empty();
  }
};

// Errors: not_found (no case there), bad_data (the manifest cannot be understood), unsupported (a newer one),
// io.
Result<CaseVerdict> verify_case(const std::filesystem::path& folder, const KnownKeys& known);

}  // namespace vantage
