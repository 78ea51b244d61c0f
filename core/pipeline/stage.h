// A stage turns what upstream stages made of a frame into one artifact. Artifacts are immutable and keyed by
// (frame, stage, version), the version being a hash of the stage's own parameters and configuration and of
// every upstream version: a changed parameter makes out of date only what depends on it.
//
// A stage with memory (foreground, tracking) must see frames in order. Its memory is saved about every
// second; a frame after a seek, a step back or a changed parameter is recomputed by replaying from the
// nearest checkpoint of the same version. So an artifact depends on project and frame, never on how the
// playhead got there.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/byte_stream.h"
#include "core/base/parameters.h"
#include "core/base/result.h"

namespace vantage {

class Artifact {
 public:
  virtual ~Artifact() = default;
  virtual size_t size_bytes() const = 0;  // held by this artifact alone; for the cache's bound
  // Waits for whatever is still on its way from a device. Called once before the artifact is handed to a
  // front end.
  virtual Status finish() const { return {}; }
};
using ArtifactRef = std::shared_ptr<const Artifact>;

// The state of a stage with memory after a frame.
class StageMemory {
 public:
  virtual ~StageMemory() = default;
  virtual size_t size_bytes() const = 0;
};
using StageMemoryRef = std::shared_ptr<const StageMemory>;

struct FrameArtifacts;  // core/pipeline/artifacts.h

// The unit of work of the pipeline. A stage derives from StageOf (core/pipeline/artifacts.h), which says
// which of a frame's artifacts it makes.
class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::string_view name() const = 0;
  // Names of upstream stages; they may depend on the parameters.
  virtual std::vector<std::string_view> inputs() const = 0;
  virtual bool has_memory() const { return false; }

  // Takes its parameters from the store. Never called while run() does.
  virtual Status configure(const ParameterStore& parameters) = 0;
  // Hash of its own parameters and configuration (device, cameras, grid, files); upstream is added by the
  // pipeline.
  virtual uint64_t own_hash() const = 0;

  // `inputs` holds the artifacts of the stages that inputs() names, and nothing else. Frames come in order
  // while has_memory(); any order otherwise. One call at a time. ErrorKind::end_of_stream from the video
  // stage ends a run; any other error ends it too, with complete results so far.
  virtual Result<ArtifactRef> run(int64_t frame, const FrameArtifacts& inputs) = 0;
  // Puts an artifact that run() made among a frame's.
  virtual void put(ArtifactRef made, FrameArtifacts* artifacts) const = 0;

  // For stages with memory: forget (the state before frame 0), save, restore.
  virtual Status reset() { return {}; }
  virtual Result<StageMemoryRef> save() const { return StageMemoryRef{}; }
  virtual Status restore(const StageMemory&) { return {}; }
  // The same for another process: all that it remembers now, as bytes. Errors: unsupported by methods and
  // devices whose memory cannot be written; bad_data where the bytes are not what write_memory() wrote.
  virtual Status write_memory(ByteWriter*) const { return {}; }
  virtual Status read_memory(ByteReader*) { return {}; }
};

}  // namespace vantage
