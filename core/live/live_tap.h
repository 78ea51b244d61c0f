// A listener to everything that live cameras bring, in addition to the analysis: a recording. Called on the
// cameras' threads while they wait, so it hands on and returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/video/stream_packet.h"

namespace vantage {

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

}  // namespace vantage
