// Passes everything from live cameras to several listeners, and keeps the last seconds, which a new listener
// gets first, so that a recording has what led up to it. Compressed packets are kept in memory, as sent.
//
// The packets kept of each camera begin at its last start point before these seconds, which is more for long
// groups of pictures. Beyond kMaxBytes the oldest are dropped. Thread-safe. Times are those of the packets'
// arrival.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "core/live/frame_assembler.h"
#include "core/video/stream_packet.h"

namespace vantage {

// A listener to everything from live cameras, in addition to the analysis: a recording. Called on the
// cameras' threads, so it must not block.

// A frame set without its pictures, which would fill the memory of a listener that keeps it.
struct TappedSet {
  static constexpr int64_t kNoPicture = -1;
  static constexpr int64_t kNoPacket = -2;  // a picture that was not decoded from a packet

  int64_t frame = -1;
  std::vector<int64_t> packets;  // one per camera: the number of its picture's packet, or one of these two
};

class LiveTap {
 public:
  virtual ~LiveTap() = default;
  // Packets of a camera in order of arrival, beginning with a start point; their numbers ascend over all its
  // connections.
  virtual void on_packet(size_t camera, const StreamPacket& packet) = 0;
  // Called with every released set, also one skipped or dropped later. Its packets have been passed on
  // before.
  virtual void on_set(const TappedSet& set) = 0;
};

TappedSet tapped(const AssembledSet& set);

class LiveRelay final : public LiveTap {
 public:
  static constexpr int64_t kMaxBytes = 256 << 20;
  static constexpr int64_t kNewest = INT64_MAX;  // asks for the newest set

  explicit LiveRelay(size_t cameras, int64_t max_bytes = kMaxBytes)
      : max_bytes_(max_bytes), cameras_(cameras) {}

  // Duration kept from now on.
  void keep(double seconds);
  // Calls `tap` until remove(). It first gets the kept packets of that set and later ones, each camera from a
  // start point on; kNewest: from the last start points on. Returns the first set that it gets; -1: none yet.
  int64_t add(std::shared_ptr<LiveTap> tap, int64_t first_set);
  // `tap` is not called after return.
  void remove(const LiveTap& tap);
  bool needed() const;  // there is a listener, or something is to be kept
  void forget();        // drops everything kept

  void on_packet(size_t camera, const StreamPacket& packet) override;
  void on_set(const TappedSet& set) override;

 private:
  struct CameraPacket {
    size_t camera = 0;
    StreamPacket packet;
  };
  struct Entry {
    std::variant<CameraPacket, TappedSet> brought;
    int64_t arrival_ns = 0;
  };
  struct Start {
    int64_t arrival_ns = 0, number = 0, place = 0;  // place: among all packets so far
  };
  struct Camera {
    std::deque<Start> starts;  // kept ones
    int64_t arrival_ns = 0;    // arrival of its last packet
  };

  void keep_entry(Entry entry);
  void trim();
  bool is_needed(const Entry& front, int64_t since_ns) const;
  void drop_front();
  std::vector<int64_t> first_packets(int64_t first_set) const;

  const int64_t max_bytes_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<LiveTap>> taps_;
  int64_t keep_ns_ = 0;
  std::vector<Camera> cameras_;
  std::deque<Entry> entries_;
  int64_t front_place_ = 0;  // place of entries_.front()
  int64_t bytes_ = 0, newest_ns_ = 0;
};

}  // namespace vantage
