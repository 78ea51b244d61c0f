// A stretch of a live stream as one Matroska file: the packets as they came, not encoded again. The file can
// be read up to the last flush() while it grows and after the program was killed; finish() adds what players
// seek by.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/video/stream_packet.h"

namespace vantage {

class SegmentWriter {
 public:
  virtual ~SegmentWriter() = default;  // without finish(): the file stays as it was at the last flush()
  // For a stream of packets like the first; how its pictures are shown (AV_PKT_DATA_DISPLAYMATRIX) becomes a
  // tag, which Demuxer reads. Errors: io (the disk is full, no permission), unsupported (a codec that
  // Matroska does not hold).
  static Result<std::unique_ptr<SegmentWriter>> open(const std::filesystem::path& path,
                                                     const StreamPacket& first);
  // Packets in the order they came. time_ms: when it is shown, from the segment's start; not negative, no two
  // the same.
  virtual Status write(const StreamPacket& packet, int64_t time_ms) = 0;
  virtual Status flush() = 0;
  virtual Status finish() = 0;
  virtual int64_t bytes() const = 0;  // written so far
};

}  // namespace vantage
