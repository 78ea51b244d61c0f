// Verification of a case: unchanged since it was signed, and by whom.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/seal/signing_key.h"

namespace vantage {

struct CaseVerdict {
  std::string id, who, why, exported, program;       // as the manifest states
  std::vector<std::string> changed, missing, extra;  // files
  std::vector<std::string> faults;                   // of signatures, lists and seals, as sentences
  std::vector<std::string> notes;  // what was checked of the videos' origin, and what cannot
  int64_t files = 0;               // listed
  std::string fingerprint;         // of the key in the case
  std::string key_name;            // as it is known here; empty: unknown
  // The key of this case's first known signature, where it was another one: the case has been signed again.
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

namespace vantage::case_detail {

// The files that make a folder a case: manifest.json with the SHA-256 of every other file, SHA256SUMS, and
// their signatures. The prose is resources/docs/formats.md, "Cases".

inline constexpr const char* kCaseSchema = "vantage-case-1";
inline constexpr const char* kManifest = "manifest.json";
inline constexpr const char* kManifestSignature = "manifest.json.sig";
inline constexpr const char* kSums = "SHA256SUMS";
inline constexpr const char* kSumsSignature = "SHA256SUMS.sig";
inline constexpr const char* kPublicKey = "public_key.pem";

// Paths of a folder's files from it on, with slashes, sorted; whatever is neither file nor folder is among
// them.
Result<std::vector<std::string>> files_of(const std::filesystem::path& folder);

// Adds `files` and `key` to the manifest, and writes it with sums and signatures.
Status seal(const std::filesystem::path& folder, nlohmann::ordered_json manifest, const SigningKey& key);

}  // namespace vantage::case_detail
