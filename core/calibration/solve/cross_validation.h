// Check of an adjustment's standard deviations: it is solved again by each half of its pictures alone. The
// distance of the halves is compared with what their covariances expect, and each half's cameras are tried on
// the pictures of the other. Source: mrcal ("A tour of mrcal: cross-validation"; D. Kogan).
//
// Halves that differ by more than expected show what covariances cannot: a lens model that does not fit, a
// board that is not flat, clips out of step, corners with correlated errors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/calibration/solve/bundle.h"

namespace vantage {

struct CrossValidatedCamera {
  // Between the halves, after the motion of the world that brings them together best; 0 if the pose is fixed.
  double turned_deg = 0, moved_m = 0;
  double turned_std_deg = 0, moved_std_m = 0;  // expected of these
  int corners = 0;                             // in pictures that the other half's cameras were tried on
  // RMS of their distances in the picture, each limited to four times the expected.
  double held_out_rms_px = 0, expected_rms_px = 0;
};

struct CrossValidation {
  std::vector<CrossValidatedCamera> cameras;  // as in the bundle
  // Differences of the halves over expected ones, all values of all cameras together, and of how many
  // independent values; 1 is expected, give or take 1 / sqrt(2 freedom).
  double ratio = 0;
  int freedom = 0;

  // True if the halves differ by more than chance and a quarter allow.
  bool doubtful() const;
  // For people: "Each half of the pictures, solved alone, ...".
  std::string text() const;
};

// Cross-validates an adjusted bundle. Fixed boards are in both halves; the others are dealt out in turn,
// neighbours together, evenly among boards that the same cameras see. Nothing if a half leaves something open
// or reaches no solution. Fixed boards count as independent, and the uncertainty of timing and of boards'
// relative poses is left out of expected misses: a little less is doubted, a little more expected to be
// exact. Nothing after a stop.
std::optional<CrossValidation> cross_validate(const Bundle& solved, const StopSource& stop = {});

}  // namespace vantage
