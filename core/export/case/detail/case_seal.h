// The files that make a folder a case: manifest.json with the SHA-256 of every other file, SHA256SUMS, and
// their signatures. The prose is resources/docs/formats.md, "Cases".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/export/case/signing_key.h"

namespace vantage::case_detail {

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
