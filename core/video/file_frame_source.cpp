#include "core/video/frame_source.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <condition_variable>
#include <future>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/threads.h"
#include "core/video/detail/sources.h"

namespace vantage {
namespace {

constexpr size_t kQueueBytes = size_t{512} << 20;  // a camera's, whatever the picture size

struct Entry {
  CameraFrame frame;
  std::optional<Error> error;  // ends the reading
};
using EntryQueue = BoundedQueue<Entry>;

// One camera: its source and the thread that decodes ahead of the playhead.
class CameraReader {
 public:
  // The wanted camera frame at base frame N is offset + N * step + the changes up to N.
  CameraReader(std::unique_ptr<VideoSource> source, std::string name, int index, double offset, double step,
               std::vector<OffsetChange> changes, bool leads, TraceRecorder* trace)
      : source_(std::move(source)),
        name_(std::move(name)),
        index_(index),
        offset_(offset),
        step_(step),
        leads_(leads),
        trace_(trace),
        changes_(std::move(changes)),
        thread_([this] { run(); }) {}

  ~CameraReader() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      if (queue_) queue_->abort();
    }
    changed_.notify_all();
    thread_.join();
  }

  VideoSource& source() const { return *source_; }
  const std::string& name() const { return name_; }

  // Fills a new queue with the frames from base frame `frame` on.
  void start_at(int64_t frame, size_t queue_frames) {
    {
      const std::lock_guard lock(mutex_);
      if (queue_) queue_->abort();
      queue_ = std::make_shared<EntryQueue>(queue_frames, kQueueBytes, QueuePolicy::block);
      start_frame_ = frame;
      ++command_;
    }
    changed_.notify_all();
  }

  // In force for what start_at() starts next.
  void add_change(const OffsetChange& change) {
    const std::lock_guard lock(mutex_);
    changes_.push_back(change);
  }

  std::optional<Entry> pop(int64_t frame) {
    SpanGuard span(trace_, "wait for decoding", "read", frame, index_, SpanKind::wait);
    return queue_->pop();  // set by the reading thread itself
  }

 private:
  void run();
  Entry make_entry(int64_t base_frame);
  Entry no_frame(CameraFrame frame, std::string problem) const;
  Result<DecodedFrame> decode(int64_t index, int64_t base_frame);

  const std::unique_ptr<VideoSource> source_;
  const std::string name_;
  const int index_;
  const double offset_, step_;
  const bool leads_;  // the recording ends with it
  TraceRecorder* const trace_;

  // The decoding thread's own.
  std::vector<OffsetChange> changes_now_;
  int64_t position_ = 0;  // what the source reads next
  DecodedFrame last_;     // a slower camera shows a frame several times
  std::string lost_;      // why the source gives nothing any more

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<OffsetChange> changes_;
  std::shared_ptr<EntryQueue> queue_;
  int64_t start_frame_ = 0;
  uint64_t command_ = 0;
  bool closing_ = false;
  std::thread thread_;
};

void CameraReader::run() {
  uint64_t done = 0;
  for (;;) {
    std::shared_ptr<EntryQueue> queue;
    int64_t frame = 0;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return closing_ || command_ != done; });
      if (closing_) return;
      done = command_;
      queue = queue_;
      frame = start_frame_;
      changes_now_ = changes_;
    }
    lost_.clear();
    for (bool more = true; more; ++frame) {
      Entry entry = make_entry(frame);
      more = !entry.error;
      const size_t bytes = entry.frame.picture.size_bytes();
      SpanGuard span(trace_, "wait for the playhead", "decode " + name_, frame, index_, SpanKind::wait);
      more = queue->push(std::move(entry), bytes) && more;
    }
  }
}

Entry CameraReader::no_frame(CameraFrame frame, std::string problem) const {
  frame.problem = std::move(problem);
  return {std::move(frame), std::nullopt};
}

