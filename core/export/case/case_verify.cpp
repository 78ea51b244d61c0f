#include "core/export/case/case_verify.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/export/case/detail/case_origin.h"
#include "core/seal/signing_key.h"
#include "core/video/sha256.h"

namespace vantage {
namespace {

using namespace case_detail;

class Verification {
 public:
  Verification(const std::filesystem::path& folder, const KnownKeys& known)
      : folder_(folder), known_(known) {}

  Result<CaseVerdict> run() {
    VANTAGE_TRY(read_manifest());
    VANTAGE_TRY(compare_files());
    check_sums();
    check_signatures();
    OriginVerdict origins = check_origins(parse_json(manifest_), folder_);
    for (std::string& fault : origins.faults) verdict_.faults.push_back(std::move(fault));
    verdict_.notes = std::move(origins.notes);
    if (const auto name = known_.names.find(verdict_.fingerprint); name != known_.names.end())
      verdict_.key_name = name->second;
    if (const auto former = known_.cases.find(verdict_.id);
        former != known_.cases.end() && former->second != verdict_.fingerprint)
      verdict_.former_fingerprint = former->second;
    return verdict_;
  }

 private:
  Status read_manifest() {
    const std::filesystem::path file = folder_ / kManifest;
    std::error_code none;
    if (!std::filesystem::exists(file, none))
      return fail(ErrorKind::not_found, "there is no case here: manifest.json is missing", folder_.string(),
                  "Give the folder that was exported.");
    VANTAGE_ASSIGN(manifest_, read_file(file));
    const nlohmann::json document = parse_json(manifest_);
    const auto damaged = [&] {
      return fail(ErrorKind::bad_data, "is not the manifest of a case", file.string(),
                  "It was changed or is damaged: ask for the case again.");
    };
    try {
      const std::string schema = document.at("schema");
      if (schema != kCaseSchema && schema.starts_with("vantage-case-"))
        return fail(ErrorKind::unsupported, "is of a newer version of Vantage", file.string(),
                    "Verify it with that version, or with sha256sum and openssl.");
      if (schema != kCaseSchema) return damaged();
      const nlohmann::json& about = document.at("case");
      verdict_.id = about.at("id"), verdict_.who = about.at("who"), verdict_.why = about.at("why");
      verdict_.exported = about.at("exported_utc"), verdict_.program = about.at("program");
      for (const nlohmann::json& entry : document.at("files")) {
        const std::string path = entry.at("path");
        listed_[path] = entry.at("sha256");
      }
      named_fingerprint_ = document.at("key").at("fingerprint");
    } catch (const nlohmann::json::exception&) {
      return damaged();
    }
    verdict_.files = static_cast<int64_t>(listed_.size());
    return {};
  }

  Status compare_files() {
    VANTAGE_ASSIGN(const std::vector<std::string> present, files_of(folder_));
    const std::set<std::string> own = {kManifest, kManifestSignature, kSums, kSumsSignature, kPublicKey};
    for (const std::string& file : present) {
      if (own.contains(file)) continue;
      const auto entry = listed_.find(file);
      std::error_code none;
      const bool plain =
          std::filesystem::symlink_status(folder_ / file, none).type() == std::filesystem::file_type::regular;
      if (entry == listed_.end()) {
        verdict_.extra.push_back(file);
        continue;
      }
      Result<std::string> digest = plain ? sha256_of_file(folder_ / file) : Result<std::string>("");
      if (!digest) return fail(std::move(digest).error());
      if (*digest != entry->second) verdict_.changed.push_back(file);
    }
    for (const auto& [file, digest] : listed_)
      if (!std::binary_search(present.begin(), present.end(), file)) verdict_.missing.push_back(file);
    for (const std::string& file : own)
      if (!std::binary_search(present.begin(), present.end(), file)) verdict_.missing.push_back(file);
    return {};
  }

  // SHA256SUMS tells what the manifest tells, and of the manifest and its signature.
  void check_sums() {
    const Result<std::string> sums = read_file(folder_ / kSums);
    if (!sums) return;  // among the missing ones
    std::map<std::string, std::string> expected = listed_;
    for (const char* file : {kManifest, kManifestSignature, kPublicKey})
      if (const Result<std::string> digest = sha256_of_file(folder_ / file)) expected[file] = *digest;
    std::map<std::string, std::string> told;
    for (size_t begin = 0; begin < sums->size();) {
      const size_t end = std::min(sums->find('\n', begin), sums->size());
      const std::string line = sums->substr(begin, end - begin);
      constexpr size_t kDigest = 64, kName = kDigest + 2;
      if (line.size() > kName) told[line.substr(kName)] = line.substr(0, kDigest);
      begin = end + 1;
    }
    if (told != expected) verdict_.faults.push_back("SHA256SUMS and manifest.json disagree.");
  }

  void check_signatures() {
    const Result<std::string> pem = read_file(folder_ / kPublicKey);
    if (!pem) return;
    const Result<std::string> fingerprint = fingerprint_of(*pem);
    if (!fingerprint) {
      verdict_.faults.push_back("public_key.pem is not an Ed25519 key.");
      return;
    }
    verdict_.fingerprint = *fingerprint;
    if (*fingerprint != named_fingerprint_)
      verdict_.faults.push_back("public_key.pem is not the key that manifest.json names.");
    for (const auto& [file, signature] :
         {std::pair(kManifest, kManifestSignature), std::pair(kSums, kSumsSignature)}) {
      const Result<std::string> text = read_file(folder_ / file), made = read_file(folder_ / signature);
      if (!text || !made) continue;
      const Result<bool> valid = verify_signature(*pem, *text, *made);
      if (!valid || !*valid)
        verdict_.faults.push_back(std::string(signature) + " is not a signature of " + file +
                                  " by that key.");
    }
  }

  const std::filesystem::path folder_;
  const KnownKeys& known_;
  CaseVerdict verdict_;
  std::string manifest_, named_fingerprint_;
  std::map<std::string, std::string> listed_;  // digests by path
};

}  // namespace

Result<CaseVerdict> verify_case(const std::filesystem::path& folder, const KnownKeys& known) {
  return Verification(folder.lexically_normal(), known).run();
}

}  // namespace vantage

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
