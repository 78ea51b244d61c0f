// Reads the skeletons of a recording's results, joins them by identity, and gives them limbs of constant
// lengths (core/people/skeletons/skeletons.h). This is not part of the chain: identities are final only when
// a run has ended, and lengths come from all frames, so an export depends on the results alone.
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
  int64_t frame = 0;  // the base camera's
  PersonSkeleton skeleton;
};

// One person's skeletons; frames ascend, and all have one layout.
struct SkeletonTrack {
  int64_t id = 0;
  const Skeleton* layout = nullptr;
  std::vector<SkeletonFrame> frames;
  std::map<std::string_view, double> limb_lengths_m;  // as applied
};

struct RecordedSkeletons {
  double frame_rate = 0;                   // frames/s of the base camera
  int64_t first_frame = 0, end_frame = 0;  // analysed range; the end is excluded
  std::vector<std::string> cameras;        // names, in the order of SceneJoint::cameras
  std::vector<SkeletonTrack> people;       // sorted by ID
  int64_t without_id = 0;                  // number of skeletons left out because the person has no ID
};

enum class Limbs { constant, as_seen };
// Reads the skeletons of results.jsonl of the folder, under the IDs with repairs applied. Errors:
// read_results()'s; not_found without a skeleton.
Result<RecordedSkeletons> read_skeletons(const std::filesystem::path& folder,
                                         const std::vector<IdentityRepair>& repairs,
                                         Limbs limbs = Limbs::constant);

}  // namespace vantage
