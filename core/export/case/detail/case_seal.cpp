#include "core/export/case/detail/case_seal.h"

#include <algorithm>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/video/sha256.h"

namespace vantage::case_detail {

Result<std::vector<std::string>> files_of(const std::filesystem::path& folder) {
  std::error_code code;
  std::vector<std::string> files;
  std::filesystem::recursive_directory_iterator at(folder, code), end;
  for (; !code && at != end; at.increment(code)) {
    if (at->is_directory(code) && !at->is_symlink(code)) continue;
    files.push_back(at->path().lexically_relative(folder).generic_string());
  }
  if (code)
    return fail(ErrorKind::io, "the folder cannot be read (" + code.message() + ")", folder.string(),
                "Check the path and its permissions.");
  std::sort(files.begin(), files.end());
  return files;
}

Status seal(const std::filesystem::path& folder, nlohmann::ordered_json manifest, const SigningKey& key) {
  VANTAGE_ASSIGN(const std::vector<std::string> files, files_of(folder));
  std::string sums;
  const auto add_sum = [&](const std::string& digest, const std::string& file) {
    sums += digest + "  " + file + "\n";
  };
  manifest["files"] = nlohmann::ordered_json::array();
  for (const std::string& file : files) {
    VANTAGE_ASSIGN(const std::string digest, sha256_of_file(folder / file));
    std::error_code none;
    manifest["files"].push_back(
        {{"path", file}, {"bytes", std::filesystem::file_size(folder / file, none)}, {"sha256", digest}});
    add_sum(digest, file);
  }
  manifest["key"] = {{"algorithm", "Ed25519"}, {"fingerprint", key.fingerprint()}};
  const std::string text = json_text(manifest, 2) + "\n";
  VANTAGE_ASSIGN(const std::string signature, key.sign(text));
  for (const auto& [name, content] : {std::pair(kManifest, &text), std::pair(kManifestSignature, &signature),
                                      std::pair(kPublicKey, &key.public_pem())}) {
    VANTAGE_TRY(write_file_atomically(folder / name, *content));
    add_sum(sha256(*content), name);
  }
  VANTAGE_ASSIGN(const std::string signed_sums, key.sign(sums));
  VANTAGE_TRY(write_file_atomically(folder / kSums, sums));
  return write_file_atomically(folder / kSumsSignature, signed_sums);
}

}  // namespace vantage::case_detail
