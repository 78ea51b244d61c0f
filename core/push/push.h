// Messages of a session: events of rules and the health of cameras, to every target of a project. add_*()
// return at once; one thread makes pictures and writes the queue on the disk, and one for each target sends
// from there (push_sender.h). What was queued before the program ended is sent when it
// is next opened.
#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/bounded_queue.h"
#include "core/pipeline/frame_result.h"
#include "core/push/health_watch.h"
#include "core/push/push_picture.h"
#include "core/push/push_sender.h"

namespace vantage {

struct PushOptions {
  std::filesystem::path folder;                        // of the queue; empty: push_folder()
  std::shared_ptr<const CredentialStore> credentials;  // null: the file at default_credential_path()
  std::filesystem::path consent;                       // empty: default_consent_path()
  std::shared_ptr<MemoryTransfer> transfer = host_memory();
  bool live = true;
  double frame_rate = 0;  // frames/s
  PushRetry retry;
};

// Not thread-safe, but for states() and lost().
class Push {
 public:
  // Null where the project has no target or no file. Targets that are not allowed here are reported by
  // states(), and nothing is queued for them. Errors: of the consent and the queue.
  static Result<std::unique_ptr<Push>> open(const Project& project, PushOptions options);
  // What was added is queued, unless the disk refuses it; what is queued stays.
  ~Push();

  // Events that were raised or have ended with this frame, as RuleWatch gives them. `start_utc_s`: of frame
  // 0; 0: not known.
  void add_events(std::span<const FloorEvent> events, const FrameResultRef& result, double start_utc_s);
  // `now_ns`: of trace_now_ns().
  void add_health(const LiveHealth& health, int64_t now_ns);

  // Waits until all that was added has been delivered, for so long at most. False: something waits.
  bool finish(double limit_s, const StopSource& stop);

  std::vector<PushState> states() const;  // by target
  int64_t lost() const;  // messages that the disk did not take in time, and the memory neither

 private:
  using EventKey = std::pair<int64_t, int64_t>;  // person, since when
  // A message before it is queued.
  struct Draft {
    std::vector<std::string> plain, pictured;  // targets without and with the picture
    std::function<std::string(const std::optional<PicturePlace>&)> body;
    FrameResultRef result;  // of the picture; null: none
    double x_m = 0, y_m = 0;
  };
  struct Target {
    PushTarget settings;
    bool allowed = false;  // on this machine
    std::unique_ptr<PushSender> sender;
  };

  Push(const Project& project, PushOptions options);
  Status open_targets(const std::vector<PushTarget>& targets);
  PushSource source(double start_utc_s) const;
  EventPhase note_event(const FloorEvent& event);
  void add_started();
  void add_event(const FloorEvent& event, const FrameResultRef& result, const PushSource& source);
  void add(Draft draft);
  void write_all();
  std::optional<PushPicture> picture_of(const Draft& draft);
  Status write(Draft& draft, const std::optional<PushPicture>& picture);
  bool wait_for_disk(const std::string& problem);

  const PushOptions options_;
  const PushedProject project_;
  const std::vector<PushCamera> cameras_;
  std::unique_ptr<PushQueue> queue_;
  std::vector<Target> targets_;
  HealthWatch health_;
  std::map<std::string, std::set<EventKey>> open_;   // events that last, by rule
  std::atomic<int64_t> drafts_ = 0, unwritten_ = 0;  // that wait to be queued; that never were
  std::atomic<int64_t> pictures_ = 0;                // frames that wait for their picture
  mutable std::mutex mutex_;
  std::condition_variable stopping_;
  bool stop_ = false;  // guarded by mutex_, as is the next
  std::string disk_problem_;
  BoundedQueue<Draft> queued_drafts_;
  std::thread writer_;
};

}  // namespace vantage
