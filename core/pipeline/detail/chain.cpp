#include "core/pipeline/detail/chain.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include "core/base/hash.h"

namespace vantage::pipeline_detail {
namespace {

// No exception of a library may leave a stage's thread.
template <typename T, typename Function>
Result<T> guarded(const std::string& stage, const Function& function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::out_of_memory, "out of memory", stage,
                "Close other programs, or use fewer cameras or smaller pictures.");
  } catch (const std::exception& error) {
    return fail(ErrorKind::bad_data, error.what(), stage);
  }
}

Result<ArtifactRef> process(ChainStage& entry, Job& job, const Chain& chain) {
  Job::Slot& slot = job.slots[&entry - chain.stages.data()];
  if (slot.restart) {
    if (slot.memory)
      VANTAGE_TRY(entry.stage->restore(*slot.memory));
    else
      VANTAGE_TRY(entry.stage->reset());
  }
  FrameArtifacts inputs;
  for (const size_t input : entry.inputs) chain.stages[input].stage->put(job.slots[input].artifact, &inputs);
  return entry.stage->run(job.frame, inputs);
}

Status save_checkpoint(Chain& chain, size_t index, int64_t frame) {
  const ChainStage& entry = chain.stages[index];
  if (!chain.replays) return {};  // frames are never computed again
  if ((frame + 1) % chain.checkpoint_interval_frames != 0) return {};
  if (chain.checkpoints.contains(index, entry.version, frame)) return {};
  VANTAGE_ASSIGN(StageMemoryRef memory, entry.stage->save());
  if (memory) chain.checkpoints.put(index, {frame, entry.version, std::move(memory)});
  return {};
}

bool is_due(int64_t frame, int64_t every) {
  return every > 0 && frame % every == 0;
}

// An artifact made by a caller from kept ones is equivalent.
Status keep_on_disk(Chain& chain, size_t index, int64_t frame, const Artifact& artifact) {
  const ChainStage& entry = chain.stages[index];
  const bool shell = entry.name == kCarvingStage && is_due(frame, chain.delivered.shells);
  if (!chain.kept || (!shell && chain.kept->contains(entry.name, entry.version, frame))) return {};
  VANTAGE_ASSIGN(const std::optional<std::string> bytes, kept_bytes(entry.name, artifact, shell));
  if (bytes) chain.kept->write(entry.name, entry.version, frame, *bytes, shell);
  return {};
}

}  // namespace

ArtifactRef find_kept(Chain& chain, size_t index, int64_t frame, Need need) {
  if (!chain.kept || need == Need::nothing || need == Need::everything) return nullptr;
  const ChainStage& entry = chain.stages[index];
  const std::optional<std::string> bytes = chain.kept->read(entry.name, entry.version, frame);
  if (!bytes) return nullptr;
  if (entry.name == kFloorStage && is_due(frame, chain.delivered.floor_maps)) need = Need::evidence;
  ArtifactRef artifact =
      chain.kept_reader.read(entry.name, *bytes, need, is_due(frame, chain.delivered.shells));
  // A caller who finds a frame's tracks in memory must find its people there, too.
  if (artifact && kept_whole(entry.name)) chain.cache.put({frame, index, entry.version}, artifact);
  return artifact;
}

void Chain::update_versions() {
  for (ChainStage& entry : stages) {
    Hasher hasher;
    hasher.add(entry.name).add(entry.stage->own_hash());
    for (const size_t input : entry.inputs) hasher.add(stages[input].version);
    entry.version = hasher.value();
  }
}

void run_stage(Chain& chain, size_t index, Job& job, const std::string& lane) {
  ChainStage& entry = chain.stages[index];
  Job::Slot& slot = job.slots[index];
  if (job.error || !slot.run) return;
  const SpanGuard span(chain.trace, entry.name, lane, job.frame);
  if (entry.has_memory) entry.position.known = false;
  Result<ArtifactRef> made = guarded<ArtifactRef>(entry.name, [&] { return process(entry, job, chain); });
  if (!made) {
    job.error = std::move(made).error();
    return;
  }
  slot.artifact = std::move(*made);
  slot.memory.reset();
  if (!slot.inexact) {
    chain.cache.put({job.frame, index, entry.version}, slot.artifact);
    Result<bool> kept = guarded<bool>(entry.name, [&]() -> Result<bool> {
      VANTAGE_TRY(keep_on_disk(chain, index, job.frame, *slot.artifact));
      return true;
    });
    if (!kept) job.error = std::move(kept).error();
  }
  if (!entry.has_memory) return;
  entry.position = {true, job.frame, entry.version, !slot.inexact};
  if (slot.inexact) return;
  Result<bool> saved = guarded<bool>(entry.name, [&]() -> Result<bool> {
    VANTAGE_TRY(save_checkpoint(chain, index, job.frame));
    return true;
  });
  if (!saved) job.error = std::move(saved).error();
}

Result<FrameResultRef> finish_job(Chain& chain, const Job& job, const std::string& lane) {
  const SpanGuard span(chain.trace, "wait for device", lane, job.frame, -1, SpanKind::wait);
  auto result = std::make_shared<FrameResult>();
  result->frame = job.frame;
  for (size_t i = 0; i < chain.stages.size(); ++i) {
    const ChainStage& entry = chain.stages[i];
    const Job::Slot& slot = job.slots[i];
    if (!slot.artifact) continue;
    const Result<bool> finished = guarded<bool>(entry.name, [&]() -> Result<bool> {
      VANTAGE_TRY(slot.artifact->finish());
      return true;
    });
    if (!finished) {
      chain.cache.erase({job.frame, i, entry.version});
      return fail(finished.error());
    }
    result->preview = result->preview || slot.inexact;
    entry.stage->put(slot.artifact, &result->artifacts);
    result->versions[entry.name] = entry.version;
  }
  return result;
}

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
  // Downstream first: updating a stage's memory may move the memories upstream of it.
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

// Uses cached artifacts, and those on disk where they suffice; runs the rest with whatever it needs. The
// forced stage runs for its memory. `need`: of the wanted stages.
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

// The nearest memory of any version. Where there is none yet, it is made from as many first frames as may be
// replayed.
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
