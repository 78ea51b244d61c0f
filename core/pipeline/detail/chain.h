// The stages of a pipeline with their versions, and one frame's path through them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/trace.h"
#include "core/pipeline/detail/checkpoints.h"
#include "core/pipeline/detail/kept_artifacts.h"
#include "core/pipeline/frame_result.h"
#include "core/pipeline/kept_frames.h"
#include "core/pipeline/pipeline.h"
#include "core/pipeline/stage.h"

namespace vantage::pipeline_detail {

// State of a stage's memory: that after `frame`, -1 for the state before frame 0.
struct MemoryPosition {
  bool known = false;  // false: nothing has run yet, or it failed
  int64_t frame = -1;
  uint64_t version = 0;
  bool exact = false;  // false: from a preview, not the memory of a run from frame 0
  bool is(uint64_t wanted_version, int64_t wanted_frame) const {
    return known && exact && version == wanted_version && frame == wanted_frame;
  }
};

struct ChainStage {
  std::unique_ptr<Stage> stage;
  std::string name;
  std::vector<size_t> inputs;  // indices of earlier stages
  bool has_memory = false;
  uint64_t version = 0;
  Need input_need = Need::everything;  // need of all its inputs
  MemoryPosition position;
};

// One frame's pass through the stages: a requested frame, or one that only updates a stage's memory.
struct Job {
  struct Slot {
    ArtifactRef artifact;
    bool run = false;
    bool inexact = false;   // computed with or from a preview's memory: never kept
    bool restart = false;   // before it runs, the stage resets or restores `memory`
    StageMemoryRef memory;  // null: reset
  };
  int64_t frame = -1;
  uint64_t number = 0;   // in order of planning
  bool deliver = false;  // false: only for some stage's memory
  std::vector<Slot> slots;
  std::optional<Error> error;  // error of the stage that failed; later stages skip the job
};

struct Chain {
  std::vector<ChainStage> stages;
  ArtifactCache cache;
  CheckpointStore checkpoints;
  int64_t checkpoint_interval_frames = 25;
  bool replays = true;  // false: UnseenFrames::go_on
  TraceRecorder* trace = nullptr;
  std::shared_ptr<KeptFrames> kept;  // null: nothing is kept on disk
  KeptReader kept_reader;            // used by the planning thread
  Delivered delivered;               // set by the present analyse()

  Chain(size_t cache_bytes, size_t checkpoint_bytes) : cache(cache_bytes), checkpoints(checkpoint_bytes) {}
  void update_versions();
};

// The kept artifact of a stage from disk; null where nothing is kept, or less than needed.
ArtifactRef find_kept(Chain& chain, size_t stage, int64_t frame, Need need);

// Runs the stage on the job if the job requests it. At most Stage::workers() threads at a time run one stage.
void run_stage(Chain& chain, size_t stage, Job& job, const std::string& lane);

// Waits for transfers from a device and collects the artifacts.
Result<FrameResultRef> finish_job(Chain& chain, const Job& job, const std::string& lane);

// Decides, frame by frame, which stages run and where a stage's memory restarts, and emits the jobs in the
// order in which every stage must process them. Sequential and threaded runs execute the same jobs.

class Planner {
 public:
  // Reads the stages' versions and memory positions; while it plans, only its own jobs may run. `emit` gets
  // each job; its error ends the planning.
  Planner(Chain& chain, std::function<Status(Job)> emit);

  // The jobs that make the wanted stages' artifacts of a frame, that frame's own job last.
  Status plan(int64_t frame, const std::vector<bool>& wanted, const FrameEffort& effort);
  // Brings the stage's memory to the state before a frame, without running it on the frame.
  Status stand_before(size_t stage, int64_t frame);

 private:
  Job make_job(int64_t frame, const std::vector<bool>& wanted, size_t forced_stage, Need need);
  Status replay(size_t stage, int64_t first, int64_t last);
  Status prepare_memory(size_t stage, int64_t frame, const FrameEffort& effort, bool may_preview);
  Status preview_memory(size_t stage, int64_t frame, const FrameEffort& effort);
  Status emit_job(Job job);

  // Attached to the next job that runs the stage.
  struct Restart {
    bool pending = false;
    StageMemoryRef memory;
  };
  void restart_from(size_t stage, const MemoryPosition& position, StageMemoryRef memory);

  Chain& chain_;
  const std::function<Status(Job)> emit_;
  std::vector<MemoryPosition> positions_;  // after all jobs so far
  std::vector<Restart> restarts_;
  uint64_t jobs_ = 0;
};

}  // namespace vantage::pipeline_detail