Result<DecodedFrame> CameraReader::decode(int64_t index, int64_t base_frame) {
  SpanGuard span(trace_, "decode", "decode " + name_, base_frame, index_);
  if (index != position_) {
    VANTAGE_TRY(source_->seek(index));
    position_ = index;
  }
  Result<DecodedFrame> frame = source_->read();
  if (frame) position_ = index + 1;
  return frame;
}

Entry CameraReader::make_entry(int64_t base_frame) {
  CameraFrame out;
  const double wanted = offset_ + static_cast<double>(base_frame) * step_ +
                        total_change(changes_now_, static_cast<double>(base_frame));
  const auto nearest = static_cast<int64_t>(std::floor(wanted + 0.5));
  out.offset_remainder_frames = wanted - static_cast<double>(nearest);
  if (nearest < 0) return no_frame(std::move(out), name_ + " had not started yet");
  if (!lost_.empty()) return no_frame(std::move(out), lost_);
  if (last_.index != nearest) {
    Result<DecodedFrame> decoded = decode(nearest, base_frame);
    if (!decoded) {
      Error& error = decoded.error();
      const bool ended = error.kind == ErrorKind::end_of_stream;
      const bool fatal = error.kind == ErrorKind::cancelled || error.kind == ErrorKind::device_lost ||
                         error.kind == ErrorKind::out_of_memory;
      if (fatal || leads_) return {std::move(out), std::move(error)};
      if (!ended) position_ = -1;  // its position is unknown
      lost_ = ended ? name_ + " has ended" : error.message();
      return no_frame(std::move(out), lost_);
    }
    last_ = std::move(*decoded);
  }
  out.picture = last_.picture;
  out.camera_frame = last_.index;
  out.time_ns = last_.time_ns;
  out.problem = last_.problem;
  return {std::move(out), std::nullopt};
}

class FileFrameSource final : public FrameSource {
 public:
  ~FileFrameSource() override { stop_.request_stop(); }  // the readers' threads then end by themselves

  Status open(FrameSourceOptions options);

  int camera_count() const override { return static_cast<int>(cameras_.size()); }
  VideoInfo info(int camera) const override { return source(camera).info(); }
  double frame_rate() const override { return frame_rate_; }
  int64_t frame_count() const override { return base_frames(source(leader_).info().frame_count); }
  bool frame_count_exact() const override { return source(leader_).info().frame_count_exact; }
  Result<int64_t> wait_for_frame_count(const StopSource& stop) override {
    VANTAGE_ASSIGN(const int64_t frames, source(leader_).wait_for_frame_count(stop));
    return base_frames(frames);
  }
  Result<FrameSet> read(int64_t frame) override;
  uint64_t version() const override;
  void change_offset(int camera, const OffsetChange& change) override {
    if (camera <= 0 || camera >= camera_count()) return;
    identities_[camera].changes.push_back(change);
    cameras_[camera]->add_change(change);
    next_ = -1;  // what was decoded ahead is of the old times
  }
  std::vector<std::string> problems() const override;

 private:
  // The parts of the version; one a camera.
  struct Identity {
    uint64_t content = 0;
    double offset_frames = 0, rate = 0;
    std::vector<OffsetChange> changes;
  };
  int64_t base_frames(int64_t frames_of_leader) const;
  VideoSource& source(int camera) const { return cameras_[camera]->source(); }

  StopSource stop_;
  size_t queue_frames_ = 1;
  double frame_rate_ = kUnknownFrameRate;
  int leader_ = 0;  // counts the frames: the base, or the first camera that is there
  std::vector<Identity> identities_;
  int64_t next_ = -1;  // the frame at the head of the queues; -1: they must be started
  std::vector<std::unique_ptr<CameraReader>> cameras_;
};

