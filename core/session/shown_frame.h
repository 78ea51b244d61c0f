// A frame as a front end shows it: the chain's result, which all share and no one changes, with what the
// session knows besides the chain: whom results on disk hold, under which IDs, trails, and a slice of the
// volume.
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
  // The people that results hold of this frame, in place of the chain's own; null: the chain's are shown.
  std::shared_ptr<const PeopleArtifact> recorded = nullptr;
  // IDs of the people who are shown, one each, 0: none; in place of the tracker's. Empty: the tracker's are
  // shown.
  std::optional<std::vector<int64_t>> ids = std::nullopt;
  std::vector<Trail> trails = {};
  std::shared_ptr<const VolumeCut> cut = nullptr;  // null: not asked for, or there is no volume

  // Null where no one was searched for.
  const PeopleArtifact* people() const { return recorded ? recorded.get() : result->people(); }
};
using ShownFrameRef = std::shared_ptr<const ShownFrame>;

// In the order of ShownFrame::people(). Recorded people have the evidence and the skeleton of the person who
// was found where they are, but neither motion nor colours: those were measured of the chain's own.
std::vector<FramePerson> people_of(const ShownFrame& shown);

}  // namespace vantage
