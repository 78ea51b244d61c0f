// Decides, frame by frame, which stages run on which frames and where a stage's memory restarts, and hands
// out the jobs in the order in which every stage has to see them. Sequential and threaded runs carry out the
// same jobs.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/pipeline/detail/chain.h"
#include "core/pipeline/pipeline.h"

namespace vantage::pipeline_detail {

class Planner {
 public:
  // Reads the stages' versions and memory positions now; while it plans, only its own jobs may run. `emit`
  // gets each job; its error ends the planning.
  Planner(Chain& chain, std::function<Status(Job)> emit);

  // The jobs that make the wanted stages' artifacts of a frame, that frame's own job last.
  Status plan(int64_t frame, const std::vector<bool>& wanted, const FrameEffort& effort);
  // Runs what brings the stage's memory to the state before a frame, and leaves the stage there.
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
  std::vector<MemoryPosition> positions_;  // once all jobs so far have run
  std::vector<Restart> restarts_;
  uint64_t jobs_ = 0;
};

}  // namespace vantage::pipeline_detail
