// Hands everything that live cameras bring to several listeners, and keeps what came in the last seconds: who
// begins to listen gets that first, so that a recording holds what led up to it. Compressed packets are kept,
// in memory, as the cameras sent them.
//
// Kept of each camera is what came since its last start point before those seconds; of cameras whose groups
// of pictures are long that is more. Beyond kMaxBytes the oldest go nevertheless.
//
// Thread-safe. Time is that of the packets' arrival.
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

// A listener to everything that live cameras bring, in addition to the analysis: a recording. Called on the
// cameras' threads while they wait, so it hands on and returns.

// A frame set without its pictures, which would fill the memory of a listener that keeps it.
struct TappedSet {
  static constexpr int64_t kNoPicture = -1;
  static constexpr int64_t kNoPacket = -2;  // a picture that was not decoded from a packet

  int64_t frame = -1;
  std::vector<int64_t> packets;  // by camera: the number of its picture's packet, or one of the two
};

class LiveTap {
 public:
  virtual ~LiveTap() = default;
  // Packets of a camera in the order they come, the first ones from a start point on; their numbers rise over
  // all its connections.
  virtual void on_packet(size_t camera, const StreamPacket& packet) = 0;
  // Every set that goes out, also one that is left out or dropped later. The packets that it names have been
  // seen before.
  virtual void on_set(const TappedSet& set) = 0;
};

TappedSet tapped(const AssembledSet& set);

class LiveRelay final : public LiveTap {
 public:
  static constexpr int64_t kMaxBytes = 256 << 20;
  static constexpr int64_t kNewest = INT64_MAX;  // of the sets

  explicit LiveRelay(size_t cameras, int64_t max_bytes = kMaxBytes)
      : max_bytes_(max_bytes), cameras_(cameras) {}

  // How many seconds are kept from now on.
  void keep(double seconds);
  // `tap` is called until remove(). It first gets what is kept and belongs to that set and those behind it,
  // each camera from a start point on; kNewest: from the last start points on. Gives the first set that it
  // got; -1: none yet.
  int64_t add(std::shared_ptr<LiveTap> tap, int64_t first_set);
  // On return it is called no more.
  void remove(const LiveTap& tap);
  bool needed() const;  // anyone listens, or something is to be kept
  void forget();        // what was kept

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
    int64_t arrival_ns = 0, number = 0, place = 0;  // place: among all that ever came
  };
  struct Camera {
    std::deque<Start> starts;  // that are kept
    int64_t arrival_ns = 0;    // of its last packet
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
  int64_t front_place_ = 0;  // of entries_.front()
  int64_t bytes_ = 0, newest_ns_ = 0;
};

}  // namespace vantage
