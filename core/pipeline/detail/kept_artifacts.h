// What is kept on disk of a stage's artifact (core/pipeline/kept_frames.h): the figures that results hold,
// and the evidence that later stages decide on. Pictures, indicators and voxels are not kept: whatever needs
// them has them computed again.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/parameters.h"
#include "core/pipeline/artifacts.h"

namespace vantage::pipeline_detail {

// What is read of an artifact, each including those before it. `figures`: what lines of results hold;
// `evidence`: what the search for people and the tracker read, masks at the samples of that search only.
enum class Need : uint8_t { nothing, figures, evidence, everything };

// What a stage reads of its inputs.
Need input_need(std::string_view stage, const ParameterStore& parameters);

// Whether all of a stage's artifact is kept, so that it is as good as one that was just made.
bool kept_whole(std::string_view stage);

// An artifact as bytes; nothing where its stage's are not kept, or it lies in a device's memory. `shell`: of
// the volume also the IDs of its shell.
Result<std::optional<std::string>> kept_bytes(std::string_view stage, const Artifact& artifact, bool shell);

// Reads them. Not thread-safe.
class KeptReader {
 public:
  // An artifact that holds what is needed; null where the bytes hold less, or are damaged.
  ArtifactRef read(std::string_view stage, std::string_view bytes, Need need, bool shell);

 private:
  ArtifactRef read_foreground(ByteReader* from, Need need);
  Result<Image> empty_mask(int width, int height);

  std::map<std::pair<int, int>, Image> empty_masks_;  // by width and height
};

}  // namespace vantage::pipeline_detail
