// Writes live cameras to the disk while they are analysed: each stream as it comes, in segments, and which
// picture each set of the analysis showed (core/video/segments/segment_index.h). One thread writes; where the
// disk cannot keep up, packets are left out, counted, and the camera continues in a new segment. A disk that
// is full, or fuller than recording.reserve_gb allows, ends the recording; the analysis continues.
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

// How live cameras are recorded: parameters of the project, "recording.keep_h" on the command line.

struct RecordingParameters {
  double segment_s = 60;
  double keep_h = 0;
  double keep_gb = 0;  // of 10^9 bytes
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
  std::string problem;                        // why it ended by itself; empty: it did not
  int64_t bytes = 0;                          // on the disk, all cameras together
  int64_t first_frame = -1, last_frame = -1;  // that can be read; -1: none yet
  double seconds = 0;                         // from the one to the other
  int64_t lost_packets = 0;                   // the disk was too slow for them
};

class RecordingWriter : public LiveTap {
 public:
  static constexpr double kFlush_s = 0.5;  // what was flushed can be read, also after the program was killed

  // Into `folder`; `frame_rate`: sets a second; `what` is written, in the log: "The recording".
  static std::shared_ptr<RecordingWriter> make(const RecordingParameters& parameters,
                                               const std::filesystem::path& folder, double frame_rate,
                                               std::string what);
  // Before begin() and before anything comes, by camera: files and folder of that name. Errors: io.
  virtual Status add_camera(const std::string& name, const SegmentsHeader& header) = 0;
  // Starts. Everything that came before is written, however much that is.
  virtual void begin() = 0;
  // Writes what has come and ends the thread. Idempotent.
  virtual void finish() = 0;
  virtual RecordingState state() const = 0;
  virtual void set_limits(double keep_h, double keep_gb) = 0;  // in place of the parameters'; 0: none
};

}  // namespace vantage
