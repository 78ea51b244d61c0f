// Sends a session's messages, events of rules and the health of cameras, to every target of a project.
// add_*() return at once; one thread makes pictures and writes the queue on the disk, and one for each target
// sends from there. Messages still queued when the program ends are sent when it is next opened.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
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

#include "core/base/threads.h"
#include "core/geometry/camera.h"
#include "core/image/backend/memory_transfer.h"
#include "core/live/health.h"
#include "core/pipeline/frame_result.h"
#include "core/push/push_message.h"
#include "core/push/push_queue.h"
#include "core/push/push_transport.h"

namespace vantage {

// Changes in the health of live cameras: a camera that stops or has a fault is reported once, and again when
// all is well.

struct HealthChange {
  CameraHealth camera;
  std::string problem;  // empty: all is well
  bool first = false;   // the camera's state was unknown before
};

class HealthWatch {
 public:
  // Minimum duration of a reported state: cameras connect one after another, and a lost packet is not news.
  static constexpr int64_t kLasting_ns = 3'000'000'000;

  // `now_ns`: of trace_now_ns(); ascends.
  std::vector<HealthChange> add(const LiveHealth& health, int64_t now_ns);

 private:
  struct Known {
    std::string name;
    int told = -1, seen = -1;  // states; -1: none
    int64_t since_ns = 0;      // time of `seen`
  };
  std::vector<Known> cameras_;
};

// Sends a target's messages in order on its own thread. Failures are retried after increasing waits; messages
// are neither skipped nor reordered.

// Wait between attempts: doubles from the first to the last.
struct PushRetry {
  double first_s = 1, last_s = 60;
};

class PushSender {
 public:
  using TransportMaker = std::function<Result<std::unique_ptr<PushTransport>>()>;

  // `queue` must outlive it. `lock_file`: one of several programs with one target sends, the others wait.
  // `make` is called on the sender's thread, and again after each failure of its own.
  PushSender(PushTarget target, PushQueue& queue, std::filesystem::path lock_file, TransportMaker make,
             PushRetry retry);
  ~PushSender();  // an attempt in progress is aborted and will be repeated

  void wake();  // after something was added
  PushState state() const;

 private:
  void work();
  bool take_lock();
  Status send_next(bool* sent);
  void delivered(const PushMessage& message, const std::string& answer);
  void pause(double seconds, bool for_news);
  void set_problem(const std::string& problem, int64_t failures);

  const PushTarget target_;
  PushQueue& queue_;
  const std::filesystem::path lock_file_;
  const TransportMaker make_;
  const PushRetry retry_;
  StopSource stop_;
  std::unique_ptr<PushTransport> transport_;  // the thread's, as are the next two
  int lock_ = -1;
  int64_t done_ = 0;  // all up to it has arrived, even if the disk could not store that
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool news_ = false;
  PushState state_;
  std::thread thread_;  // destroyed first: it uses the other members
};

// The picture of an event: the complete view of the camera that sees its position best.

struct PushPicture {
  std::string jpeg;
  PicturePlace place;
};

struct PushCamera {
  std::string name;
  std::optional<Camera> calibration;
};

// The nearest of the cameras that see the position at chest height and have a picture; nothing: none. Errors:
// of the device and of encoding.
Result<std::optional<PushPicture>> picture_of_event(const std::vector<PushCamera>& cameras,
                                                    const FrameResult& result, double x_m, double y_m,
                                                    MemoryTransfer& transfer);

struct PushOptions {
  std::filesystem::path folder;                        // the queue's; empty: push_folder()
  std::shared_ptr<const CredentialStore> credentials;  // null: the file at default_credential_path()
  std::filesystem::path consent;                       // empty: default_consent_path()
  std::shared_ptr<MemoryTransfer> transfer = host_memory();
  bool live = true;
  double frame_rate = 0;  // frames/s
  PushRetry retry;
};

// Not thread-safe, except states() and lost().
class Push {
 public:
  // Null where the project has no target or no file. Targets that are not allowed here are listed by
  // states(), and nothing is queued for them. Errors: of the consent and the queue.
  static Result<std::unique_ptr<Push>> open(const Project& project, PushOptions options);
  // Queues everything added, unless the disk fails; queued messages stay.
  ~Push();

  // Adds events raised or ended in this frame, from RuleWatch. `start_utc_s`: of frame 0; 0: unknown.
  void add_events(std::span<const FloorEvent> events, const FrameResultRef& result, double start_utc_s);
  // `now_ns`: of trace_now_ns().
  void add_health(const LiveHealth& health, int64_t now_ns);

  // Waits up to limit_s until everything added has been delivered. False: messages still wait.
  bool finish(double limit_s, const StopSource& stop);

  std::vector<PushState> states() const;  // one per target
  int64_t lost() const;                   // messages lost because neither disk nor memory had space

 private:
  using EventKey = std::pair<int64_t, int64_t>;  // person, first frame
  // A message before it is queued.
  struct Draft {
    std::vector<std::string> plain, pictured;  // targets without and with the picture
    std::function<std::string(const std::optional<PicturePlace>&)> body;
    FrameResultRef result;  // the picture's; null: none
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
  std::map<std::string, std::set<EventKey>> open_;   // events in progress, by rule
  std::atomic<int64_t> drafts_ = 0, unwritten_ = 0;  // waiting to be queued; never queued
  std::atomic<int64_t> pictures_ = 0;                // frames waiting for their picture
  mutable std::mutex mutex_;
  std::condition_variable stopping_;
  bool stop_ = false;  // guarded by mutex_, as is the next
  std::string disk_problem_;
  BoundedQueue<Draft> queued_drafts_;
  std::thread writer_;
};

}  // namespace vantage
