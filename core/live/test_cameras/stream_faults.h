// Faults of a test camera, drawn from a seed.
#pragma once

#include <cstdint>
#include <mutex>
#include <random>

namespace vantage {

struct StreamFaults {
  double jitter_ms = 0;     // mean of an exponential delay of each picture; pictures stay in order
  double loss = 0;          // share of RTP packets that never leave, 0 to 1
  double cuts_every_s = 0;  // mean time between two interruptions of a camera; 0: none
  double cut_s = 2;         // mean length of one; between half and one and a half of it
  uint64_t seed = 1;
};

enum class StreamEvent : uint8_t { none, cut, stall };  // connection gone; connected, but nothing comes

// One camera's interruptions and delays along the scene's clock. Asked with rising times only.
class FaultSchedule {
 public:
  FaultSchedule(const StreamFaults& faults, size_t camera);
  // The fault at that instant.
  StreamEvent at(int64_t scene_ns);
  int64_t jitter_ns();
  int64_t cuts() const { return cuts_; }
  int64_t stalls() const { return stalls_; }

 private:
  void plan_next(int64_t after_ns);

  const StreamFaults faults_;
  std::mt19937_64 events_, delays_;
  StreamEvent kind_ = StreamEvent::none;
  int64_t begin_ns_ = INT64_MAX, end_ns_ = INT64_MAX;
  bool inside_ = false;
  int64_t cuts_ = 0, stalls_ = 0;
};

// One camera's packets that never leave. Asked on GStreamer's threads, of which two may send for one camera
// while a viewer comes and another goes.
class PacketLoss {
 public:
  PacketLoss(const StreamFaults& faults, size_t camera);
  bool next();

 private:
  const double share_;
  std::mutex mutex_;  // of what follows
  std::mt19937_64 losses_;
};

}  // namespace vantage
