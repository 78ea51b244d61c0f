#include "core/pipeline/detail/chain.h"

#include <exception>
#include <new>

#include "core/base/hash.h"

namespace vantage::pipeline_detail {
namespace {

// Libraries below may throw; nothing may leave a stage's thread that way.
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
  Job::Slot& slot = job.slots[static_cast<size_t>(&entry - chain.stages.data())];
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
  if (!chain.replays) return {};  // no one ever goes back
  if ((frame + 1) % chain.checkpoint_interval_frames != 0) return {};
  if (chain.checkpoints.contains(index, entry.version, frame)) return {};
  VANTAGE_ASSIGN(StageMemoryRef memory, entry.stage->save());
  if (memory) chain.checkpoints.put(index, {frame, entry.version, std::move(memory)});
  return {};
}

bool is_due(int64_t frame, int64_t every) {
  return every > 0 && frame % every == 0;
}

// An artifact that a caller made from what is kept is as good as any other.
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
  // Anyone who finds the tracks of a frame in memory finds its people there, too.
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
  entry.position.known = false;
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

}  // namespace vantage::pipeline_detail
