// A listener to everything that live cameras bring, beside the analysis: a recording. Called on the cameras'
// threads while they wait, so it hands on and returns.
#pragma once

#include <cstddef>

#include "core/live/frame_assembler.h"
#include "core/video/stream_packet.h"

namespace vantage {

class LiveTap {
 public:
  virtual ~LiveTap() = default;
  // Packets of a camera in the order they come, the first ones from the last start point on; their numbers
  // rise over all its connections. Cameras that are played files have none.
  virtual void on_packet(size_t camera, const StreamPacket& packet) = 0;
  // Every set that goes out, also one that is left out or dropped later. Its cameras name their packets;
  // those have been seen before.
  virtual void on_set(const AssembledSet& set) = 0;
};

}  // namespace vantage
