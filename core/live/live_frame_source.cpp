#include "core/live/live_frame_source.h"

#include <sys/resource.h>
#include <tbb/task_scheduler_observer.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/quantile.h"
#include "core/image/time_code.h"
#include "core/live/detail/pace.h"
#include "core/live/frame_assembler.h"
#include "core/live/live_camera.h"
#include "core/live/live_relay.h"
#include "core/video/live/live_address.h"

namespace vantage {
namespace {

// The last kMax values of a figure, for its quantiles.

class RecentFigures {
 public:
  static constexpr size_t kMax = 20000;

  void add(double value) {
    const size_t place = static_cast<size_t>(count_++) % kMax;
    if (values_.size() <= place) values_.resize(place + 1);
    values_[place] = newest_ = value;
  }
  void clear() { values_.clear(), count_ = 0; }
  bool empty() const { return count_ == 0; }
  double newest() const { return newest_; }
  // Quantiles as in quantile().
  void put(double* half, double* nearly_all, double* all) const {
    *half = quantile(values_, 0.5), *nearly_all = quantile(values_, 0.95), *all = quantile(values_, 1);
  }

 private:
  std::vector<double> values_;
  int64_t count_ = 0;
  double newest_ = 0;
};

// Lowers the priority of threads that help to analyse below those that receive and decode: a late result is
// only late, but a picture decoded too late is missing in its set. A thread keeps its priority: only a
// privileged program may raise it again.
class YieldingWorkers final : public tbb::task_scheduler_observer {
 public:
  YieldingWorkers() { observe(true); }
  ~YieldingWorkers() override { observe(false); }
  void on_scheduler_entry(bool worker) override {
    constexpr int kNice = 10;
    if (worker) setpriority(PRIO_PROCESS, 0, kNice);  // Linux: of the calling thread
  }
};

std::string address_of(const std::string& video) {
  return is_live_address(video) ? video : "paced://" + video;
}

std::vector<int64_t> nanoseconds(const std::vector<double>& seconds) {
  std::vector<int64_t> all;
  for (const double value : seconds) all.push_back(std::llround(value * 1e9));
  return all;
}

class Cameras final : public LiveFrameSource {
 public:
  ~Cameras() override { cameras_.clear(); }  // their threads call back

  Status open(LiveFrameSourceOptions options);

  int camera_count() const override { return static_cast<int>(cameras_.size()); }
  VideoInfo info(int camera) const override;
  double frame_rate() const override { return rate_; }
  int64_t frame_count() const override { return -1; }
  bool frame_count_exact() const override { return false; }
  Result<int64_t> wait_for_frame_count(const StopSource&) override {
    return fail(ErrorKind::unsupported, "live cameras have no end", {},
                "Analyse them with `vantage-cli run`.");
  }
  Result<FrameSet> read(int64_t frame) override;
  uint64_t version() const override { return version_; }
  std::vector<std::string> problems() const override;

  Result<std::optional<int64_t>> next(const StopSource& stop, double limit_s) override;
  void note_result(int64_t frame) override;
  LiveHealth health() const override;
  int64_t set_delays(const std::vector<double>& seconds) override;
  void accept_view(size_t camera) override { cameras_[camera]->accept_view(); }
  int thinning() const override {
    const std::lock_guard lock(mutex_);
    return assembler_->thinning();
  }
  double start_utc_s() const override {
    const std::lock_guard lock(mutex_);
    return static_cast<double>(start_utc_ns_) * 1e-9;
  }
  int64_t add_tap(std::shared_ptr<LiveTap> tap, int64_t first_set) override;
  void remove_tap(const LiveTap& tap) override { relay_->remove(tap), connect_relay(); }
  void keep_packets(double seconds) override { relay_->keep(seconds), connect_relay(); }

 private:
  Status start_cameras();
  Status wait_for_cameras();
  void on_picture(size_t camera, LiveCamera::Arrival arrival);
  void on_away(size_t camera, const std::string& why);
  int64_t dropped() const { return assembler_->counters().dropped - start_dropped_; }
  void leave_out_start();
  void note_time_code();
  void share_delays();
  void adapt(int64_t now_ns);
  void connect_relay();

