// Who did what to a project and with what it shows, next to NAME.vantage as NAME.custody.jsonl: lines of
// JSON, each with the SHA-256 of the line before (newline included), each entry signed by the line behind it
// with the key of its user. Entries are only ever appended.
//
// The log begins with the first seal, case or verification; from then on all of it is noted. The prose is
// resources/docs/formats/exports.md, "Custody log".
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage {

inline constexpr std::string_view kCustodySuffix = ".custody.jsonl";
std::filesystem::path custody_path(const std::filesystem::path& project);

// What was done: "opened", "project changed", "events judged", "sealed", "verified", "case exported".
using CustodyDetails = std::map<std::string, std::string>;

// Appends an entry, and begins the log where there is none. Several programs at a time are fine. Errors: io,
// those of the user's key.
Status begin_or_note_custody(const std::filesystem::path& project, const std::string& what,
                             const CustodyDetails& details = {});
// The same where there is a log; an error is logged, as what was noted is done.
void note_custody(const std::filesystem::path& project, const std::string& what,
                  const CustodyDetails& details = {});

struct CustodyEntry {
  std::string utc, user, host, program, what, fingerprint;
  CustodyDetails details;
};
struct CustodyLog {
  std::vector<CustodyEntry> entries;
  std::vector<std::string> faults;  // of chain and signatures, as sentences
  std::string last_sha256;
  int64_t torn_bytes = 0;  // of lines that were not written completely
};
// Errors: not_found, io; bad_data: it is no custody log.
Result<CustodyLog> read_custody(const std::filesystem::path& file);

}  // namespace vantage
