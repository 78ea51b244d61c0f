#include "core/pipeline/detail/planner.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace vantage::pipeline_detail {
namespace {

constexpr size_t kNone = SIZE_MAX;

}  // namespace

Planner::Planner(Chain& chain, std::function<Status(Job)> emit)
    : chain_(chain), emit_(std::move(emit)), restarts_(chain.stages.size()) {
  for (const ChainStage& entry : chain.stages) positions_.push_back(entry.position);
}

Status Planner::plan(int64_t frame, const std::vector<bool>& wanted, const FrameEffort& effort) {
  Job job = make_job(frame, wanted, kNone, chain_.delivered.figures_only ? Need::figures : Need::everything);
  job.deliver = true;
  // Downstream first: bringing it up to date may move the memories upstream of it.
  for (size_t i = job.slots.size(); i-- > 0;)
    if (job.slots[i].run && chain_.stages[i].has_memory)
      VANTAGE_TRY(prepare_memory(i, frame, effort, effort.allow_preview));
  return emit_job(std::move(job));
}

Status Planner::stand_before(size_t stage, int64_t frame) {
  VANTAGE_TRY(prepare_memory(stage, frame, {}, false));
  const Restart restart = std::exchange(restarts_[stage], {});
  if (!restart.pending) return {};
  ChainStage& entry = chain_.stages[stage];
  entry.position.known = false;
  if (restart.memory)
    VANTAGE_TRY(entry.stage->restore(*restart.memory));
  else
    VANTAGE_TRY(entry.stage->reset());
  entry.position = positions_[stage];
  return {};
}

// Cached artifacts are used, and those on disk where they hold what is needed; the rest runs, with whatever
// it needs. The forced stage runs for its memory's sake. `need`: of the wanted stages.
Job Planner::make_job(int64_t frame, const std::vector<bool>& wanted, size_t forced_stage, Need need) {
  Job job;
  job.frame = frame;
  job.slots.resize(chain_.stages.size());
  std::vector<Need> needed;
  for (const bool one : wanted) needed.push_back(one ? need : Need::nothing);
  for (size_t i = job.slots.size(); i-- > 0;) {
    Job::Slot& slot = job.slots[i];
    const ChainStage& entry = chain_.stages[i];
    if (i != forced_stage && (needed[i] != Need::nothing || forced_stage == kNone)) {
      slot.artifact = chain_.cache.find({frame, i, entry.version});
      if (!slot.artifact) slot.artifact = find_kept(chain_, i, frame, needed[i]);
    }
    slot.run = needed[i] != Need::nothing && !slot.artifact;
    if (slot.run)
      for (const size_t input : entry.inputs) needed[input] = std::max(needed[input], entry.input_need);
  }
  return job;
}

Status Planner::emit_job(Job job) {
  job.number = jobs_++;
  for (size_t i = 0; i < job.slots.size(); ++i) {
    Job::Slot& slot = job.slots[i];
    const ChainStage& entry = chain_.stages[i];
    if (!slot.run) continue;
    slot.inexact = entry.has_memory && !positions_[i].exact;
    for (const size_t input : entry.inputs) slot.inexact = slot.inexact || job.slots[input].inexact;
    if (!entry.has_memory) continue;
    slot.restart = restarts_[i].pending;
    slot.memory = std::move(restarts_[i].memory);
    restarts_[i] = {};
    positions_[i] = {true, job.frame, entry.version, !slot.inexact};
  }
  return emit_(std::move(job));
}

void Planner::restart_from(size_t stage, const MemoryPosition& position, StageMemoryRef memory) {
  restarts_[stage] = {true, std::move(memory)};
  positions_[stage] = position;
}

Status Planner::replay(size_t stage, int64_t first, int64_t last) {
  std::vector<bool> wanted(chain_.stages.size());
  wanted[stage] = true;
  for (int64_t frame = first; frame <= last; ++frame) {
    Job job = make_job(frame, wanted, stage, Need::everything);
    for (size_t i = stage; i-- > 0;)
      if (job.slots[i].run && chain_.stages[i].has_memory) VANTAGE_TRY(prepare_memory(i, frame, {}, false));
    VANTAGE_TRY(emit_job(std::move(job)));
  }
  return {};
}

// Brings the stage's memory to the state after frame - 1.
Status Planner::prepare_memory(size_t stage, int64_t frame, const FrameEffort& effort, bool may_preview) {
  const uint64_t version = chain_.stages[stage].version;
  const MemoryPosition& position = positions_[stage];
  if (position.is(version, frame - 1)) return {};
  if (!chain_.replays) {
    if (!position.known) restart_from(stage, {true, -1, version, true}, nullptr);
    return {};
  }
  const bool usable =
      position.known && position.exact && position.version == version && position.frame < frame;
  const std::optional<Checkpoint> checkpoint = chain_.checkpoints.last_before(stage, version, frame - 1);
  const int64_t here = usable ? position.frame : -1;
  const int64_t start = std::max(here, checkpoint ? checkpoint->frame : -1);
  if (may_preview && frame - 1 - start > effort.max_replay_frames)
    return preview_memory(stage, frame, effort);
  if (checkpoint && checkpoint->frame > here)
    restart_from(stage, {true, checkpoint->frame, version, true}, checkpoint->memory);
  else if (!usable)
    restart_from(stage, {true, -1, version, true}, nullptr);
  return replay(stage, start + 1, frame - 1);
}

// The nearest memory of any version. Where there is none yet, as many first frames as one may replay make
// one.
Status Planner::preview_memory(size_t stage, int64_t frame, const FrameEffort& effort) {
  const uint64_t version = chain_.stages[stage].version;
  const std::optional<Checkpoint> checkpoint = chain_.checkpoints.nearest(stage, version, frame - 1);
  const MemoryPosition& position = positions_[stage];
  const int64_t far = INT64_MAX;
  const int64_t to_checkpoint = checkpoint ? std::llabs(frame - 1 - checkpoint->frame) : far;
  const int64_t to_position =
      position.known && position.frame >= 0 ? std::llabs(frame - 1 - position.frame) : far;
  if (to_checkpoint == far && to_position == far) {
    restart_from(stage, {true, -1, version, true}, nullptr);
    VANTAGE_TRY(replay(stage, 0, std::min(effort.max_replay_frames, frame) - 1));
  } else if (to_checkpoint <= to_position) {
    restart_from(stage, {true, checkpoint->frame, version, false}, checkpoint->memory);
  }
  positions_[stage].exact = false;
  return {};
}

}  // namespace vantage::pipeline_detail
