#include "core/live/live_camera.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/quantile.h"
#include "core/video/live/live_address.h"

namespace vantage {
namespace {

constexpr int64_t kHealthWindow_ns = 3'000'000'000;
constexpr int64_t kGoodStretch_ns = 5'000'000'000;
constexpr double kWaitGrowth = 1.4;
constexpr size_t kStepsForRate = 7, kMaxSteps = 51;

int64_t utc_less_local_ns() {
  const auto utc = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(utc).count() - trace_now_ns();
}

// Times of a stream are rounded to its ticks: a rate within half a per cent of a usual one is taken for it.
double usual_rate(double rate) {
  for (const double usual : {5.0, 8.0, 10.0, 12.0, 12.5, 15.0, 20.0, 24.0, 25.0, 30.0, 50.0, 60.0, 100.0})
    if (std::abs(rate - usual) < 0.005 * usual) return usual;
  return rate;
}

// The view that was kept with the calibration.
std::optional<KnownView> known_view(const LiveCameraOptions& options) {
  if (!options.views || options.calibration == 0) return std::nullopt;
  auto view = options.views->find(options.name, options.calibration);
  if (view) return *view;
  log_warning(options.name + ": its view is not compared with an earlier one: " + view.error().message());
  return std::nullopt;
}

}  // namespace

LiveCamera::LiveCamera(LiveCameraOptions options, Listener listener)
    : options_(std::move(options)),
      listener_(std::move(listener)),
      view_(std::move(options_.thumbnails), known_view(options_)) {
  health_.name = options_.name;
  health_.state = "connecting";
  if (const auto address = parse_live_address(options_.address); address && address->encrypted())
    health_.certificate_checked = !address->unchecked();
  health_.view_of_utc_s = view_.known_since_utc_s();
  view_kept_ = !options_.views || options_.calibration == 0 || health_.view_of_utc_s;
  thread_ = std::thread([this] { run(); });
}

LiveCamera::~LiveCamera() {
  stop_.request_stop();
  {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  thread_.join();
}

void LiveCamera::run() {
  double wait_s = kFirstWait_s;
  while (!stop_.stop_requested()) {
    const int64_t begun = trace_now_ns();
    const Error error = receive();
    if (stop_.stop_requested()) return;
    if (trace_now_ns() - begun > kGoodStretch_ns) wait_s = kFirstWait_s;
    const std::string why = redact_credentials(error.message());
    {
      const std::lock_guard lock(mutex_);
      if (health_.state != why) log_warning(options_.name + ": " + why);
      health_.here = false;
      health_.state = why;
      recent_.clear();
    }
    listener_.on_away(why);
    wait(wait_s);
    wait_s = std::min(kWaitGrowth * wait_s, kLongestWait_s);
  }
}

void LiveCamera::wait(double seconds) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return stop_.stop_requested(); });
}

// Receives until the connection ends; returns the reason.
Error LiveCamera::receive() {
  VideoOpenOptions open;
  open.hardware = options_.hardware;
  open.camera = options_.index;
  open.trace = options_.trace;
  open.width_px = options_.width_px, open.height_px = options_.height_px;
  open.stop = stop_;
  open.on_packet = [this](const StreamPacket& packet) {
    streams_ = true;
    hand_on(packet);
  };
  first_packet_ = next_packet_;
  streams_ = false;
  encoder_.reset();
  const auto source = open_video(options_.address, open);
  if (!source) return source.error();
  {
    const std::lock_guard lock(mutex_);
    begin_stream();
    timed_ = false;
    if (health_.pictures > 0) ++health_.reconnections;
  }
  if (std::string words = (*source)->info().conversion; words != reported_conversion_) {
    reported_conversion_ = std::move(words);
    if (!reported_conversion_.empty())
      log_info(options_.name + ": pictures are converted, " + reported_conversion_);
  }
  for (;;) {
    Result<DecodedFrame> frame = (*source)->read();
    const StreamCounters counters = (*source)->counters();
    if (!frame) {
      const std::lock_guard lock(mutex_);
      before_.bytes += counters.bytes, before_.faults += counters.faults;
      before_.left_out += counters.left_out;
      return frame.error();
    }
    {
      const std::lock_guard lock(mutex_);
      info_ = (*source)->info();
    }
    if (frame->picture)
      take(std::move(*frame), counters);
    else
      note_without_picture(frame->problem, counters);
  }
}

