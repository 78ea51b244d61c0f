// Evidence of masks and volume about a person at one position of the floor: the figures that the search of
// people.h compares with its thresholds, and each camera's part in them. They explain why a person is found
// there, or no one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/people/people.h"

namespace vantage {

// One camera's part. Shares are of the body's outline inside the picture.
struct BodyInCamera {
  bool has_picture = false;
  bool counts = false;  // it sees at least half of the body
  double inside = 0;    // share of the whole outline that lies in the picture
  // Around the outline inside the picture, in its pixels; empty: it lies outside the picture.
  double left_px = 0, top_px = 0, right_px = 0, bottom_px = 0;
  double foreground = 0;   // in the mask
  double undecided = 0;    // neither in the mask nor background
  double covered = 0;      // by the bodies of other people found
  int32_t covers = -1;     // the one of them who covers most; -1: no one covers any
  double covers_most = 0;  // how much that one covers
  bool in_front = false;   // that one is nearer to the camera: hides the position
  double own = 0;          // foreground that no one covers, less 0.4 of background that no one covers
};

struct PlaceFigures {
  double x_m = 0, y_m = 0;
  double volume_l = 0;  // over the footprint
  double height_m = 0;  // of a head there, as the search compares it; 0: nothing is there
  // Height of the body that was drawn: height_m, or kAssumedHeight_m where that is not a person's.
  double body_height_m = 0;
  int32_t neighbour = -1;  // the nearest other person found; -1: there is none
  double neighbour_m = 0;
  bool may_stand = true;
  std::vector<BodyInCamera> cameras;
  // Means over the cameras that count; see people.h. The thresholds are multiplied with `decided`.
  int counting = 0, needed = 1;
  double foreground = 0, own = 0, decided = 1;
};

inline constexpr double kAssumedHeight_m = 1.7;

struct PlaceScene {
  VoxelGrid grid;
  std::span<const PinholeCamera<double>> cameras;
  FloorViews map;
  std::span<const MaskSamples> masks;   // one a camera
  std::span<const FoundPerson> people;  // found in the frame, by any method
  PeopleParameters parameters;
  MayStand may_stand = {};  // empty: everywhere
};

// `self`: the person who is there and does not count as cover; -1: no one is.
PlaceFigures place_figures(const PlaceScene& scene, double x_m, double y_m, int32_t self);

}  // namespace vantage
