#include "core/push/push.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "core/base/log.h"
#include "core/base/trace.h"
#include "core/push/push_consent.h"
#include "core/video/jpeg.h"

namespace vantage {
namespace {

constexpr double kIdle_s =
    2;  // time until the queue is read again, as another program may have added something

}  // namespace

PushSender::PushSender(PushTarget target, PushQueue& queue, std::filesystem::path lock_file,
                       TransportMaker make, PushRetry retry)
    : target_(std::move(target)),
      queue_(queue),
      lock_file_(std::move(lock_file)),
      make_(std::move(make)),
      retry_(retry) {
  state_.target = target_.name;
  state_.destination = destination_text(target_);
  thread_ = std::thread([this] { work(); });
}

PushSender::~PushSender() {
  stop_.request_stop();
  wake();
  thread_.join();
  if (lock_ >= 0) ::close(lock_);
}

void PushSender::wake() {
  const std::lock_guard lock(mutex_);
  news_ = true;
  changed_.notify_all();
}

PushState PushSender::state() const {
  std::unique_lock lock(mutex_);
  PushState state = state_;
  const int64_t done = done_;
  lock.unlock();
  state.waiting = queue_.waiting(target_.name, done).value_or(0);
  return state;
}

void PushSender::work() {
  int64_t failures = 0;
  while (!stop_.stop_requested()) {
    if (!take_lock()) {
      set_problem("another program sends for this project", 0);
      pause(kIdle_s, false);
      continue;
    }
    bool sent = false;
    const Status status = send_next(&sent);
    if (status) {
      if (std::exchange(failures, 0) > 0) {
        static_cast<void>(queue_.note_problem(target_.name, {}));
        set_problem({}, 0);
      }
      if (!sent) pause(kIdle_s, true);
      continue;
    }
    if (status.error().kind == ErrorKind::cancelled) break;
    set_problem(status.error().message(), ++failures);
    if (failures == 1) {
      log_warning("push to " + target_.name + ": " + status.error().message());
      static_cast<void>(queue_.note_problem(target_.name, status.error().message()));
    }
    const double doubled =
        retry_.first_s * static_cast<double>(int64_t{1} << std::min<int64_t>(failures - 1, 30));
    pause(std::min(doubled, retry_.last_s), false);
  }
  transport_.reset();
}

bool PushSender::take_lock() {
  if (lock_ >= 0) return true;
  const int file = ::open(lock_file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) == 0) {
    lock_ = file;
    return true;
  }
  if (file >= 0) ::close(file);
  return false;
}

Status PushSender::send_next(bool* sent) {
  VANTAGE_ASSIGN(const std::optional<PushMessage> message, queue_.next(target_.name, done_));
  if (!message) return transport_ ? transport_->keep(stop_) : Status();
  if (!transport_) {
    VANTAGE_ASSIGN(transport_, make_());
  }
  VANTAGE_ASSIGN(const std::string answer, transport_->send(*message, stop_));
  delivered(*message, answer);
  *sent = true;
  return {};
}

// An arrival that a full disk cannot store is stored with the next one.
void PushSender::delivered(const PushMessage& message, const std::string& answer) {
  const Status removed = queue_.remove(target_.name, message.sequence);
  const std::lock_guard lock(mutex_);
  done_ = message.sequence;
  ++state_.delivered;
  state_.failures = 0;
  state_.problem = removed ? std::string() : removed.error().message();
  state_.last_answer = answer;
  changed_.notify_all();
}

void PushSender::pause(double seconds, bool for_news) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                    [&] { return stop_.stop_requested() || (for_news && news_); });
  news_ = false;
}

void PushSender::set_problem(const std::string& problem, int64_t failures) {
  const std::lock_guard lock(mutex_);
  state_.problem = problem;
  state_.failures = failures;
}