  LiveFrameSourceOptions options_;
  double rate_ = 0;
  uint64_t version_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::unique_ptr<FrameAssembler> assembler_;  // once the rate is known
  std::vector<std::string> away_;              // one per camera, before that
  std::optional<AssembledSet> current_;
  int64_t start_utc_ns_ = 0;
  Pace pace_;
  ProcessorLoad load_;
  YieldingWorkers yielding_;
  int64_t waiting_since_ns_ = -1;
  int64_t analysed_ = 0;
  int64_t start_dropped_ = 0, start_left_out_ = 0;  // sets before the first result
  RecentFigures latencies_ms_, ages_ms_;
  CodeLatency code_latency_;
  RecentFigures code_latencies_ms_;
  std::shared_ptr<LiveRelay> relay_;
  bool relayed_ = false;                              // the cameras pass everything on to it
  std::vector<std::unique_ptr<LiveCamera>> cameras_;  // destroyed first: their threads use the other members
};

Status Cameras::open(LiveFrameSourceOptions options) {
  options_ = std::move(options);
  code_latency_ = CodeLatency(options_.live.code_zero_utc_s);
  if (options_.source.cameras.empty())
    return fail(ErrorKind::invalid_argument, "there is no camera", {}, "Add a camera");
  if (!(options_.live.bound_s > 0) || options_.live.rate < 0 || options_.live.every < 0)
    return fail(ErrorKind::invalid_argument,
                "the bound must be positive; rate and thinning must not be negative");
  for (FrameSourceCamera& camera : options_.source.cameras) {
    if (!is_live_address(camera.path)) continue;
    VANTAGE_TRY(parse_live_address(camera.path));
    if (!options_.credentials) continue;
    VANTAGE_ASSIGN(camera.path, with_stored_credentials(camera.path, *options_.credentials));
  }
  options_.sizes.resize(options_.source.cameras.size());
  options_.calibrations.resize(options_.source.cameras.size());
  options_.delays_s.resize(options_.source.cameras.size());
  away_.resize(options_.source.cameras.size());
  relay_ = std::make_shared<LiveRelay>(options_.source.cameras.size());
  VANTAGE_TRY(start_cameras());
  VANTAGE_TRY(wait_for_cameras());
  Hasher hasher;
  for (const FrameSourceCamera& camera : options_.source.cameras) hasher.add(redact_credentials(camera.path));
  version_ = hasher.add(rate_).value();
  return {};
}

Status Cameras::start_cameras() {
  for (size_t i = 0; i < options_.source.cameras.size(); ++i) {
    LiveCameraOptions camera;
    camera.name = options_.source.cameras[i].name;
    camera.address = address_of(options_.source.cameras[i].path);
    camera.index = static_cast<int>(i);
    camera.width_px = options_.sizes[i].width_px, camera.height_px = options_.sizes[i].height_px;
    camera.hardware = options_.source.hardware;
    camera.trace = options_.source.trace;
    camera.views = options_.views, camera.calibration = options_.calibrations[i];
    if (options_.make_thumbnails) {
      VANTAGE_ASSIGN(camera.thumbnails, options_.make_thumbnails());
    }
    LiveCamera::Listener listener;
    listener.on_picture = [this, i](LiveCamera::Arrival arrival) { on_picture(i, std::move(arrival)); };
    listener.on_away = [this, i](const std::string& why) { on_away(i, why); };
    cameras_.push_back(std::make_unique<LiveCamera>(std::move(camera), std::move(listener)));
  }
  return {};
}

Status Cameras::wait_for_cameras() {
  const auto limit =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(options_.live.connect_s);
  const auto there = [this] {
    return std::all_of(cameras_.begin(), cameras_.end(), [](const auto& c) { return c->rate() > 0; });
  };
  std::unique_lock lock(mutex_);
  while (!there() && std::chrono::steady_clock::now() < limit) {
    if (options_.stop.stop_requested()) return fail(ErrorKind::cancelled, "connecting was stopped");
    changed_.wait_for(lock, std::chrono::milliseconds(100));
  }
  std::string missing;
  bool size_missing = false;
  for (size_t i = 0; i < cameras_.size(); ++i) {
    if (const double rate = cameras_[i]->rate(); rate > 0) {
      if (rate_ == 0) rate_ = rate;
      continue;
    }
    size_missing = size_missing || options_.sizes[i].width_px == 0;
    missing += (missing.empty() ? "" : " ") + options_.source.cameras[i].name + ": " +
               (away_[i].empty() ? "no picture yet" : away_[i]);
  }
  if (rate_ == 0) return fail(ErrorKind::io, "no camera is available. " + missing);
  if (size_missing)
    return fail(ErrorKind::io, "a camera without a calibration must be available at the start. " + missing);
  if (options_.live.rate > 0) rate_ = options_.live.rate;
  AssemblerOptions assembler;
  for (const FrameSourceCamera& camera : options_.source.cameras) assembler.names.push_back(camera.name);
  assembler.rate = rate_;
  assembler.bound_ns = std::llround(options_.live.bound_s * 1e9);
  assembler_ = std::make_unique<FrameAssembler>(std::move(assembler));
  assembler_->set_thinning(std::max(options_.live.every, 1));
  assembler_->set_delays(nanoseconds(options_.delays_s));
  for (size_t i = 0; i < away_.size(); ++i)
    if (!away_[i].empty()) assembler_->set_away(i, away_[i]);
  return {};
}

void Cameras::on_picture(size_t camera, LiveCamera::Arrival arrival) {
  const std::lock_guard lock(mutex_);
  away_[camera].clear();
  if (assembler_) {
    CameraFrame frame;
    frame.picture = std::move(arrival.frame.picture);
    frame.camera_frame = arrival.frame.index;
    frame.time_ns = arrival.frame.time_ns;
    frame.packet = arrival.frame.packet;
    frame.problem = std::move(arrival.frame.problem);
    const int64_t now = trace_now_ns();
    assembler_->add(camera, std::move(frame), arrival.capture_ns, arrival.frame.arrival_ns, arrival.rate,
                    now);
    assembler_->update(now);
  }
  changed_.notify_all();
}

void Cameras::on_away(size_t camera, const std::string& why) {
  const std::lock_guard lock(mutex_);
  away_[camera] = why;
  if (assembler_) assembler_->set_away(camera, why);
  changed_.notify_all();
}

// Cameras with correct clocks measure the delay that the others are given.
void Cameras::share_delays() {
  std::vector<double> delays;
  for (const auto& camera : cameras_)
    if (const auto delay = camera->measured_delay_ns()) delays.push_back(static_cast<double>(*delay));
  if (delays.empty()) return;
  const int64_t middle = std::llround(quantile(std::move(delays), 0.5));
  for (const auto& camera : cameras_) camera->set_common_delay(middle);
}

void Cameras::adapt(int64_t now_ns) {
  if (options_.live.every > 0) return;
  const int every = pace_.every(now_ns, dropped(), 1 / rate_);
  if (every == assembler_->thinning()) return;
  assembler_->set_thinning(every);
  log_warning(every == 1 ? std::string("every frame set is analysed again")
                         : "the analysis is slower than the cameras: 1 of " + std::to_string(every) +
                               " frame sets is analysed");
}

Result<std::optional<int64_t>> Cameras::next(const StopSource& stop, double limit_s) {
  share_delays();
  const int64_t begun = trace_now_ns();
  const int64_t limit_ns = limit_s > 0 ? begun + std::llround(limit_s * 1e9) : INT64_MAX;
  if (waiting_since_ns_ < 0) waiting_since_ns_ = begun;
  std::unique_lock lock(mutex_);
  load_.sample(begun);
  for (;;) {
    if (stop.stop_requested()) return fail(ErrorKind::cancelled, "stopped");
    const int64_t now = trace_now_ns();
    assembler_->update(now);
    current_ = assembler_->take();
    if (current_) break;
    if (now >= limit_ns) return std::optional<int64_t>();
    constexpr int64_t kLongestWait_ns = 100'000'000;  // a stop is noticed between waits
    const int64_t wait = std::min({assembler_->next_deadline_ns(now) - now, limit_ns - now, kLongestWait_ns});
    changed_.wait_for(lock, std::chrono::nanoseconds(std::max<int64_t>(wait, 1'000'000)));
  }
  const int64_t now = trace_now_ns();
  pace_.note_wait(now - std::exchange(waiting_since_ns_, -1));
  adapt(now);
  if (start_utc_ns_ == 0)
    start_utc_ns_ = utc_now_ns() - now + current_->capture_ns - current_->frames.time_ns;
  return std::optional<int64_t>(current_->frames.frame);
}

Result<FrameSet> Cameras::read(int64_t frame) {
  const std::lock_guard lock(mutex_);
  if (!current_ || current_->frames.frame != frame)
    return fail(ErrorKind::not_found, "live pictures cannot be read again", "set " + std::to_string(frame));
  return current_->frames;
}

void Cameras::note_result(int64_t frame) {
  const std::lock_guard lock(mutex_);
  if (!current_ || current_->frames.frame != frame) return;
  // The first result is late, since the chain learns empty scenes before it. Sets that waited meanwhile count
  // as its start.
  if (analysed_ == 0) leave_out_start();
  const int64_t now = trace_now_ns();
  ++analysed_;
  latencies_ms_.add(static_cast<double>(now - current_->last_arrival_ns) * 1e-6);
  ages_ms_.add(static_cast<double>(now - current_->capture_ns) * 1e-6);
  note_time_code();
  current_->frames.cameras.clear();  // returns their pictures to the pool
}

int64_t Cameras::set_delays(const std::vector<double>& seconds) {
  const std::lock_guard lock(mutex_);
  options_.delays_s = seconds;
  const int64_t first = assembler_->set_delays(nanoseconds(seconds));
  changed_.notify_all();
  return first;
}

VideoInfo Cameras::info(int camera) const {
  const auto index = static_cast<size_t>(camera);
  VideoInfo info = cameras_[index]->info();
  const LiveFrameSourceOptions::Size& size = options_.sizes[index];
  if (size.width_px > 0) info.width_px = size.width_px, info.height_px = size.height_px;
  if (const double rate = cameras_[index]->rate(); rate > 0) info.frame_rate = rate;
  info.frame_count = -1;
  return info;
}

std::vector<std::string> Cameras::problems() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (size_t i = 0; i < away_.size(); ++i)
    if (!away_[i].empty()) all.push_back(options_.source.cameras[i].name + ": " + away_[i]);
  return all;
}

LiveHealth Cameras::health() const {
  LiveHealth health;
  for (const auto& camera : cameras_) health.cameras.push_back(camera->health());
  const std::lock_guard lock(mutex_);
  const AssemblerCounters& counters = assembler_->counters();
  for (size_t i = 0; i < cameras_.size(); ++i) {
    health.cameras[i].late = assembler_->late_pictures(i);
    health.cameras[i].correction_s = options_.delays_s[i];
  }
  health.delay_span_ms = static_cast<double>(assembler_->delay_span_ns()) * 1e-6;
  health.start_utc_s = static_cast<double>(start_utc_ns_) * 1e-9;
  health.rate = rate_;
  health.bound_ms = options_.live.bound_s * 1e3;
  health.thinning = assembler_->thinning();
  health.processor_share = load_.share();
  health.sets = counters.sets, health.incomplete = counters.incomplete;
  health.dropped = dropped(), health.thinned = counters.thinned + start_dropped_ + start_left_out_;
  health.analysed = analysed_;
  latencies_ms_.put(&health.latency_p50_ms, &health.latency_p95_ms, &health.latency_max_ms);
  ages_ms_.put(&health.age_p50_ms, &health.age_p95_ms, &health.age_max_ms);
  if (!code_latencies_ms_.empty())
    code_latencies_ms_.put(&health.code_p50_ms, &health.code_p95_ms, &health.code_max_ms);
  if (analysed_ > 0) health.latency_ms = latencies_ms_.newest(), health.age_ms = ages_ms_.newest();
  return health;
}

// The first camera's code that is visible; a picture may have been taken before or after the set's instant.
void Cameras::note_time_code() {
  for (size_t i = 0; i < current_->frames.cameras.size(); ++i) {
    const CameraFrame& camera = current_->frames.cameras[i];
    const std::optional<int64_t> code = read_time_code(camera.picture);
    const double rate = cameras_[i]->rate();
    if (!code || rate <= 0) continue;
    const int64_t taken_ns = current_->capture_ns - std::llround(camera.offset_remainder_frames * 1e9 / rate);
    const std::optional<double> latency = code_latency_.add(*code, taken_ns, utc_now_ns());
    if (code_latency_.take_found_length()) code_latencies_ms_.clear();
    if (!latency) return;
    return code_latencies_ms_.add(*latency);
  }
}

void Cameras::leave_out_start() {
  start_dropped_ = assembler_->counters().dropped;
  for (; assembler_->ready(); assembler_->take()) ++start_left_out_;
}

int64_t Cameras::add_tap(std::shared_ptr<LiveTap> tap, int64_t first_set) {
  const int64_t begun = relay_->add(std::move(tap), first_set);
  connect_relay();
  return begun;
}

// Packets first: the sets refer to them. Cameras without packets encode their pictures only while needed.
void Cameras::connect_relay() {
  const bool needed = relay_->needed();
  if (std::exchange(relayed_, needed) == needed) return;
  for (size_t i = 0; i < cameras_.size(); ++i) {
    PacketTap packets;
    if (needed) packets = [relay = relay_, i](const StreamPacket& packet) { relay->on_packet(i, packet); };
    cameras_[i]->set_tap(std::move(packets));
  }
  const std::lock_guard lock(mutex_);
  if (needed)
    return assembler_->set_listener(
        [relay = relay_](const AssembledSet& set) { relay->on_set(tapped(set)); });
  assembler_->set_listener({});
  relay_->forget();
}

}  // namespace

Result<int64_t> LiveFrameSource::next(const StopSource& stop) {
  constexpr double kNoLimit = 0;
  VANTAGE_ASSIGN(const std::optional<int64_t> number, next(stop, kNoLimit));
  return *number;
}

Result<std::unique_ptr<LiveFrameSource>> LiveFrameSource::open(LiveFrameSourceOptions options) {
  auto cameras = std::make_unique<Cameras>();
  VANTAGE_TRY(cameras->open(std::move(options)));
  return cameras;
}

bool has_live_address(const std::vector<FrameSourceCamera>& cameras) {
  return std::any_of(cameras.begin(), cameras.end(),
                     [](const FrameSourceCamera& camera) { return is_live_address(camera.path); });
}

}  // namespace vantage