Status check(const FrameSourceOptions& options) {
  if (options.cameras.empty())
    return fail(ErrorKind::invalid_argument, "a recording needs at least one video", {}, "Add a video");
  if (options.cameras[0].offset_frames != 0)
    return fail(ErrorKind::invalid_argument, "the first camera is the base and has no offset",
                options.cameras[0].name, "Give the other cameras' offsets relative to it");
  if (options.queue_frames < 1)
    return fail(ErrorKind::invalid_argument, "the queue must hold at least one frame");
  for (const FrameSourceCamera& camera : options.cameras)
    for (const OffsetChange& change : camera.changes)
      if (!std::isfinite(change.frames) || &camera == options.cameras.data())
        return fail(ErrorKind::invalid_argument,
                    "only cameras other than the base lose frames, a finite number", camera.name);
  for (const FrameSourceCamera& camera : options.cameras)
    if (!std::isfinite(camera.offset_frames) || !std::isfinite(camera.frame_rate) || camera.frame_rate < 0)
      return fail(ErrorKind::invalid_argument, "offset and frame rate must be finite, the rate not negative",
                  camera.name);
  return {};
}

// True when the next frame has the same problem, but for the number in its text: a gap is reported once.
bool goes_on(const std::pair<int64_t, std::string>& problem, const std::pair<int64_t, std::string>& next) {
  const auto words = [](const std::string& text) {
    std::string without;
    std::copy_if(text.begin(), text.end(), std::back_inserter(without),
                 [](unsigned char c) { return std::isdigit(c) == 0; });
    return without;
  };
  return next.first == problem.first + 1 && words(next.second) == words(problem.second);
}

// The same file gives other pictures where it is converted, or placed in time, in another way.
uint64_t identity_of(const VideoSource& source) {
  const VideoInfo info = source.info();
  if (info.conversion.empty() && info.timing.empty()) return source.content_hash();
  Hasher hasher;
  hasher.add(source.content_hash()).add(info.conversion);
  if (!info.timing.empty()) hasher.add(info.timing);
  return hasher.value();
}

Result<std::unique_ptr<VideoSource>> missing_video(const FrameSourceCamera& camera) {
  VideoInfo info;
  info.width_px = camera.width_px, info.height_px = camera.height_px;
  info.frame_rate = camera.frame_rate;
  return make_missing_source(camera.path, info);
}

// The base's rate; where it is missing and states none, that of the first camera which does.
double base_rate(const FrameSourceOptions& options,
                 const std::vector<std::unique_ptr<VideoSource>>& sources) {
  for (size_t i = 0; i < sources.size(); ++i) {
    const double known =
        effective_frame_rate(options.cameras[i].frame_rate, sources[i]->info().frame_rate, 0);
    if (known > 0) return known;
    if (!options.cameras[i].missing) return kUnknownFrameRate;
  }
  return kUnknownFrameRate;
}

// Number of frames that the base would have.
int64_t FileFrameSource::base_frames(int64_t frames_of_leader) const {
  if (leader_ == 0 || frames_of_leader < 0) return frames_of_leader;
  const Identity& leader = identities_[leader_];
  const double frames =
      (static_cast<double>(frames_of_leader) - leader.offset_frames) * frame_rate_ / leader.rate;
  return std::max<int64_t>(0, static_cast<int64_t>(std::ceil(frames - 0.5)));
}