void LiveCamera::hand_on(StreamPacket packet) {
  constexpr int64_t kMaxKept = 64 << 20;  // bytes between two start points
  packet.number += first_packet_;
  next_packet_ = packet.number + 1;
  const std::lock_guard lock(tap_mutex_);
  if (packet.start || kept_bytes_ + packet.size_bytes > kMaxKept) {
    since_start_.clear();
    kept_bytes_ = 0;
  }
  if (tap_) tap_(packet);
  if (packet.start || !since_start_.empty()) {
    kept_bytes_ += packet.size_bytes;
    since_start_.push_back(std::move(packet));
  }
}

// Keeps packets for later listeners only while there is a listener.
bool LiveCamera::tapped() {
  const std::lock_guard lock(tap_mutex_);
  if (!tap_) since_start_.clear(), kept_bytes_ = 0;
  return static_cast<bool>(tap_);
}

Result<StreamPacket> LiveCamera::encoded(const Picture& picture, double rate) {
  if (!encoder_ || encoder_->format() != picture.format()) {
    VANTAGE_ASSIGN(encoder_, StreamEncoder::open(picture.format(), rate));
    log_info(options_.name + " delivers pictures, not a stream: they are recorded as H.264");
  }
  return encoder_->encode(picture);
}

void LiveCamera::encode_for_tap(DecodedFrame& frame, double rate) {
  if (streams_ || frame.picture.place().kind != MemoryKind::host) return;
  if (!tapped()) return encoder_.reset();
  Result<StreamPacket> packet = encoded(frame.picture, rate);
  if (!packet) return;  // the recording states that it has no packets of this camera
  packet->number = frame.packet = next_packet_ - first_packet_;
  packet->has_time = true;
  packet->time_ns = frame.time_ns >= 0 ? frame.time_ns : frame.arrival_ns;
  packet->arrival_ns = frame.arrival_ns;
  hand_on(std::move(*packet));
}

void LiveCamera::set_tap(PacketTap tap) {
  const std::lock_guard lock(tap_mutex_);
  tap_ = std::move(tap);
  if (!tap_) return;
  for (const StreamPacket& packet : since_start_) tap_(packet);
}

void LiveCamera::note_faults(const StreamCounters& counters) {
  health_.decode_errors = before_.faults + counters.faults;
  health_.left_out = before_.left_out + counters.left_out;
}

void LiveCamera::watch_view(const Picture& picture, int64_t arrival_ns) {
  const std::string& seen = view_.look(picture, arrival_ns);
  if (seen != health_.picture)
    log_warning(options_.name + ": " + (seen.empty() ? "the picture is normal again" : seen));
  health_.picture = seen;
  health_.turned = view_.turned();
}

void LiveCamera::accept_view() {
  const std::lock_guard lock(mutex_);
  view_.accept();
  view_kept_ = !options_.views || options_.calibration == 0;
  health_.picture.clear();
  health_.turned = false;
  health_.view_of_utc_s.reset();
}

// Writes the view once; a failure is not retried.
void LiveCamera::keep_view() {
  std::optional<KnownView> view;
  {
    const std::lock_guard lock(mutex_);
    if (view_kept_) return;
    view = view_.settled(static_cast<double>(utc_now_ns()) * 1e-9);
    if (!view) return;
    view_kept_ = true;
  }
  if (const Status kept = options_.views->keep(options_.name, options_.calibration, *view); !kept)
    log_warning(options_.name + ": its view cannot be saved: " + kept.error().message());
}

// The camera counts as away until the next picture.
void LiveCamera::note_without_picture(const std::string& why, const StreamCounters& counters) {
  {
    const std::lock_guard lock(mutex_);
    health_.state = why;
    note_faults(counters);
  }
  listener_.on_away(why);
}

// The first pictures of a connection may come before its first sender report; since they arrive in a burst,
// their arrival does not show the capture times.
bool LiveCamera::clock_known() const {
  return clock_.by_sender() || !had_sender_ || last_arrival_ns_ - first_arrival_ns_ > kClockPatience_ns;
}

