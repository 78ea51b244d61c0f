// The exact truth beside the footage: where everybody walks and stands, and whose pixels are whose.
#pragma once

#include <filesystem>
#include <string>

#include "core/synth/scene.h"

namespace vantage::synth {

inline constexpr int64_t mask_interval_frames = 25;

struct TruthTables {
  std::string
      tracks;  // MOTChallenge columns, frames from 1: frame,id,-1,-1,-1,-1,1,x,y,z of the point on the floor
  std::string heads;  // the same columns for the head's centre
};
TruthTables make_truth(const Scene& scene);

// truth/sync.json: each camera's offset, drift and dropped frames, and when each of its frames was taken.
std::string sync_truth(const Scene& scene);

// truth/masks/camN/frame_%06d.png, frames of that camera from 0.
std::filesystem::path mask_path(const std::filesystem::path& folder, const std::string& camera,
                                int64_t frame);

}  // namespace vantage::synth
