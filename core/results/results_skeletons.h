// The skeletons of a recording's results, put together for each identity, with limbs of constant lengths
// (core/people/skeletons/skeletons.h). This happens here and not in the chain: identities are final only
// when a run has ended, and lengths come from all of its frames, so that what is exported depends on the
// results alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/people/skeletons/skeletons.h"
#include "core/tracks/repairs/repairs.h"

namespace vantage {

struct SkeletonFrame {
  int64_t frame = 0;  // of the base camera
  PersonSkeleton skeleton;
};

// One person's, frames ascend; all of one layout.
struct SkeletonTrack {
  int64_t id = 0;
  const Skeleton* layout = nullptr;
  std::vector<SkeletonFrame> frames;
  std::map<std::string_view, double> limb_lengths_m;  // as applied
};

struct RecordedSkeletons {
  double frame_rate = 0;                   // frames/s of the base camera
  int64_t first_frame = 0, end_frame = 0;  // that were analysed; the end is excluded
  std::vector<std::string> cameras;        // names, as SceneJoint::cameras counts them
  std::vector<SkeletonTrack> people;       // by ID
  int64_t without_id = 0;                  // skeletons left out: of people without an ID
};

enum class Limbs { constant, as_seen };
// Skeletons of results.jsonl of the folder, under the IDs that the repairs make. Errors: read_results()'s;
// not_found where no frame has a skeleton.
Result<RecordedSkeletons> read_skeletons(const std::filesystem::path& folder,
                                         const std::vector<IdentityRepair>& repairs,
                                         Limbs limbs = Limbs::constant);

}  // namespace vantage
