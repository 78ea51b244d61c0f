// Renders a recording with exact ground truth: walking people made of ellipsoids in a room with a textured
// floor, seen by calibrated cameras on a ring. Ray-cast, so occlusion and shadows are exact. Reproducible
// from the seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "core/base/result.h"
#include "core/base/stop_token.h"

namespace vantage {

struct SynthOptions {
  int cameras = 4;
  int people = 6;
  double seconds = 20;
  double frame_rate = 25;
  int width_px = 640;
  int height_px = 480;
  double area_m = 6;  // side of the square people walk in
  uint64_t seed = 1;
};

// Writes NAME.vantage (NAME is the folder's), camN.mp4, camN_empty.mp4 (a one-second empty-scene clip),
// calibration.json, truth/tracks.csv (frame,id,x,y,z metres: MOTChallenge columns -1 where image boxes would
// stand) and truth/masks/camN/frame_%06d.png for every 25th frame.
Status render_recording(const SynthOptions& options, const std::filesystem::path& folder,
                        const std::function<void(double share_done)>& progress, const StopSource& stop);

}  // namespace vantage
