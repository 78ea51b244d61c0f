// Renders a recording with exact ground truth: walking people made of ellipsoids in a room with a textured
// floor, seen by calibrated cameras. Ray-cast, so occlusion and shadows are exact. Reproducible from the
// seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/geometry/lens.h"

namespace vantage {

// `ring`: 2.5 to 3 m high around the area, as in a room. `overhead`: high above it, looking down steeply, as
// over a crowd.
enum class CameraLayout { ring, overhead };

// A person knocks against a camera: from then on it is turned about its own vertical axis.
struct Bump {
  int camera = 0;  // counted from 0
  double time_s = 0, degrees = 0;
};

struct SynthOptions {
  int cameras = 4;
  int people = 6;
  double seconds = 20;
  double frame_rate = 25;
  int width_px = 1280;
  int height_px = 960;
  double area_m = 6;  // side of the square people walk in
  CameraLayout layout = CameraLayout::ring;
  LensModel lens = LensModel::polynomial;
  uint64_t seed = 1;

  // Changing things that are not people, next to the area but for chairs: bushes whose leaves sway, screens
  // that show something else every second or so, chairs that are elsewhere from about half of the time on.
  // They are in the empty-scene clips too, chairs at their first positions.
  int bushes = 0, screens = 0, moved_chairs = 0;

  std::vector<Bump> bumps;  // bumps of different cameras; the project keeps the calibration from before

  double noise = 1.3;               // standard deviation of luma, in 8-bit steps
  double exposure_drift_stops = 0;  // amplitude of each camera's exposure, with a period of 40 to 80 s
  int exposure_steps = 0;           // sudden changes by a quarter to half a stop, independent for each camera
  int b_pictures = 2;              // in a row, at most; 0: in the order they were taken, as most cameras send
  bool time_code = false;          // the time of day burnt into the upper left corner
  int truth_interval_frames = 25;  // interval of masks and, if requested, pictures of head heights
  bool head_heights = false;
  bool persons = false;  // also each pixel's person

  // Times of the cameras' frames: one entry per camera, the base's 0 first; empty: all 0.
  std::vector<double> offsets_frames;  // the camera's frame that is simultaneous with the base's frame 0
  std::vector<double> drifts_ppm;      // rate error of the camera's clock relative to the base's
  std::vector<int> dropped_bursts;     // bursts of 2 to 12 frames that are missing in the file
  bool write_offsets =
      false;  // stores offsets and true rates also in the project, not only in the ground truth
};

// Writes NAME.vantage (NAME is the folder's), camN.mp4, camN_empty.mp4 (a one-second empty-scene clip),
// calibration.json, truth/tracks.csv (frame,id,x,y,z metres: MOTChallenge columns -1 where image boxes would
// be; frames of the base), truth/sync.json (when each frame was taken), truth/boxes_camN.csv and
// heads_camN.csv, and every so many frames of a camera truth/masks/camN/frame_%06d.png and, if wanted,
// truth/heights/camN/frame_%06d.pfm and truth/persons/camN/frame_%06d.png (the person's number in
// tracks.csv, 0: no one, 255: any beyond the 254th). With bumps also truth/calibration_after.json: the
// calibration at the end.
Status render_recording(const SynthOptions& options, const std::filesystem::path& folder,
                        const std::function<void(double share_done)>& progress, const StopSource& stop);

}  // namespace vantage
