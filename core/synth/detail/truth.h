// The exact truth that comes with the footage: where everybody walks and stands, and whose pixels are whose.
#pragma once

#include <filesystem>
#include <string>

#include "core/synth/detail/pixel_truth.h"
#include "core/synth/detail/scene.h"

namespace vantage::synth {

struct TruthTables {
  std::string
      tracks;  // MOTChallenge columns, frames from 1: frame,id,-1,-1,-1,-1,1,x,y,z of the point on the floor
  std::string heads;  // the same columns for the head's centre
};
TruthTables make_truth(const Scene& scene);

// truth/sync.json: each camera's offset, drift and dropped frames, and when each of its frames was taken.
std::string sync_truth(const Scene& scene);

// The rows of truth/boxes_camN.csv and truth/heads_camN.csv for one frame of a camera: MOTChallenge columns
// frame,id,left,top,width,height,visibility,x,y,z with the box in pixels, cut at the picture's border, and
// the point on the floor or the head's centre. Anyone who is out of the picture has no row.
struct BoxRows {
  std::string persons, heads;
};
void append_box_rows(const Scene& scene, const CameraClock& clock, int64_t frame,
                     const std::vector<Appearance>& appearances, const std::vector<Body>& bodies,
                     BoxRows* rows);

// truth/KIND/camN/frame_%06d.EXTENSION, frames of that camera from 0.
std::filesystem::path truth_picture_path(const std::filesystem::path& folder, const std::string& kind,
                                         const std::string& camera, int64_t frame,
                                         const std::string& extension);

}  // namespace vantage::synth