namespace {

constexpr double kChest_m = 1.2;
constexpr int kMaxWidth_px = 1280;

std::optional<size_t> nearest_camera(const std::vector<PushCamera>& cameras, const FrameSet& frames,
                                     const Eigen::Vector3d& place) {
  std::optional<size_t> best;
  double nearest_m = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < cameras.size() && i < frames.cameras.size(); ++i) {
    const auto& calibration = cameras[i].calibration;
    if (!calibration || !frames.cameras[i].picture || !calibration->sees(place)) continue;
    const double distance_m = (calibration->center_in_world_m() - place).norm();
    if (distance_m >= nearest_m) continue;
    nearest_m = distance_m;
    best = i;
  }
  return best;
}

}  // namespace

Result<std::optional<PushPicture>> picture_of_event(const std::vector<PushCamera>& cameras,
                                                    const FrameResult& result, double x_m, double y_m,
                                                    MemoryTransfer& transfer) {
  const Eigen::Vector3d place(x_m, y_m, kChest_m);
  const FrameSet* frames = result.frames();
  const std::optional<size_t> best = frames ? nearest_camera(cameras, *frames, place) : std::nullopt;
  if (!best) return std::optional<PushPicture>();
  Picture picture = frames->cameras[*best].picture;
  if (picture.place() != MemoryPlace{}) {
    VANTAGE_ASSIGN(picture, transfer.download(picture, result.frame, static_cast<int>(*best)));
  }
  const auto [width_px, height_px] = jpeg_size(picture, kMaxWidth_px);
  PushPicture out;
  VANTAGE_ASSIGN(out.jpeg, encode_jpeg(picture, kMaxWidth_px));
  out.place = {cameras[*best].name, result.frame, 0, 0, width_px, height_px};
  if (const auto pixel = cameras[*best].calibration->project(place)) {
    out.place.x_px = pixel->x() * width_px / picture.width();
    out.place.y_px = pixel->y() * height_px / picture.height();
  }
  return std::optional(std::move(out));
}

namespace {

constexpr size_t kMaxDrafts = 10'000;  // while the disk is full
constexpr int64_t kMaxPictures = 8;    // each has its frame's pictures
constexpr std::chrono::seconds kDiskPause(1);

std::vector<PushCamera> cameras_of(const Project& project) {
  std::vector<PushCamera> cameras;
  for (const ProjectCamera& camera : project.cameras) cameras.push_back({camera.name, camera.calibration});
  return cameras;
}

bool wants_rule(const PushTarget& target, const std::string& rule) {
  return target.events &&
         (target.rules.empty() || std::ranges::find(target.rules, rule) != target.rules.end());
}

}  // namespace

Push::Push(const Project& project, PushOptions options)
    : options_(std::move(options)),
      project_(pushed_project(project)),
      cameras_(cameras_of(project)),
      queued_drafts_(kMaxDrafts, SIZE_MAX, QueuePolicy::drop_oldest) {}

Result<std::unique_ptr<Push>> Push::open(const Project& project, PushOptions options) {
  if (project.push_targets.empty() || project.path.empty()) return std::unique_ptr<Push>();
  if (options.folder.empty()) options.folder = push_folder(project.path);
  if (options.consent.empty()) options.consent = default_consent_path();
  if (!options.credentials) options.credentials = make_credential_file(default_credential_path());
  std::unique_ptr<Push> push(new Push(project, std::move(options)));
  VANTAGE_ASSIGN(push->queue_, PushQueue::open(push->options_.folder));
  VANTAGE_TRY(push->open_targets(project.push_targets));
  push->writer_ = std::thread([raw = push.get()] { raw->write_all(); });
  push->add_started();
  return push;
}

Status Push::open_targets(const std::vector<PushTarget>& targets) {
  const PushConsent consent(options_.consent);
  for (const PushTarget& settings : targets) {
    Target& target = targets_.emplace_back(Target{settings, false, nullptr});
    VANTAGE_ASSIGN(const bool allowed, consent.allows(settings));
    target.allowed = allowed;
    if (!allowed) {
      log_warning("push to " + settings.name +
                  ": not allowed on this machine; File > Messages or `vantage-cli push allow` allows it");
      continue;
    }
    const auto make = [settings, store = options_.credentials,
                       project = project_]() -> Result<std::unique_ptr<PushTransport>> {
      VANTAGE_ASSIGN(const std::optional<Credentials> secret, find_secret(settings, *store));
      return make_push_transport(settings, secret, project);
    };
    target.sender = std::make_unique<PushSender>(
        settings, *queue_, options_.folder / (settings.name + ".lock"), make, options_.retry);
  }
  return {};
}

