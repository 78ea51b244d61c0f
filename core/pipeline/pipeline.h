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

// The treatment of frames that a stage with memory has not seen. `replay`: they are run for its memory
// first. `go_on`: they never come (live cameras), and it continues from what it remembers, also with other
// parameters.
enum class UnseenFrames { replay, go_on };

struct PipelineOptions {
  size_t cache_bytes = size_t{2} << 30;       // artifacts kept, least recently used go first
  size_t checkpoint_bytes = size_t{1} << 30;  // stage memories kept; thinned, never the first of a version
  int64_t checkpoint_interval_frames = 25;
  size_t queue_frames = 4;                 // between two stages of a threaded run
  size_t queue_bytes = size_t{512} << 20;  // likewise; one frame always fits
  UnseenFrames unseen = UnseenFrames::replay;
  TraceRecorder* trace = nullptr;
  std::shared_ptr<KeptFrames> kept = nullptr;  // of stages in host memory; null: nothing is kept on disk
};

// The parts of results that the sink of analyse() reads. With `figures_only` stages whose figures are kept on
// disk do not run: pictures, masks, indicators and voxels may then be empty or blank. Lines of results are
// complete, and every so many frames (0: never) the volume's shell and the floor map, too.
struct Delivered {
  bool figures_only = false;
  int64_t shells = 0, floor_maps = 0;
};

// exact: replays stages with memory from their nearest checkpoint, however far. preview: when that is more
// than max_replay_frames away, uses the nearest memory of any version and marks the result.
struct FrameEffort {
  bool allow_preview = false;
  int64_t max_replay_frames = 25;
  // Only this stage and what it needs run; the others contribute what is cached. Empty: all stages run.
  std::string_view last_stage = {};
};

// The versions of the video stage for this source, on the CPU and on a device: results that state one of them
// are of these pictures.
std::array<uint64_t, 2> picture_versions(const FrameSource& source);

// One call at a time; a sink may ask for version().
class Pipeline {
 public:
  // Stages in topological order; inputs() must name earlier ones.
  static Result<std::unique_ptr<Pipeline>> make(std::vector<std::unique_ptr<Stage>> stages,
                                                PipelineOptions options);
  ~Pipeline();

  // New parameters. Unaffected stages keep their versions and their cached artifacts.
  Status configure(const ParameterStore& parameters);
  uint64_t version(std::string_view stage) const;
  std::map<std::string, uint64_t, std::less<>> versions() const;  // by stage
  // Declares that the stages' input has changed from this frame on, and with it their versions; kept
  // artifacts of earlier frames are valid under the new ones, too.
  void keep_before(int64_t first_changed);

  // New bounds of kept data (PipelineOptions); the excess is dropped at once. From any thread.
  void set_limits(size_t cache_bytes, size_t checkpoint_bytes);

  // The stages' memories after `frame`, the last that was analysed, as bytes for another process: with
  // read_memory() a chain of the same versions continues there as if it had seen all frames before. Errors:
  // invalid_argument where a stage is at another frame, those of Stage::write_memory().
  Result<std::string> write_memory(int64_t frame) const;
  // Errors: bad_data where the bytes are damaged or of another format; invalid_argument where they are of
  // another frame, or of a chain of other versions, naming the stage.
  Status read_memory(std::string_view bytes, int64_t frame);

  // One frame through all stages. Cached artifacts of the present versions are used.
  Result<FrameResultRef> frame(int64_t frame, const FrameEffort& effort, const StopSource& stop);

  // Number of frames that an exact frame() has to replay before it, 0 when its artifacts or memories are
  // available.
  int64_t replay_frames(int64_t frame);

  // A stage with memory in its exact state before a frame, to explain its result for the frame: it is
  // replayed as far as needed, and changes with the next call. Errors: no such stage, or one without memory
  // (invalid_argument); unsupported where frames cannot be replayed (UnseenFrames::go_on); cancelled; the
  // stages'.
  Result<const Stage*> stage_before(int64_t frame, std::string_view stage, const StopSource& stop);

  // Every frame of the range in order. `sink` gets each result on the calling thread, in order, also while a
  // threaded run computes later frames; false from it stops. Ends without error at the video's end; a stop
  // request ends with ErrorKind::cancelled after the frames in flight.
  Status analyse(FrameRange range, ExecutionMode mode, const std::function<bool(FrameResultRef)>& sink,
                 const StopSource& stop, const Delivered& delivered = {});

 private:
  class Impl;
  explicit Pipeline(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace vantage
