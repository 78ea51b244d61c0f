// The numbering of a file's frames and the points where decoding can start, found behind the playback by a
// thread with a file handle of its own.
//
// Timed: the container gives every frame its presentation time and every packet holds one frame. The packets
// are scanned without decoding; frame i is the packet with the i-th smallest time, decodable or not, counted
// from the first frame that can be decoded. Counted: otherwise (AVI with packed B-frames, field-coded H.264,
// elementary streams) the file is decoded once; frame i is the i-th that comes out, and its hash is kept, so
// that a frame reached by a jump can be verified. An index that turns out to be wrong is rejected and built
// again by counting.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/video/detail/packet_inspector.h"
#include "core/video/detail/packet_reader.h"

namespace vantage {

// The hash of a frame that is not there.
constexpr uint64_t kNoFrameHash = 0;

// Places decoded frames of a timed file by their numbers. A hole or a step back is the file's damage where
// the decoder complained; otherwise it contradicts the index.
class FrameOrder {
 public:
  explicit FrameOrder(int64_t next = 0) : next_(next) {}
  enum class Place { in_order, out_of_order, contradiction };
  Place place(std::optional<int64_t> number, bool damage_seen) {
    if (!number || *number < next_) return damage_seen ? Place::out_of_order : Place::contradiction;
    if (*number > next_ && !damage_seen) return Place::contradiction;
    next_ = *number + 1;
    return Place::in_order;
  }
  int64_t next() const { return next_; }  // the number the next frame should have

 private:
  int64_t next_;
};

class SeekIndex {
 public:
  // Decoding from `packet` gives `frame` and every later frame.
  struct Start {
    PacketIdentity packet;
    int64_t frame = 0;
  };

  // first_pts: the presentation time of frame 0; kNoTime: the frames must be counted. `stop` ends every wait.
  SeekIndex(std::string path, int64_t first_pts, const StopSource& stop);
  ~SeekIndex();
  SeekIndex(const SeekIndex&) = delete;
  SeekIndex& operator=(const SeekIndex&) = delete;

  bool counted() const;
  bool complete() const;
  int64_t frame_count() const;  // so far
  // The fault of the file as a whole (it ends early), at the frame where it shows; known once complete.
  std::optional<std::pair<int64_t, std::string>> file_problem() const;

  // Waits until frame `frame` is in the index or the index is complete. False: there is no such frame.
  Result<bool> wait_for_frame(int64_t frame) const;
  Result<int64_t> wait_until_complete(const StopSource& stop) const;

  // Timed. The number of the frame with that presentation time, waiting until it is settled; nothing: there
  // is none, or the index is no longer timed.
  Result<std::optional<int64_t>> frame_at(int64_t pts) const;
  int64_t pts_of(int64_t frame) const;  // kNoTime when counted
  // Times of all frames, once complete; empty when counted.
  Result<std::vector<int64_t>> times() const;
  // Counted. The frame that came from a packet, and its hash; the index must already cover it.
  std::optional<int64_t> frame_from_packet(int64_t packet) const;
  std::optional<uint64_t> hash_of(int64_t frame) const;

  // The `back`-th last position before or at `frame` where decoding can start; nothing: only the file's
  // beginning is left.
  std::optional<Start> start_before(int64_t frame, int back) const;

  // Timed: the file is damaged; find what play gives for every frame.
  void verify();
  // Does play give a frame with this hash (kNoFrameHash: none)? Where that is not known yet: waits for it, or
  // assumes so.
  Result<bool> agrees(int64_t frame, uint64_t hash, bool wait_for_it) const;

  // The timed index contradicts what was decoded: count instead.
  void reject();

 private:
  struct TimedStart {
    PacketIdentity packet;
    int64_t pts;
  };
  bool wait(std::unique_lock<std::mutex>& lock, const StopSource* also, auto&& ready) const;
  int64_t settled_frames() const;
  Status failure() const;
  void run();
  Status scan();
  bool add_packet(const AVPacket& packet, const PacketTraits& traits, int64_t number);
  Status count();
  Status check();
  void add_checked(int64_t number, uint64_t hash);
  void add_counted(const AVFrame& frame);
  void finish(const PacketReader& reader);
  bool interrupted() const;

  const std::string path_;
  const int64_t first_pts_;
  const StopSource stop_;
  StopSource closing_;   // this object goes
  StopSource scanning_;  // ends the scan in progress

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool counted_ = false;
  bool complete_ = false;
  std::optional<Error> error_;
  std::optional<std::pair<int64_t, std::string>> file_problem_;
  // Timed.
  std::vector<int64_t> times_;  // sorted
  std::vector<TimedStart> timed_starts_;
  int64_t last_dts_ = kNoTime;
  bool verify_ = false, verified_ = false;
  // Counted.
  std::vector<uint64_t> hashes_;          // by frame
  std::vector<int64_t> frame_of_packet_;  // -1: none
  std::vector<Start> counted_starts_;
  std::unordered_map<int64_t, PacketIdentity> start_candidates_;
  bool packets_known_ = true;  // the decoder tells which packet a frame came from

  std::thread thread_;
};

}  // namespace vantage
