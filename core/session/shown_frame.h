// A frame as a front end shows it: the chain's immutable result, with additions of the session: people and
// IDs of stored results, trails, and a slice of the volume.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/carving/cut.h"
#include "core/display/trails.h"
#include "core/pipeline/frame_people.h"

namespace vantage {

struct ShownFrame {
  FrameResultRef result;  // never null
  // People of this frame in stored results, which replace the chain's own; null: the chain's are shown.
  std::shared_ptr<const PeopleArtifact> recorded = nullptr;
  // IDs of the people shown, one each, 0: none. Nothing: the tracker's are shown.
  std::optional<std::vector<int64_t>> ids = std::nullopt;
  std::vector<Trail> trails = {};
  std::shared_ptr<const VolumeCut> cut = nullptr;  // null: not requested, or there is no volume

  // Null where people were not searched for.
  const PeopleArtifact* people() const { return recorded ? recorded.get() : result->people(); }
};
using ShownFrameRef = std::shared_ptr<const ShownFrame>;

// In the order of ShownFrame::people(). Recorded people have the evidence and skeleton of the person found at
// their position, but no motion or colours, which were measured of the chain's own people.
std::vector<FramePerson> people_of(const ShownFrame& shown);

}  // namespace vantage