Push::~Push() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    stopping_.notify_all();
  }
  queued_drafts_.close();
  if (writer_.joinable()) writer_.join();
  if (lost() > 0)
    log_error(std::to_string(lost()) + " messages could not be queued on the disk and are lost");
}

PushSource Push::source(double start_utc_s) const {
  return {project_.name, options_.live, options_.frame_rate, start_utc_s};
}

void Push::add_events(std::span<const FloorEvent> events, const FrameResultRef& result, double start_utc_s) {
  for (const FloorEvent& event : events) add_event(event, result, source(start_utc_s));
}

// An event comes when it is raised, and again when it is over.
EventPhase Push::note_event(const FloorEvent& event) {
  auto& open = open_[event.rule];
  const EventKey key(event.id, event.first_frame);
  if (!event.last_frame) {
    open.insert(key);
    return EventPhase::begins;
  }
  return open.erase(key) > 0 ? EventPhase::ends : EventPhase::happens;
}

void Push::add_event(const FloorEvent& event, const FrameResultRef& result, const PushSource& source) {
  const EventPhase phase = note_event(event);
  const auto count = static_cast<int>(open_[event.rule].size());
  const bool picture = phase != EventPhase::ends && result && pictures_ < kMaxPictures;
  Draft draft;
  for (const Target& target : targets_)
    if (target.sender && wants_rule(target.settings, event.rule))
      (picture && target.settings.pictures ? draft.pictured : draft.plain).push_back(target.settings.name);
  draft.body = [this, source, event, phase, count](const std::optional<PicturePlace>& place) {
    const auto rule = std::ranges::find(project_.rules, event.rule, &FloorRule::name);
    return event_body(source, event, rule == project_.rules.end() ? nullptr : &*rule, phase, count, place);
  };
  if (!draft.pictured.empty()) {
    draft.result = result, draft.x_m = event.x_m, draft.y_m = event.y_m;
    ++pictures_;
  }
  add(std::move(draft));
}

void Push::add_health(const LiveHealth& health, int64_t now_ns) {
  for (const HealthChange& change : health_.add(health, now_ns)) {
    Draft draft;
    for (const Target& target : targets_) {
      // An initial state without problems is news only for targets that keep a state.
      const bool news = !change.first || !change.problem.empty() || target.settings.kind == PushKind::mqtt;
      if (target.sender && target.settings.health && news) draft.plain.push_back(target.settings.name);
    }
    draft.body = [source = source(health.start_utc_s), change](const std::optional<PicturePlace>&) {
      return health_body(source, change.camera, change.problem);
    };
    add(std::move(draft));
  }
}

// The broker's retained messages of an earlier session are out of date.
void Push::add_started() {
  Draft draft;
  for (const Target& target : targets_)
    if (target.sender && target.settings.kind == PushKind::mqtt) draft.plain.push_back(target.settings.name);
  draft.body = [source = source(0)](const std::optional<PicturePlace>&) { return started_body(source); };
  add(std::move(draft));
}

void Push::add(Draft draft) {
  if (draft.plain.empty() && draft.pictured.empty()) return;
  ++drafts_;
  queued_drafts_.push(std::move(draft));
}

void Push::write_all() {
  while (std::optional<Draft> draft = queued_drafts_.pop()) {
    const std::optional<PushPicture> picture = picture_of(*draft);
    if (std::exchange(draft->result, nullptr)) --pictures_;
    Status written = write(*draft, picture);
    while (!written && wait_for_disk(written.error().message())) written = write(*draft, picture);
    if (!written) ++unwritten_;
    --drafts_;
    for (const Target& target : targets_)
      if (target.sender) target.sender->wake();
  }
}

