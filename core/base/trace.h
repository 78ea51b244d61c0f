// Time is data. Every stage, copy and wait records one TraceSpan; the timings dock, timings.json, the Chrome
// trace and the benchmarks all read these spans. CPU spans come from the host's steady clock (SpanGuard);
// device spans come from device events and are placed on the same clock by gpu/runtime, which resolves them
// once their events are done.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace vantage {

enum class SpanKind : uint8_t { stage, kernel, copy, wait };

struct TraceSpan {
  std::string name;    // "foreground", "copy host to device", "carve_columns"
  std::string lane;    // thread or stream: "decode cam1", "cpu foreground", "cuda:0 stream 2"
  int camera = -1;     // index in the project, -1: all cameras
  int64_t frame = -1;  // base frame, -1: none
  SpanKind kind = SpanKind::stage;
  int64_t start_ns = 0;  // since trace_now_ns()'s origin
  int64_t duration_ns = 0;
  int64_t bytes = 0;  // moved by a copy, or read and written by a kernel where counted; 0: not counted
};

// Nanoseconds of the steady clock since the program's start.
int64_t trace_now_ns();

// Collects spans from any thread. Bounded: beyond `capacity` the oldest are dropped and counted.
class TraceRecorder {
 public:
  explicit TraceRecorder(size_t capacity = 1 << 20);
  void record(TraceSpan span);
  std::vector<TraceSpan> snapshot() const;
  // The spans recorded since the last take(); for live views.
  std::vector<TraceSpan> take_new();
  uint64_t dropped() const;
  void clear();

 private:
  mutable std::mutex mutex_;
  std::vector<TraceSpan> ring_;
  size_t capacity_;
  uint64_t total_ = 0;
  uint64_t taken_ = 0;
};

// Records the time from construction to destruction. A null recorder records nothing.
class SpanGuard {
 public:
  SpanGuard(TraceRecorder* recorder, std::string name, std::string lane, int64_t frame = -1, int camera = -1,
            SpanKind kind = SpanKind::stage);
  ~SpanGuard();
  SpanGuard(const SpanGuard&) = delete;
  SpanGuard& operator=(const SpanGuard&) = delete;
  void set_bytes(int64_t bytes) { span_.bytes = bytes; }

 private:
  TraceRecorder* recorder_;
  TraceSpan span_;
};

// Per kind, device and name: count, mean, p50, p95, p99 and total in milliseconds, longest total first.
struct SpanStatistics {
  std::string name;
  std::string device;  // "host", or the lane's first word where it is a device's: "cuda:0"
  SpanKind kind = SpanKind::stage;
  int64_t count = 0;
  double mean_ms = 0, p50_ms = 0, p95_ms = 0, p99_ms = 0, total_ms = 0;
  double share = 0;  // of the total over all spans of the same kind and device, 0 to 1
  int64_t bytes = 0;
};
std::vector<SpanStatistics> summarize(const std::vector<TraceSpan>& spans);

// {"schema":"vantage-timings-1", "summary":[...], "spans":[...]} and the Chrome trace-event format
// (chrome://tracing).
std::string timings_json(const std::vector<TraceSpan>& spans, uint64_t dropped);
std::string chrome_trace_json(const std::vector<TraceSpan>& spans);

// Views of the recorded spans (trace.h) for people: lanes of a timeline, latency of frames, tables as CSV,
// comparison with timings saved earlier.

// A thread or stream, of one camera or of all. Spans that lie within others of the lane lie a row lower;
// those that overlap without lying within get rows of their own.
struct TraceLane {
  std::string name;  // "foreground cam1", "cuda:0 carving", "cpu daisy, cam2"
  int rows = 1;
  struct Place {
    size_t span = 0;  // index
    int row = 0;
  };
  std::vector<Place> spans;  // by start
};
// Decoding first, then by name: the order does not change while a recording goes on. `cameras`: their names
// by index; those beyond are told by number.
std::vector<TraceLane> lanes_of(const std::vector<TraceSpan>& spans, const std::vector<std::string>& cameras);
// "cam2", or "camera 2" where the name is not known.
std::string camera_name(int camera, const std::vector<std::string>& cameras);

// Time from when decoding of the last camera's picture began to the end of the last stage.
struct FrameLatency {
  int64_t frame = -1;
  double ms = 0;
};
// Latencies of frames that were decoded and went through a stage, ascending.
std::vector<FrameLatency> frame_latencies(const std::vector<TraceSpan>& spans);

// "stage", "kernel", "copy" or "wait".
const char* kind_name(SpanKind kind);

std::string timings_csv(const std::vector<SpanStatistics>& rows);
std::string spans_csv(const std::vector<TraceSpan>& spans);

// The summary of timings_json(). Errors: bad_data, naming `where`.
Result<std::vector<SpanStatistics>> read_timings(const std::string& json, const std::string& where);
// For each row the one of the same kind, device and name in `baseline`.
std::vector<std::optional<SpanStatistics>> matching(const std::vector<SpanStatistics>& rows,
                                                    const std::vector<SpanStatistics>& baseline);

}  // namespace vantage
