// People from the floor map and the masks.
//
// Candidates are the local maxima of the occupied volume over a person's footprint. Each is drawn as an
// upright body (a profile of legs, trunk and head of its height) into every mask that sees it. People are
// then chosen one by one, always the candidate whose body covers the largest share of foreground that nobody
// chosen so far explains; what it covers counts as explained. A ghost, where the cameras' view cones of
// several people meet, covers foreground in every mask, but others explain it better, and its own share stays
// small. The same idea, with a probability in place of the choice: F. Fleuret, J. Berclaz, R. Lengagne, P.
// Fua, "Multicamera People Tracking with a Probabilistic Occupancy Map", PAMI 2008.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/parameters.h"
#include "core/geometry/projection.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/image_view.h"

namespace vantage {

struct PeopleParameters {
  double footprint_m = 0.5;
  double min_volume_l = 12;
  double min_height_m = 1.1;
  double max_height_m = 2.3;
  double separation_m = 0.35;
  double min_fill = 0.4;
  double min_own = 0.35;
};
template <>
const ParameterTable& parameter_table<PeopleParameters>();

struct PeopleInput {
  VoxelGrid grid;
  ImageView<const uint16_t> columns, tops;  // as in FloorMap; host memory
  std::span<const PinholeCamera<double>> cameras;
  // Per camera, of its picture's size: 0 is background. Without data: no picture of this frame.
  std::span<const ImageView<const uint8_t>> masks;
};

struct Person {
  double x_m = 0, y_m = 0;  // of the body's axis on the floor
  double height_m = 0;
  double volume_l = 0;    // occupied, over the footprint
  double confidence = 0;  // mean over the cameras that see the body: share of it that is foreground
  int cameras = 0;        // how many see at least half of it
};

enum class RejectReason : uint8_t { too_small, too_low, too_high, not_in_masks, ghost, same_person };
std::string_view reject_reason_name(RejectReason reason);  // "too_small"
std::string_view reject_reason_text(RejectReason reason);  // "too small"

struct RejectedPeak {
  Person peak;
  RejectReason reason = RejectReason::ghost;
};

struct PeopleFound {
  int64_t peaks = 0;  // people + rejected
  double largest_peak_l = 0;
  std::vector<Person> people;  // by x, then y
  std::vector<RejectedPeak> rejected;
};

PeopleFound find_people(const PeopleInput& input, const PeopleParameters& parameters);

}  // namespace vantage