void LiveCamera::begin_stream() {
  had_sender_ = had_sender_ || clock_.by_sender();
  first_arrival_ns_ = -1;
  clock_.restart();
  steps_ns_.clear();
  last_stream_ns_ = -1;
  health_.declared_rate = 0;
}

void LiveCamera::note_rate(int64_t stream_ns) {
  if (last_stream_ns_ >= 0 && stream_ns > last_stream_ns_) steps_ns_.push_back(stream_ns - last_stream_ns_);
  last_stream_ns_ = stream_ns;
  if (steps_ns_.size() > kMaxSteps) steps_ns_.pop_front();
  if (steps_ns_.size() < kStepsForRate) return;
  const int64_t usual_ns = upper_median(std::vector<int64_t>(steps_ns_.begin(), steps_ns_.end()));
  health_.declared_rate = usual_rate(1e9 / static_cast<double>(usual_ns));
}

void LiveCamera::take(DecodedFrame frame, const StreamCounters& counters) {
  Arrival arrival;
  {
    const std::lock_guard lock(mutex_);
    // The first pictures of a stream may have no time yet; some streams have none at all.
    if (frame.time_ns < 0 && timed_) return;
    if (frame.time_ns >= 0 && !std::exchange(timed_, true)) begin_stream();
    const int64_t stream_ns = frame.time_ns >= 0 ? frame.time_ns : frame.arrival_ns;
    const int64_t sender_ns = frame.sender_utc_ns > 0 ? frame.sender_utc_ns - utc_less_local_ns() : -1;
    arrival.capture_ns = clock_.add(stream_ns, frame.arrival_ns, sender_ns);
    note_rate(stream_ns);
    health_.here = true;
    health_.state = clock_.by_sender() ? "by sender's clock" : "by arrival";
    ++health_.pictures;
    watch_view(frame.picture, frame.arrival_ns);
    note_faults(counters);
    last_arrival_ns_ = frame.arrival_ns;
    if (first_arrival_ns_ < 0) first_arrival_ns_ = frame.arrival_ns;
    recent_.push_back({frame.arrival_ns, before_.bytes + counters.bytes});
    while (recent_.front().arrival_ns < frame.arrival_ns - kHealthWindow_ns) recent_.pop_front();
    if (clock_known()) arrival.rate = health_.declared_rate;
  }
  keep_view();
  if (arrival.rate > 0) encode_for_tap(frame, arrival.rate);
  if (frame.packet >= 0) frame.packet += first_packet_;
  arrival.frame = std::move(frame);
  if (arrival.rate > 0) listener_.on_picture(std::move(arrival));
}

double LiveCamera::rate() const {
  const std::lock_guard lock(mutex_);
  return health_.declared_rate;
}

VideoInfo LiveCamera::info() const {
  const std::lock_guard lock(mutex_);
  return info_;
}

CameraHealth LiveCamera::health() const {
  const std::lock_guard lock(mutex_);
  CameraHealth health = health_;
  const int64_t now = trace_now_ns();
  if (last_arrival_ns_ >= 0) health.age_s = static_cast<double>(now - last_arrival_ns_) * 1e-9;
  if (recent_.size() > 1 && health.here) {
    const double span_s = static_cast<double>(now - recent_.front().arrival_ns) * 1e-9;
    health.delivered_rate = static_cast<double>(recent_.size() - 1) / span_s;
    health.bit_rate = static_cast<double>(recent_.back().bytes - recent_.front().bytes) * 8 / span_s;
  }
  health.jitter_ms = clock_.jitter_ms();
  health.drift_ppm = clock_.drift_ppm();
  health.clock_offset_s = clock_.clock_offset_s();
  if (clock_.by_sender()) health.delay_ms = static_cast<double>(clock_.delay_ns()) * 1e-6;
  return health;
}

void LiveCamera::set_common_delay(int64_t delay_ns) {
  const std::lock_guard lock(mutex_);
  clock_.set_common_delay(delay_ns);
}

std::optional<int64_t> LiveCamera::measured_delay_ns() const {
  const std::lock_guard lock(mutex_);
  if (!health_.here || !clock_.by_sender()) return std::nullopt;
  return clock_.delay_ns();
}

}  // namespace vantage
