// Views of the recorded spans (trace.h) for people: lanes of a timeline, latency of frames, tables as CSV,
// comparison with timings saved earlier.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/trace.h"

namespace vantage {

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