// A message without its picture is better than none.
std::optional<PushPicture> Push::picture_of(const Draft& draft) {
  if (!draft.result) return std::nullopt;
  Result<std::optional<PushPicture>> picture =
      picture_of_event(cameras_, *draft.result, draft.x_m, draft.y_m, *options_.transfer);
  if (picture) return std::move(*picture);
  log_warning("a message is sent without its picture: " + picture.error().message());
  return std::nullopt;
}

Status Push::write(Draft& draft, const std::optional<PushPicture>& picture) {
  const auto add_for = [&](std::vector<std::string>& targets,
                           const std::optional<PushPicture>& with) -> Status {
    if (targets.empty()) return {};
    VANTAGE_TRY(queue_->add(targets, draft.body(with ? std::optional(with->place) : std::nullopt),
                            with ? with->jpeg : std::string()));
    targets.clear();  // already queued, even if the others fail
    return {};
  };
  VANTAGE_TRY(add_for(draft.plain, std::nullopt));
  VANTAGE_TRY(add_for(draft.pictured, picture));
  const std::lock_guard lock(mutex_);
  disk_problem_.clear();
  return {};
}

// False: the session ends.
bool Push::wait_for_disk(const std::string& problem) {
  std::unique_lock lock(mutex_);
  if (disk_problem_.empty()) log_error("messages wait in memory: " + problem);
  disk_problem_ = problem;
  return !stopping_.wait_for(lock, kDiskPause, [this] { return stop_; });
}

int64_t Push::lost() const {
  return unwritten_ + static_cast<int64_t>(queued_drafts_.dropped());
}

bool Push::finish(double limit_s, const StopSource& stop) {
  constexpr std::chrono::milliseconds kTurn(20);
  const int64_t end_ns = trace_now_ns() + static_cast<int64_t>(limit_s * 1e9);
  const auto all_sent = [this] {
    if (drafts_ > static_cast<int64_t>(queued_drafts_.dropped())) return false;
    return std::ranges::all_of(
        targets_, [](const Target& target) { return !target.sender || target.sender->state().waiting == 0; });
  };
  while (!all_sent()) {
    if (stop.stop_requested() || trace_now_ns() >= end_ns) return false;
    std::this_thread::sleep_for(kTurn);
  }
  return true;
}

std::vector<PushState> Push::states() const {
  std::vector<PushState> states;
  std::unique_lock lock(mutex_);
  const std::string disk = disk_problem_;
  lock.unlock();
  for (const Target& target : targets_) {
    if (target.sender) {
      states.push_back(target.sender->state());
      if (!disk.empty()) states.back().problem = disk;
      continue;
    }
    PushState& refused = states.emplace_back();
    refused.target = target.settings.name;
    refused.destination = destination_text(target.settings);
    refused.allowed = target.allowed;
    refused.problem = "not allowed on this machine";
  }
  return states;
}

namespace {

// A camera's problems without the figures in their texts, which change all the time.
int state_of_camera(const CameraHealth& camera) {
  if (!camera.here) return 1;
  return (camera.picture.empty() ? 0 : 2) | (camera.turned ? 4 : 0) | (camera.detector.empty() ? 0 : 8);
}

std::string problem_of(const CameraHealth& camera) {
  if (!camera.here) return camera.state.empty() ? "no pictures" : camera.state;
  std::string problem = camera.picture;
  if (!camera.detector.empty()) problem += (problem.empty() ? "" : "; ") + camera.detector;
  if (problem.empty() && camera.turned) problem = "it shows another view";
  return problem;
}

}  // namespace

std::vector<HealthChange> HealthWatch::add(const LiveHealth& health, int64_t now_ns) {
  std::vector<HealthChange> changes;
  for (const CameraHealth& camera : health.cameras) {
    auto known = std::ranges::find(cameras_, camera.name, &Known::name);
    if (known == cameras_.end()) known = cameras_.insert(known, {camera.name, -1, -1, now_ns});
    const int state = state_of_camera(camera);
    if (state != known->seen) known->seen = state, known->since_ns = now_ns;
    if (state == known->told || now_ns - known->since_ns < kLasting_ns) continue;
    changes.push_back({camera, problem_of(camera), known->told < 0});
    known->told = state;
  }
  return changes;
}

}  // namespace vantage
