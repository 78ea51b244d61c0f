// Writes live cameras to the disk during their analysis: each stream as sent, in segments, and the picture in
// each set of the analysis (core/video/segments/segment_index.h). Segments are sealed with the user's key as
// they are written (core/seal/sealed_segment.h); where there is none, that is logged. One thread writes; if
// the disk is too slow, packets are dropped and counted, and the camera continues in a new segment. A full
// disk, or one fuller than recording.reserve_gb allows, ends the recording; the analysis continues.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/parameters.h"
#include "core/base/result.h"
#include "core/live/live_relay.h"
#include "core/video/segments/segment_index.h"

namespace vantage {

// Parameters of recordings of live cameras: "recording.keep_h" on the command line.

struct RecordingParameters {
  double segment_s = 60;
  double keep_h = 0;
  double keep_gb = 0;  // in 10^9 bytes
  double reserve_gb = 1;
  double before_s = 5;
  bool events = false;
  double after_s = 5;
  double past_min = 2;
  double past_gb = 2;
};
template <>
const ParameterTable& parameter_table<RecordingParameters>();

struct RecordingState {
  bool recording = false;
  std::string problem;                        // why it ended early; empty: it did not
  int64_t bytes = 0;                          // on the disk, of all cameras
  int64_t first_frame = -1, last_frame = -1;  // readable frames; -1: none yet
  double seconds = 0;                         // between these frames
  int64_t lost_packets = 0;                   // the disk was too slow for them
};

class RecordingWriter : public LiveTap {
 public:
  static constexpr double kFlush_s = 0.5;  // flushed data can be read, also after the program was killed

  // Writes into `folder`. `frame_rate`: sets/s; `what`: subject of log messages, "The recording".
  static std::shared_ptr<RecordingWriter> make(const RecordingParameters& parameters,
                                               const std::filesystem::path& folder, double frame_rate,
                                               std::string what);
  // Before begin() and the first packet, by camera: files and folder of that name. Errors: io.
  virtual Status add_camera(const std::string& name, const SegmentsHeader& header) = 0;
  // Starts writing. Everything queued before is written, however much.
  virtual void begin() = 0;
  // Writes what is queued and ends the thread. Idempotent.
  virtual void finish() = 0;
  virtual RecordingState state() const = 0;
  virtual void set_limits(double keep_h, double keep_gb) = 0;  // replace the parameters'; 0: no limit
};

}  // namespace vantage
