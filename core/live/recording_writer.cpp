#include "core/live/recording_writer.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/base/trace.h"
#include "core/live/detail/camera_recorder.h"
#include "core/seal/signing_key.h"

namespace vantage {
namespace {

constexpr int64_t kMaxQueued = 64 << 20;  // bytes waiting for the disk
constexpr double kGigabyte = 1e9;
constexpr int kManyUnnamed = 50;  // sets; pictures in transit at the start of a recording have no packets

struct Entry {
  size_t camera = 0;
  std::optional<StreamPacket> packet;  // nothing: a set
  int64_t frame = -1;
  std::vector<int64_t> packets;  // the set's, one per camera
};

class Writer final : public RecordingWriter {
 public:
  Writer(RecordingParameters parameters, std::filesystem::path folder, double frame_rate, std::string what)
      : parameters_(parameters),
        folder_(std::move(folder)),
        frame_rate_(frame_rate),
        what_(std::move(what)),
        keep_h_(parameters.keep_h),
        keep_gb_(parameters.keep_gb) {
    auto key = SigningKey::of_user();
    if (key)
      key_ = std::move(*key);
    else
      log_warning(what_ + " is not sealed: " + key.error().message());
  }
  ~Writer() override { finish(); }

  Status add_camera(const std::string& name, const SegmentsHeader& header) override;
  void begin() override;
  void finish() override;

