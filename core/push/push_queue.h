// Waiting messages of each target on the disk: whatever add() accepted survives a crash, a kill or a power
// failure until remove() confirms its arrival. SQLite; several programs may use one folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/push/push_message.h"

struct sqlite3;

namespace vantage {

// Thread-safe.
class PushQueue {
 public:
  // Limit of waiting pictures; beyond it messages are kept without theirs.
  static constexpr int64_t kMaxPictureBytes = int64_t{1} << 30;

  // Creates the folder, readable only by its user. Errors: io, bad_data (damaged).
  static Result<std::unique_ptr<PushQueue>> open(const std::filesystem::path& folder,
                                                 int64_t max_picture_bytes = kMaxPictureBytes);
  ~PushQueue();
  PushQueue(const PushQueue&) = delete;
  PushQueue& operator=(const PushQueue&) = delete;

  // One message for each of the targets, all or none. Errors: io (the disk is full); nothing was stored then.
  Status add(const std::vector<std::string>& targets, const std::string& body, const std::string& jpeg);
  // The target's oldest message after that sequence number; nothing: there is none.
  Result<std::optional<PushMessage>> next(const std::string& target, int64_t after) const;
  // Removes the target's messages up to and including that one.
  Status remove(const std::string& target, int64_t up_to);
  // Number of messages after that sequence number.
  Result<int64_t> waiting(const std::string& target, int64_t after) const;
  // Targets with waiting messages.
  Result<std::vector<std::string>> targets() const;
  // Stores why nothing is sent to the target, for other programs; empty: all is well.
  Status note_problem(const std::string& target, const std::string& problem);
  Result<std::string> problem(const std::string& target) const;

 private:
  explicit PushQueue(std::filesystem::path file) : file_(std::move(file)) {}
  Status prepare();
  Status run(const char* sql) const;
  Status insert(const std::string& target, const std::string& body, const std::string& jpeg) const;
  Result<int64_t> number(const char* sql) const;
  tl::unexpected<Error> failed() const;

  const std::filesystem::path file_;
  int64_t max_picture_bytes_ = kMaxPictureBytes;
  mutable std::mutex mutex_;
  sqlite3* database_ = nullptr;
  std::string id_;  // this queue's: prefix of its messages' IDs
};

// NAME.push next to the project.
std::filesystem::path push_folder(const std::filesystem::path& project);

// State of a message target.

struct PushState {
  std::string target;
  std::string destination;
  int64_t delivered = 0;    // since the program opened it
  int64_t waiting = 0;      // on the disk, including other programs'
  int64_t failures = 0;     // attempts since the last delivery
  bool allowed = true;      // on this machine (push_consent.h); otherwise nothing is queued for it
  std::string problem;      // why nothing is sent; empty: all is well
  std::string last_answer;  // the last delivery's
  bool operator==(const PushState&) const = default;
};

}  // namespace vantage
