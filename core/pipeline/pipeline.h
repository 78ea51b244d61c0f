// Runs stages over frames: on demand for one frame, or over a range, sequentially or with threads for each
// stage and bounded queues between them. Both give identical results.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads.h"
#include "core/base/trace.h"
#include "core/pipeline/frame_result.h"
#include "core/pipeline/stage.h"

namespace vantage {

class FrameSource;

class KeptFrames;  // core/pipeline/kept_frames.h

enum class ExecutionMode { sequential, threaded };

struct FrameRange {
  int64_t begin = 0;
  int64_t end = 0;  // excluded
};

// Treatment of frames that a stage with memory has not processed. `replay`: they are run for its memory
// first. `go_on`: they never come (live cameras), and the stage continues from its memory, also under other
// parameters.
enum class UnseenFrames { replay, go_on };

struct PipelineOptions {
  size_t cache_bytes = size_t{2} << 30;       // kept artifacts, least recently used dropped first
  size_t checkpoint_bytes = size_t{1} << 30;  // kept stage memories; thinned, never the first of a version
  int64_t checkpoint_interval_frames = 25;
  size_t queue_frames = 4;                 // between two stages of a threaded run
  size_t queue_bytes = size_t{512} << 20;  // likewise; one frame always fits
  UnseenFrames unseen = UnseenFrames::replay;
  TraceRecorder* trace = nullptr;
  std::shared_ptr<KeptFrames> kept =
      nullptr;  // artifacts of stages in host memory; null: nothing is kept on disk
};

// The parts of results that the sink of analyse() reads. With `figures_only` stages whose figures are on disk
// do not run: pictures, masks, indicators and voxels may be empty or blank. Lines of results are complete,
// and at stated intervals (0: never) the volume's shell and the floor map, too.
struct Delivered {
  bool figures_only = false;
  int64_t shells = 0, floor_maps = 0;
};

// exact: replays stages with memory from their nearest checkpoint, however far. preview: beyond
// max_replay_frames, uses the nearest memory of any version and marks the result.
struct FrameEffort {
  bool allow_preview = false;
  int64_t max_replay_frames = 25;
  // Runs only this stage and its inputs; the others contribute cached artifacts. Empty: runs all stages.
  std::string_view last_stage = {};
};

// Versions of the video stage for this source, on the CPU and on a device: results with one of them have
// these pictures.
std::array<uint64_t, 2> picture_versions(const FrameSource& source);

// Not thread-safe; a sink may call version().
class Pipeline {
 public:
  // Stages in topological order; inputs() must name earlier ones.
  static Result<std::unique_ptr<Pipeline>> make(std::vector<std::unique_ptr<Stage>> stages,
                                                PipelineOptions options);
  ~Pipeline();

  // Sets new parameters. Unaffected stages keep their versions and cached artifacts.
  Status configure(const ParameterStore& parameters);
  uint64_t version(std::string_view stage) const;
  std::map<std::string, uint64_t, std::less<>> versions() const;  // keyed by stage
  // Declares that the stages' input changes from this frame on, and with it their versions; kept artifacts of
  // earlier frames stay valid under the new ones.
  void keep_before(int64_t first_changed);

  // Sets new bounds of kept data (PipelineOptions) and drops the excess. Thread-safe.
  void set_limits(size_t cache_bytes, size_t checkpoint_bytes);

  // The stages' memories after `frame`, the last one analysed, as bytes for another process: a chain of the
  // same versions continues from them by read_memory() as if it had processed all frames before. Errors:
  // invalid_argument where a stage is at another frame, those of Stage::write_memory().
  Result<std::string> write_memory(int64_t frame) const;
  // Errors: bad_data where the bytes are damaged or of another format; invalid_argument where they belong to
  // another frame, or to a chain of other versions, with the stage's name.
  Status read_memory(std::string_view bytes, int64_t frame);

  // One frame through all stages. Uses cached artifacts of the present versions.
  Result<FrameResultRef> frame(int64_t frame, const FrameEffort& effort, const StopSource& stop);

  // Number of frames that an exact frame() has to replay before it, 0 when its artifacts or memories are
  // available.
  int64_t replay_frames(int64_t frame);

  // A stage with memory in its exact state before a frame, to explain its result for the frame; replayed as
  // far as needed, valid until the next call. Errors: invalid_argument for an unknown stage or one without
  // memory; unsupported where frames cannot be replayed (UnseenFrames::go_on); cancelled; the stages'.
  Result<const Stage*> stage_before(int64_t frame, std::string_view stage, const StopSource& stop);

  // Analyses every frame of the range in order. `sink` gets each result on the calling thread, in order, also
  // while a threaded run computes later frames; it stops the run by returning false. Ends without error at
  // the video's end; a stop request ends with ErrorKind::cancelled after the frames in flight.
  Status analyse(FrameRange range, ExecutionMode mode, const std::function<bool(FrameResultRef)>& sink,
                 const StopSource& stop, const Delivered& delivered = {});

 private:
  class Impl;
  explicit Pipeline(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace vantage
