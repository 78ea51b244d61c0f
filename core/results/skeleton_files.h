// Writes skeletons of a recording for other programs: one person per TRC, C3D or BVH file, everyone in CSV
// and JSON. Every frame from the first to the last that was analysed has a row, so rows follow each other at
// the base camera's rate. Formats: resources/docs/formats.md.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/results/results_skeletons.h"

namespace vantage {

// "RBigToe" of "right_big_toe", "CHip" of "hip": the names that OpenSim's models for video have.
std::string marker_name(std::string_view joint);

// Motion Analysis' TRC, metres, y up (x, y, z are the scene's y, z, x), as OpenSim expects it. Cells of
// unknown joints are empty. `name`: that of the file.
std::string trc_text(const RecordedSkeletons& recording, const SkeletonTrack& person,
                     const std::string& name);

// C3D (www.c3d.org), little-endian floats, millimetres, the scene's axes. The residual is the joint's
// standard deviation, -1 where it is unknown. invalid_argument for more frames than the format can count
// (2^31).
Result<std::string> c3d_bytes(const RecordedSkeletons& recording, const SkeletonTrack& person);

// Biovision's BVH, of bones of constant lengths: metres, y up as in TRC, from the first frame with both hips
// to the last. A bone whose joints are not known keeps its turn, and the hips their place.
struct BvhFile {
  std::string text;
  int64_t first_frame = 0;      // of the recording, which the format cannot state
  int64_t turns = 0, held = 0;  // of all bones in all frames; those kept from the frame before
};
// Errors: not_found where no frame has both hips.
Result<BvhFile> bvh_text(const RecordedSkeletons& recording, const SkeletonTrack& person);

// frame,time_s,id,joint,x_m,y_m,z_m,deviation_m,confidence,cameras: one row per known joint.
std::string skeletons_csv(const RecordedSkeletons& recording);
std::string skeletons_json(const RecordedSkeletons& recording);

}  // namespace vantage
