// Renders a recording with exact ground truth: walking people made of ellipsoids in a room with a textured
// floor, seen by calibrated cameras. Ray-cast, so occlusion and shadows are exact. Reproducible from the
// seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

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

  // When the cameras take their frames: one entry for each camera, the base's 0 first; empty: all 0.
  std::vector<double> offsets_frames;  // the camera's frame that is simultaneous with the base's frame 0
  std::vector<double> drifts_ppm;      // how much faster than the base's the camera's clock runs
  std::vector<int> dropped_bursts;     // bursts of 2 to 12 frames that are missing in the file
  bool write_offsets = false;          // offsets and true rates into the project, not only into the truth
};

// Writes NAME.vantage (NAME is the folder's), camN.mp4, camN_empty.mp4 (a one-second empty-scene clip),
// calibration.json, truth/tracks.csv (frame,id,x,y,z metres: MOTChallenge columns -1 where image boxes would
// stand; frames of the base), truth/sync.json (when each frame was taken) and
// truth/masks/camN/frame_%06d.png for every 25th frame of the camera.
Status render_recording(const SynthOptions& options, const std::filesystem::path& folder,
                        const std::function<void(double share_done)>& progress, const StopSource& stop);

}  // namespace vantage