Status FileFrameSource::open(FrameSourceOptions options) {
  VANTAGE_TRY(check(options));
  queue_frames_ = static_cast<size_t>(options.queue_frames);
  const auto there = std::find_if(options.cameras.begin(), options.cameras.end(),
                                  [](const FrameSourceCamera& camera) { return !camera.missing; });
  if (there == options.cameras.end())
    return fail(ErrorKind::not_found, "none of the videos was found", options.cameras[0].path,
                "Find where the videos are now (Find…, or `vantage-cli relink`).");
  leader_ = static_cast<int>(there - options.cameras.begin());
  std::vector<std::future<Result<std::unique_ptr<VideoSource>>>> opening;
  for (size_t i = 0; i < options.cameras.size(); ++i) {
    VideoOpenOptions video;
    video.hardware = options.hardware;
    video.camera = static_cast<int>(i);
    video.stop = stop_;
    opening.push_back(options.cameras[i].missing
                          ? std::async(std::launch::deferred, missing_video, options.cameras[i])
                          : std::async(std::launch::async, open_video, options.cameras[i].path, video));
  }
  std::vector<std::unique_ptr<VideoSource>> sources;
  std::optional<Error> error;
  for (auto& future : opening) {
    auto opened = future.get();
    if (opened)
      sources.push_back(std::move(*opened));
    else if (!error)
      error = std::move(opened).error();
  }
  if (error) return fail(std::move(*error));

  for (size_t i = 0; i < sources.size(); ++i) {
    const FrameSourceCamera& camera = options.cameras[i];
    if (i == 0) frame_rate_ = base_rate(options, sources);
    const double rate = effective_frame_rate(camera.frame_rate, sources[i]->info().frame_rate, frame_rate_);
    identities_.push_back({identity_of(*sources[i]), camera.offset_frames, rate, camera.changes});
    const std::string name = camera.name.empty() ? "cam" + std::to_string(i + 1) : camera.name;
    cameras_.push_back(std::make_unique<CameraReader>(
        std::move(sources[i]), name, static_cast<int>(i), camera.offset_frames,
        i == 0 ? 1.0 : rate / frame_rate_, camera.changes, static_cast<int>(i) == leader_, options.trace));
  }
  return {};
}

uint64_t FileFrameSource::version() const {
  Hasher hasher;
  for (const Identity& camera : identities_) {
    hasher.add(camera.content).add(camera.offset_frames).add(camera.rate);
    for (const OffsetChange& change : camera.changes) hasher.add(change.base_frame).add(change.frames);
  }
  return hasher.value();
}

Result<FrameSet> FileFrameSource::read(int64_t frame) {
  if (frame < 0) return fail(ErrorKind::invalid_argument, "frame numbers start at 0");
  if (frame != next_)
    for (const auto& camera : cameras_) camera->start_at(frame, queue_frames_);
  next_ = -1;
  FrameSet set;
  set.frame = frame;
  for (const auto& camera : cameras_) {
    std::optional<Entry> entry = camera->pop(frame);
    if (!entry) return fail(ErrorKind::cancelled, "reading was stopped", camera->name());
    if (entry->error) return fail(std::move(*entry->error));
    set.cameras.push_back(std::move(entry->frame));
  }
  const int64_t base_time_ns = set.cameras[0].time_ns;
  set.time_ns =
      base_time_ns >= 0 ? base_time_ns : std::llround(static_cast<double>(frame) / frame_rate_ * 1e9);
  next_ = frame + 1;
  return set;
}

std::vector<std::string> FileFrameSource::problems() const {
  std::vector<std::string> all;
  for (const auto& camera : cameras_) {
    const std::vector<std::pair<int64_t, std::string>> problems = camera->source().problems();
    for (size_t first = 0, end = 0; first < problems.size(); first = end) {
      for (end = first + 1; end < problems.size() && goes_on(problems[end - 1], problems[end]);) ++end;
      const std::string begin = std::to_string(problems[first].first);
      const std::string frames = end == first + 1
                                     ? "frame " + begin
                                     : "frames " + begin + " to " + std::to_string(problems[end - 1].first);
      all.push_back(camera->name() + ", " + frames + ": " + problems[first].second +
                    (end == first + 1 ? "" : ", and so on"));
    }
  }
  return all;
}

}  // namespace

Result<std::unique_ptr<FrameSource>> FrameSource::open(FrameSourceOptions options) {
  auto source = std::make_unique<FileFrameSource>();
  VANTAGE_TRY(source->open(std::move(options)));
  return source;
}

}  // namespace vantage