  void on_packet(size_t camera, const StreamPacket& packet) override;
  void on_set(const TappedSet& set) override;
  RecordingState state() const override {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  void set_limits(double keep_h, double keep_gb) override {
    const std::lock_guard lock(mutex_);
    keep_h_ = keep_h, keep_gb_ = keep_gb;
  }

 private:
  void run();
  Status write(const std::deque<Entry>& entries);
  Status flush();
  Status check_space() const;
  void remove_old();
  int64_t bytes() const;
  void end(const Status& status);

  const RecordingParameters parameters_;
  const std::filesystem::path folder_;
  const double frame_rate_;
  const std::string what_;                                // subject of log messages
  std::shared_ptr<const SigningKey> key_;                 // of the seals; null: there are none
  std::vector<int> locks_;                                // on the headers, until the end
  std::vector<std::unique_ptr<CameraRecorder>> cameras_;  // used by the thread
  int64_t last_frame_ = -1;                               // likewise

  mutable std::mutex mutex_;  // guards the following
  double keep_h_, keep_gb_;
  std::condition_variable changed_;
  std::deque<Entry> queue_;
  int64_t queued_bytes_ = 0;
  std::vector<std::string> names_;  // one per camera
  std::vector<bool> lost_;          // likewise: packets are missing before the next one
  std::vector<int> unnamed_;        // likewise: sets without a packet since the last with one
  bool begun_ = false, closing_ = false;
  RecordingState state_;
  std::thread thread_;
};

Status Writer::add_camera(const std::string& name, const SegmentsHeader& header) {
  const std::filesystem::path file = folder_ / (name + std::string(kSegmentsSuffix));
  VANTAGE_TRY(make_folder(segments_folder(file)));
  VANTAGE_TRY(write_segments_header(file, header));
  locks_.push_back(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (locks_.back() < 0 || ::flock(locks_.back(), LOCK_EX | LOCK_NB) != 0)
    return fail(ErrorKind::io, "another program is recording there", file.string(), "Choose another name.");
  cameras_.push_back(std::make_unique<CameraRecorder>(segments_folder(file), parameters_.segment_s, key_));
  names_.push_back(name);
  lost_.push_back(false);
  unnamed_.push_back(0);
  state_.recording = true;
  return {};
}

void Writer::on_packet(size_t camera, const StreamPacket& packet) {
  const std::lock_guard lock(mutex_);
  if (closing_ || !state_.recording) return;
  if (begun_ && queued_bytes_ + packet.size_bytes > kMaxQueued) {
    lost_[camera] = true;
    ++state_.lost_packets;
    return;
  }
  if (lost_[camera]) queue_.push_back({.camera = camera, .packet = std::nullopt, .frame = -1, .packets = {}});
  lost_[camera] = false;
  queued_bytes_ += packet.size_bytes;
  queue_.push_back({.camera = camera, .packet = packet, .frame = -1, .packets = {}});
  changed_.notify_one();
}

void Writer::on_set(const TappedSet& set) {
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < set.packets.size(); ++i) {
    if (set.packets[i] == TappedSet::kNoPicture) continue;
    unnamed_[i] = set.packets[i] >= 0 ? 0 : unnamed_[i] + 1;
    if (unnamed_[i] == kManyUnnamed)
      log_warning(names_[i] + " delivers pictures that cannot be encoded: it is analysed but not recorded");
  }
  if (closing_ || !state_.recording) return;
  queue_.push_back({.camera = 0, .packet = std::nullopt, .frame = set.frame, .packets = set.packets});
}

void Writer::begin() {
  {
    const std::lock_guard lock(mutex_);
    begun_ = true;
    queued_bytes_ = 0;
  }
  thread_ = std::thread([this] { run(); });
}

void Writer::run() {
  const auto interval = std::chrono::duration<double>(kFlush_s);
  auto next_flush = std::chrono::steady_clock::now() + std::chrono::duration<double>(0);
  for (bool more = true; more;) {
    std::deque<Entry> entries;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_until(lock, next_flush, [this] { return closing_; });
      entries.swap(queue_);
      queued_bytes_ = 0;
      more = !closing_;
    }
    next_flush = std::chrono::steady_clock::now() + interval;
    Status status = write(entries);
    if (status) status = flush();
    if (status && more) status = check_space();
    if (!status) return end(status);
    remove_old();
  }
  end({});
}

Status Writer::write(const std::deque<Entry>& entries) {
  for (const Entry& entry : entries) {
    if (entry.packet) {
      VANTAGE_TRY(cameras_[entry.camera]->take(*entry.packet));
    } else if (entry.frame < 0) {
      cameras_[entry.camera]->lose();
    } else {
      for (size_t i = 0; i < entry.packets.size(); ++i) cameras_[i]->note(entry.frame, entry.packets[i]);
      last_frame_ = entry.frame;
    }
  }
  return {};
}

// The first camera last: it determines the recording's length.
Status Writer::flush() {
  if (last_frame_ < 0) return {};
  for (size_t i = cameras_.size(); i-- > 0;) VANTAGE_TRY(cameras_[i]->flush(last_frame_));
  int64_t first = -1;  // a camera that is away has none
  for (const auto& camera : cameras_)
    if (const int64_t its = camera->first_frame(); its >= 0) first = first < 0 ? its : std::min(first, its);
  const std::lock_guard lock(mutex_);
  state_.bytes = bytes();
  state_.first_frame = first;
  state_.last_frame = last_frame_;
  if (first >= 0) state_.seconds = static_cast<double>(last_frame_ - first + 1) / frame_rate_;
  return {};
}

Status Writer::check_space() const {
  std::error_code code;
  const std::filesystem::space_info space = std::filesystem::space(folder_, code);
  const double free_gb = static_cast<double>(space.available) / kGigabyte;
  if (code || free_gb >= parameters_.reserve_gb) return {};
  return fail(ErrorKind::io,
              fmt::format("only {:.1f} GB of the disk are free, and {:.1f} GB are reserved", free_gb,
                          parameters_.reserve_gb),
              folder_.string(), "Free some space, or keep less with recording.keep_gb or recording.keep_h.");
}

int64_t Writer::bytes() const {
  int64_t sum = 0;
  for (const auto& camera : cameras_) sum += camera->bytes();
  return sum;
}

void Writer::remove_old() {
  const int64_t now = trace_now_ns();
  double keep_h = 0, keep_gb = 0;
  {
    const std::lock_guard lock(mutex_);
    keep_h = keep_h_, keep_gb = keep_gb_;
  }
  for (;;) {
    CameraRecorder* oldest = nullptr;
    int64_t end_ns = INT64_MAX;
    for (const auto& camera : cameras_)
      if (const auto end = camera->oldest_end_ns(); end && *end < end_ns)
        oldest = camera.get(), end_ns = *end;
    if (!oldest) return;
    const double age_h = static_cast<double>(now - end_ns) * 1e-9 / 3600;
    const bool too_old = keep_h > 0 && age_h > keep_h;
    const bool too_much = keep_gb > 0 && static_cast<double>(bytes()) > keep_gb * kGigabyte;
    if (!too_old && !too_much) return;
    oldest->remove_oldest();
  }
}

void Writer::end(const Status& status) {
  Status ended = status;
  for (const auto& camera : cameras_)
    if (const Status finished = camera->finish(); !finished && ended) ended = finished;
  for (int& lock : locks_) ::close(std::exchange(lock, -1));
  const std::lock_guard lock(mutex_);
  queue_.clear();
  state_.recording = false;
  if (ended) return;
  state_.problem = ended.error().message();
  log_error(what_ + " has stopped; the analysis continues. " + state_.problem);
}

void Writer::finish() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
  for (const int lock : std::exchange(locks_, {}))
    if (lock >= 0) ::close(lock);
}

}  // namespace

std::shared_ptr<RecordingWriter> RecordingWriter::make(const RecordingParameters& parameters,
                                                       const std::filesystem::path& folder, double frame_rate,
                                                       std::string what) {
  return std::make_shared<Writer>(parameters, folder, frame_rate, std::move(what));
}

}  // namespace vantage
