// FFmpeg's demuxer of a file or of a live stream, of which it reads the one video stream. Reading and closing
// a live one never takes longer than its limits.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/video/av_handles.h"
#include "core/video/detail/packet_reader.h"
#include "core/video/live/live_address.h"

struct AVInputFormat;
struct AVStream;

namespace vantage {

// The end of waiting inside FFmpeg: a stop request, or an instant on trace_now_ns()'s clock.
struct ReadLimit {
  StopSource stop;
  std::atomic<int64_t> deadline_ns{INT64_MAX};
  bool passed() const;
};

// A stream's tag in segments: the nine numbers of its display matrix.
inline constexpr const char* kDisplayMatrixTag = "DISPLAY_MATRIX";

class Demuxer {
 public:
  // Errors: not_found, io, bad_data (not a video, damaged beyond opening), each with what to do.
  static Result<std::unique_ptr<Demuxer>> open_file(const std::string& path, const StopSource& stop);
  // Every protocol but RTSP. Errors: as LiveReceiver::open().
  static Result<std::unique_ptr<Demuxer>> open_live(const LiveAddress& address, const StopSource& stop);

  // The next packet of the video stream. False at the end; end_problem() then states whether it broke off.
  Result<bool> read(AVPacket& packet);
  const std::string& end_problem() const { return end_problem_; }
  // Reads on from there; false when the container cannot. `how`: FFmpeg's AVSEEK_FLAG_…
  bool seek(int64_t target, int how);

  const AVStream& stream() const;
  const StopSource& stop() const { return limit_->stop; }
  double frame_rate() const;  // 0: not stated
  // Start of the file's time, in the stream's ticks; kNoTime: it states none.
  int64_t start_time() const;
  // The decoding times of all packets as the container's index has them, in ticks; empty: its index is not
  // complete.
  std::vector<int64_t> indexed_times() const;
  std::optional<DisplayMatrix> display_matrix() const;
  bool can_seek_by_bytes() const;

 private:
  Demuxer() = default;
  Result<AVFormatContext*> prepare(std::string shown, const StopSource& stop);
  int open_stream(const LiveAddress& address, AVFormatContext* format);
  Status select_stream();

  std::string shown_;                 // without credentials
  std::unique_ptr<ReadLimit> limit_;  // FFmpeg's I/O keeps its address
  double silence_limit_s_ = 0;        // of a live stream
  av::Owned<AVFormatContext> format_;
  int stream_ = -1;
  std::string end_problem_;
};

}  // namespace vantage
