// Tracking quality as the field measures it: CLEAR MOT, MODP, identity, HOTA, OSPA and GOSPA. Conventions
// follow TrackEval. Definitions and sources, and where py-motmetrics differs:
// resources/docs/algorithms/tracking-metrics.md.
//
// A switch: a true person matched to another identity than the last time it was matched, however long ago.
// Mostly tracked: matched in more than 80 % of its frames; mostly lost: in less than 20 %. HOTA: means over
// alpha = 0.05, 0.10 .. 0.95. OSPA and GOSPA (core/metrics/set_distance.h): means over the frames in which a
// person is true or found; in the world only.
//
// Similarity: image: intersection over union of the boxes, threshold on the IoU. world: max(0, 1 - d / (2 *
// threshold)) of the floor distance d in metres, matched where d <= threshold (similarity 0.5).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace vantage {

struct TrackRow {
  int64_t frame = 0;  // as in the file
  int64_t id = 0;
  double left_px = -1, top_px = -1, width_px = -1, height_px = -1;  // -1: no box
  double confidence = 1;
  double x_m = 0, y_m = 0, z_m = 0;
  double height_m = 0;  // height of the top of the head above the floor; 0: unknown
  int label = 0;        // MOT16's and MOT17's class: 1 a pedestrian; 0: not stated
};

enum class TrackSpace { image, world };

struct EvaluationOptions {
  TrackSpace space = TrackSpace::image;
  double threshold = 0.5;  // minimum IoU, or maximum distance in metres
  // Cut-off of OSPA and GOSPA. 0: the threshold, so that pairs too far apart for CLEAR are no pairs for them.
  double cutoff_m = 0;
  double order = 1;  // 1 to 10; with 1 GOSPA is its three parts' sum, in metres
};

// A true person continues under another identity; in the rows' own frames and identities.
struct TrackSwitch {
  int64_t frame = 0, true_id = 0, before = 0, after = 0;
  bool operator==(const TrackSwitch&) const = default;
};

struct ClearMetrics {
  int64_t true_positives = 0, false_positives = 0, false_negatives = 0, switches = 0, fragments = 0;
  int64_t mostly_tracked = 0, partly_tracked = 0, mostly_lost = 0;
  double mota = 0, motp = 0, moda = 0, modp = 0, recall = 0, precision = 0;
  std::vector<TrackSwitch> all_switches;  // sorted by frame
};

// Errors of matched people's positions (CLEAR's matches); 0 where nothing is compared.
struct PlaceMetrics {
  double floor_error_m = 0;   // mean distance on the floor; only in the world
  int64_t heights = 0;        // matches where both sides know the height
  double height_error_m = 0;  // mean absolute difference of these
  double height_bias_m = 0;   // mean of given minus true
};

struct IdentityMetrics {
  int64_t true_positives = 0, false_positives = 0, false_negatives = 0;
  double idf1 = 0, precision = 0, recall = 0;
};

struct HotaMetrics {
  static constexpr int kAlphas = 19;
  struct AtAlpha {
    double alpha = 0, hota = 0, det_a = 0, ass_a = 0, loc_a = 0;
  };
  std::array<AtAlpha, kAlphas> at_alpha;
  double hota = 0, det_a = 0, ass_a = 0, loc_a = 0;  // means over alpha
};

// Means over frames; 0 in the image.
struct SetMetrics {
  double cutoff_m = 0, order = 1;  // as they were used
  double ospa_m = 0, gospa_m = 0;
  double localisation = 0, missed = 0, false_found = 0;  // GOSPA's parts, to the power of the order
};

struct TrackingMetrics {
  int64_t frames = 0, true_rows = 0, given_rows = 0, true_identities = 0, given_identities = 0;
  ClearMetrics clear;
  PlaceMetrics places;
  IdentityMetrics identity;
  HotaMetrics hota;
  SetMetrics sets;
};

// Fails when an identity occurs twice in one frame (naming it) or a value is not finite. Rows may be in any
// order; rows of `truth` with confidence 0 are not counted (MOTChallenge's mark for boxes to ignore). If
// `truth` states classes, only pedestrians count, and given boxes on people in vehicles, static people,
// distractors or reflections (IoU from 0.5 on, by an optimal assignment) are neither right nor wrong.
Result<TrackingMetrics> evaluate_tracks(const std::vector<TrackRow>& truth,
                                        const std::vector<TrackRow>& given, const EvaluationOptions& options);

// MOTChallenge CSV: frame,id,left,top,width,height,confidence,x,y,z,height; the last is Vantage's own
// addition, metres. Further columns are ignored, the last five may be missing, a first line may name them. A
// text of nine columns, the eighth a class from 1 to 13 and the ninth a share, is MOT16's and MOT17's truth.
// Errors name the line; the text's first one is `first_line` of a file.
Result<std::vector<TrackRow>> read_mot_csv(std::string_view text, const std::string& where,
                                           int64_t first_line = 1);

// One line of such a file; positions to a tenth of a millimetre. No last column where the height is unknown.
std::string mot_csv_row(const TrackRow& row);

}  // namespace vantage
