// The stages of a pipeline with their versions, and one frame's way through them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/trace.h"
#include "core/pipeline/detail/artifact_cache.h"
#include "core/pipeline/detail/checkpoints.h"
#include "core/pipeline/detail/kept_artifacts.h"
#include "core/pipeline/frame_result.h"
#include "core/pipeline/kept_frames.h"
#include "core/pipeline/pipeline.h"
#include "core/pipeline/stage.h"

namespace vantage::pipeline_detail {

// The state of a stage's memory: that after `frame`, -1 being the state before frame 0.
struct MemoryPosition {
  bool known = false;  // false: nothing has run yet, or it failed
  int64_t frame = -1;
  uint64_t version = 0;
  bool exact = false;  // false: of a preview, not what a run from frame 0 would remember
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
  Need input_need = Need::everything;  // of all its inputs
  MemoryPosition position;
};

// One frame's pass through the stages: a frame asked for, or one that only brings a stage's memory up to
// date.
struct Job {
  struct Slot {
    ArtifactRef artifact;
    bool run = false;
    bool inexact = false;   // computed with or from a preview's memory: never kept
    bool restart = false;   // before it runs, the stage forgets or restores `memory`
    StageMemoryRef memory;  // null: forget
  };
  int64_t frame = -1;
  uint64_t number = 0;   // in the order of planning
  bool deliver = false;  // false: for some stage's memory only
  std::vector<Slot> slots;
  std::optional<Error> error;  // of the stage that failed; later stages leave the job alone
};

struct Chain {
  std::vector<ChainStage> stages;
  ArtifactCache cache;
  CheckpointStore checkpoints;
  int64_t checkpoint_interval_frames = 25;
  bool replays = true;  // false: UnseenFrames::go_on
  TraceRecorder* trace = nullptr;
  std::shared_ptr<KeptFrames> kept;  // null: nothing is kept on disk
  KeptReader kept_reader;            // the planning thread's
  Delivered delivered;               // of the present analyse()

  Chain(size_t cache_bytes, size_t checkpoint_bytes) : cache(cache_bytes), checkpoints(checkpoint_bytes) {}
  void update_versions();
};

// What is kept on disk of a stage's artifact; null where that is nothing, or less than is needed.
ArtifactRef find_kept(Chain& chain, size_t stage, int64_t frame, Need need);

// Runs the stage on the job where the job says so. Only one thread at a time may run the same stage.
void run_stage(Chain& chain, size_t stage, Job& job, const std::string& lane);

// Waits for what is on its way from a device and bundles the artifacts.
Result<FrameResultRef> finish_job(Chain& chain, const Job& job, const std::string& lane);

}  // namespace vantage::pipeline_detail
