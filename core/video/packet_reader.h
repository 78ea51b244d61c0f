// The compressed packets of one file's video stream in the order they lie in the file, each with its number.
// Used by the playing source and, with a file handle of its own, by the seek index. Likewise the packets of a
// live stream in the order they come; reading and closing one never takes longer than its limits.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/base/stop_token.h"
#include "core/video/av_handles.h"
#include "core/video/live_address.h"

struct AVCodecParameters;
struct AVStream;

namespace vantage {

constexpr int64_t kNoTime = INT64_MIN;  // FFmpeg's AV_NOPTS_VALUE

// Enough of a packet to find it again after a jump, by its content.
struct PacketIdentity {
  int64_t number = -1;  // in file order from 0
  int64_t pts = kNoTime, dts = kNoTime;
  int64_t position = -1;  // byte offset in the file, -1: unknown
  int size_bytes = 0;
  uint64_t content = 0;  // hash of the bytes
};

// What ends waiting inside FFmpeg: a stop request, or a moment on trace_now_ns()'s clock.
struct ReadLimit {
  StopSource stop;
  std::atomic<int64_t> deadline_ns{INT64_MAX};
  bool passed() const;
};

class PacketReader {
 public:
  // Errors: not_found, io, bad_data (not a video, damaged beyond opening), each with what to do.
  static Result<std::unique_ptr<PacketReader>> open(const std::string& path, const StopSource& stop);

  // A live stream, see live_address.h. Errors: not_found (no such path), io (refused, not reachable, wrong
  // password, nothing received for silence_limit_s), bad_data, unsupported; none of them holds credentials.
  static Result<std::unique_ptr<PacketReader>> open_live(const LiveAddress& address, const StopSource& stop);

  // The next packet of the stream into `packet`. False at the end; end_problem() then says whether the file
  // broke off.
  Result<bool> next(AVPacket& packet);
  int64_t next_number() const { return next_number_; }
  const std::string& end_problem() const { return end_problem_; }

  // The next next() gives the packet `target` again. False when it could not be found: the reader is then
  // spoilt and must be opened anew.
  bool jump_to(const PacketIdentity& target);

  // The same for the packet that is shown at that time, in ticks of the stream.
  bool jump_to_time(int64_t pts);

  const AVStream& stream() const;
  const AVCodecParameters& parameters() const;
  double frame_rate() const;             // 0: not stated
  int64_t stated_packets() const;        // as the container's index says; 0: it does not
  int64_t time_ns(int64_t ticks) const;  // a duration in the stream's time base
  // Of a live stream: what its sender's clock showed at time 0 of the stream, as the first sender report
  // told, nanoseconds since 1970; kNoTime: no report yet.
  int64_t zero_utc_ns() const;

 private:
  PacketReader() = default;
  Result<bool> read_raw(AVPacket& packet);
  bool find_from_here(const PacketIdentity& target);
  bool find_time_from_here(int64_t pts);
  bool begin_again();

  Status select_stream();

  std::string path_;                  // shown: without credentials
  std::unique_ptr<ReadLimit> limit_;  // FFmpeg's I/O keeps its address
  double silence_limit_s_ = 0;        // of a live stream
  av::Owned<AVFormatContext> format_;
  int stream_ = -1;
  int64_t next_number_ = 0;
  av::Owned<AVPacket> held_;  // found by jump_to(), given by the next next()
  bool holding_ = false;
  std::string end_problem_;
};

PacketIdentity identify(const AVPacket& packet, int64_t number);

}  // namespace vantage
