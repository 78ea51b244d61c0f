#include "core/seal/custody.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/process_owner.h"
#include "core/base/text.h"
#include "core/seal/signing_key.h"
#include "core/video/sha256.h"

namespace vantage {
namespace {

constexpr const char* kCustodySchema = "vantage-custody-1";

// The log, locked against other programs for as long as this lives.
class CustodyFile {
 public:
  explicit CustodyFile(const std::filesystem::path& path)
      : path_(path), fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
    while (fd_ >= 0 && ::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~CustodyFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  CustodyFile(const CustodyFile&) = delete;
  CustodyFile& operator=(const CustodyFile&) = delete;

  // An incomplete last line, left by a loss of power, is ended before.
  Status append(const std::string& what, const CustodyDetails& details, const SigningKey& key) {
    if (fd_ < 0) return failed();
    VANTAGE_ASSIGN(std::string text, read_file(path_));
    std::string added;
    if (!text.empty() && text.back() != '\n') text += "\n", added += "\n";
    const size_t former = text.size() < 2 ? std::string::npos : text.rfind('\n', text.size() - 2);
    const std::string last = text.substr(former == std::string::npos ? 0 : former + 1);
    const ProcessOwner owner = this_process();
    nlohmann::ordered_json entry = {{"schema", kCustodySchema},
                                    {"utc", utc_time(static_cast<double>(utc_now_ns()) * 1e-9)},
                                    {"user", owner.user},
                                    {"host", owner.host},
                                    {"program", owner.program + " " + VANTAGE_VERSION},
                                    {"what", what},
                                    {"details", details},
                                    {"public_key", key.public_pem()}};
    if (!text.empty()) entry["before"] = sha256(last);
    const std::string line = json_text(entry) + "\n";
    VANTAGE_ASSIGN(const std::string signature, key.sign(line));
    const nlohmann::ordered_json signed_line = {{"signature", base64(signature)}, {"before", sha256(line)}};
    added += line + json_text(signed_line) + "\n";
    if (::write(fd_, added.data(), added.size()) != static_cast<ssize_t>(added.size()) || ::fsync(fd_) != 0)
      return failed();
    sync_folder_of(path_);
    return {};
  }

 private:
  tl::unexpected<Error> failed() const {
    return fail(ErrorKind::io,
                std::string("the custody log cannot be written (") + std::strerror(errno) + ")",
                path_.string(), "Check the folder and its permissions.");
  }

  const std::filesystem::path path_;
  const int fd_;
};

class CustodyReader {
 public:
  Result<CustodyLog> read(const std::filesystem::path& file) {
    VANTAGE_ASSIGN(const std::string text, read_file(file));
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = text.find('\n', begin);
      ++number_;
      if (end == std::string::npos) {
        log_.torn_bytes = static_cast<int64_t>(text.size() - begin);
        break;
      }
      take(text.substr(begin, end + 1 - begin));
      begin = end + 1;
    }
    if (log_.entries.empty())
      return fail(ErrorKind::bad_data, "is no custody log", file.string(), "Give NAME.custody.jsonl.");
    if (unread_bytes_ > 0) fault("cannot be read");
    if (signs_) fault("the last entry is not signed");
    return std::move(log_);
  }

 private:
  void fault(const std::string& text) {
    log_.faults.push_back(fmt::format("custody log, line {}: {}", number_, text));
  }

  void take(const std::string& line) {
    try {
      const nlohmann::json parsed = parse_json_or_throw(line);
      const std::string before = parsed.value("before", "");
      if (before != log_.last_sha256) fault("does not continue the line before: one was changed or removed");
      // What a loss of power left of a line is part of the chain once another one follows.
      log_.torn_bytes += std::exchange(unread_bytes_, 0);
      if (parsed.contains("signature"))
        take_signature(parsed);
      else
        take_entry(parsed);
    } catch (const nlohmann::json::exception&) {
      unread_bytes_ += static_cast<int64_t>(line.size());
    }
    log_.last_sha256 = sha256(line);
    former_ = line;
  }

  void take_entry(const nlohmann::json& parsed) {
    if (signs_) fault("the entry before is not signed");
    signs_ = true;
    CustodyEntry entry;
    entry.utc = parsed.at("utc"), entry.user = parsed.at("user"), entry.host = parsed.at("host");
    entry.program = parsed.at("program"), entry.what = parsed.at("what");
    entry.details = parsed.at("details").get<CustodyDetails>();
    key_ = parsed.at("public_key");
    const Result<std::string> fingerprint = fingerprint_of(key_);
    if (!fingerprint) return fault("its key is none");
    entry.fingerprint = *fingerprint;
    log_.entries.push_back(std::move(entry));
  }

  void take_signature(const nlohmann::json& parsed) {
    const Result<std::string> signature = base64_bytes(parsed.at("signature"));
    const Result<bool> valid =
        signs_ && signature ? verify_signature(key_, former_, *signature) : Result<bool>(false);
    if (!valid || !*valid) fault("is not a signature of the entry before it");
    signs_ = false;
  }

  CustodyLog log_;
  std::string former_, key_;
  bool signs_ = false;  // an entry waits for its signature
  int64_t number_ = 0, unread_bytes_ = 0;
};

}  // namespace

std::filesystem::path custody_path(const std::filesystem::path& project) {
  std::filesystem::path path = project;
  return path.replace_extension().string() + std::string(kCustodySuffix);
}

Status begin_or_note_custody(const std::filesystem::path& project, const std::string& what,
                             const CustodyDetails& details) {
  VANTAGE_ASSIGN(const std::unique_ptr<SigningKey> key, SigningKey::of_user());
  return CustodyFile(custody_path(project)).append(what, details, *key);
}

void note_custody(const std::filesystem::path& project, const std::string& what,
                  const CustodyDetails& details) {
  std::error_code none;
  if (project.empty() || !std::filesystem::exists(custody_path(project), none)) return;
  if (const Status noted = begin_or_note_custody(project, what, details); !noted)
    log_warning("'" + what + "' is not in the custody log: " + noted.error().message());
}

Result<CustodyLog> read_custody(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none))
    return fail(ErrorKind::not_found, "there is no custody log", file.string(),
                "It begins when the project is sealed, verified or exported as a case.");
  return CustodyReader().read(file);
}

}  // namespace vantage
