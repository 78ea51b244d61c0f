// People from the floor map and the masks. The search and its reasons: resources/docs/algorithms/people.md.
//
// A person can stand where there is enough volume and a head has the right height. There an upright body
// (legs, trunk and head of that height) is drawn into every mask; the bodies that together explain the
// foreground best are kept. A body's own share, with A_c the pixels of its outline in camera c, F_c those
// that are foreground, D_c those not undecided (mask_samples.h), N_c those that no other body covers:
//   own = mean over the cameras that see it of (|F_c and N_c| - kBare |N_c and D_c not F_c|) / |A_c|
// The thresholds of own share, foreground and volume fall in proportion to the decided part, |D_c| / |A_c|.
// A probabilistic form of the model: F. Fleuret, J. Berclaz, R. Lengagne, P. Fua, PAMI 2008.
//
// Peaks are the local maxima of the volume over a person's footprint. A peak within separation_m of a person
// is that person's; every other one is reported with the reason why no one is there. People found next to
// every peak count as peaks of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/parameters.h"
#include "core/geometry/projection.h"
#include "core/geometry/voxel_grid.h"
#include "core/image/image_view.h"
#include "core/people/mask_samples.h"

namespace vantage {

// The source of people: this finder, the probabilistic occupancy map of core/people/occupancy, which uses the
// masks alone, or core/fusion, which uses the cameras' detections. Automatic: detections if the project has
// any, else the volume.
enum class PeopleSource : uint8_t { volume, occupancy, fused, automatic };
std::string_view people_source_name(PeopleSource source);  // "volume"

struct PeopleParameters {
  PeopleSource source = PeopleSource::automatic;
  double footprint_m = 0.5;
  double min_volume_l = 25;
  double min_height_m = 1.1;
  double max_height_m = 2.3;
  double separation_m = 0.5;
  double min_fill = 0.4;
  double min_own = 0.25;
};
template <>
const ParameterTable& parameter_table<PeopleParameters>();

// Both as in FloorMap, in host memory, of the finder's grid.
struct FloorViews {
  ImageView<const uint16_t> columns, tops;
};

// A person as the search found them in one frame, before tracking.
struct FoundPerson {
  double x_m = 0, y_m = 0;  // of the body's axis on the floor
  double height_m = 0;
  double volume_l = 0;  // occupied, over the footprint
  // Mean over the cameras that see the body: share of its outline that is foreground. Of a fused person the
  // probability that a person is there.
  double confidence = 0;
  int cameras = 0;  // how many see at least half of it; of a fused person, how many detect it
};

enum class RejectReason : uint8_t { too_small, too_low, too_high, not_in_masks, ghost, same_person };
std::string_view reject_reason_name(RejectReason reason);  // "too_small"
std::string_view reject_reason_text(RejectReason reason);  // "too small"

struct RejectedPeak {
  FoundPerson peak;
  RejectReason reason = RejectReason::ghost;
};

struct PeopleFound {
  int64_t peaks = 0;  // people + rejected
  double largest_peak_l = 0;
  std::vector<FoundPerson> people;  // by x, then y
  std::vector<RejectedPeak> rejected;
};

// Positions of the floor at which a person can stand.
using MayStand = std::function<bool(double x_m, double y_m)>;

// Not thread-safe: it keeps its working memory from frame to frame, but nothing of what it found.
class PeopleFinder {
 public:
  // No `may_stand`: everywhere.
  PeopleFinder(const VoxelGrid& grid, std::vector<PinholeCamera<double>> cameras, MayStand may_stand = {});
  ~PeopleFinder();
  void set_parameters(const PeopleParameters& parameters);

  // Work that needs the map alone, while masks are in transit. The map must last until find().
  void take(const FloorViews& map);
  // People of the map taken. One sampled mask per camera, of its picture's size.
  PeopleFound find(std::span<const MaskSamples> masks);
  PeopleFound find(const FloorViews& map, std::span<const MaskSamples> masks) {
    take(map);
    return find(masks);
  }
  // Fills in volume and height of people found otherwise; the height only where the volume's is a person's.
  void measure(const FloorViews& map, std::span<FoundPerson> people);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vantage
