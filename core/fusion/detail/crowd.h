// The people chosen: their occlusion by each other, the best assignment of detections to them in each camera,
// and the evidence that all of them explain.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/fusion/detail/box_evidence.h"

namespace vantage::fusion_detail {

// Hypotheses that a detection supports, with the evidence of each camera (fusion.h).
//
// Few of many thousands are ever born: those whose evidence cannot outweigh the cost of a person, for any
// positions of others, are kept for the posterior alone, behind the others. The boxes of the rest are stored
// coordinate by coordinate, since every birth tests all of them for occlusion.

// A detection, or a head, that is used.
struct SeenBox {
  int32_t index = 0;  // among the camera's detections, or its heads
  Box box;
  double score = 0;
  bool head = false;
  bool feet = true;  // as far as they can be seen; false: guessed (feet_seen())
};

// A detection that may belong to a hypothesis.
struct Match {
  int32_t hypothesis = 0;
  int32_t seen = 0;  // among the camera's that are used
  BoxMatch match;
  double nats = 0;      // where no one covers the hypothesis
  double max_nats = 0;  // no matter who covers it
  int32_t candidate = -1;
};

// Likewise of a candidate.
struct Pair {
  int32_t seen = 0;
  BoxMatch match;
  double nats = 0;  // with the people who cover the candidate
};

struct Candidate {
  int32_t hypothesis = 0;
  double x_m = 0, y_m = 0, height_m = 0;
  double base = 0;      // cost, height and expectation
  double max_nats = 0;  // base with the cameras' best evidence, wherever people are
};

// The evidence of one camera about one candidate.
struct View {
  int32_t pairs_begin = 0, pairs_end = 0;
  uint32_t inside = 0, covered = 0, lit = 0;  // points of the box; lit: in the mask
  float told = -1;                            // the share in the mask, if reported; -1: by `lit`
  double nothing = 0;                         // nats of no detection
};

inline double distance_m(const Candidate& a, const Candidate& b) {
  const double dx = a.x_m - b.x_m, dy = a.y_m - b.y_m;
  return std::sqrt(dx * dx + dy * dy);
}

// Data of a frame before anyone is found; one of each per camera.
struct Looks {
  std::vector<std::vector<SeenBox>> seen;
  std::vector<char> known;  // the camera's detections are known
  std::span<const MaskSamples> masks;
  std::span<const MaskAtPlace> mask_places;
};

// Working memory is kept from frame to frame.
class Candidates {
 public:
  // `ignored`: one per camera, or none.
  Candidates(const FloorRectangle& floor, const std::vector<PinholeCamera<double>>& cameras,
             std::span<const IgnoredPixels> ignored);

  // Finds the candidates of a frame; no one covers any of them.
  void find(const Looks& looks, const FusionParameters& parameters,
            const std::optional<std::span<const ExpectedPerson>>& expected);

  size_t size() const { return candidates_.size(); }
  // The first so many may be born.
  size_t births() const { return births_; }
  size_t cameras() const { return indexes_.size(); }
  double cell_m() const { return grid_.cell_m; }
  const Candidate& operator[](size_t candidate) const { return candidates_[candidate]; }
  const View& view(size_t candidate, size_t camera) const { return views_[candidate * cameras() + camera]; }
  std::span<const Pair> pairs(size_t candidate, size_t camera) const {
    const View& at = view(candidate, camera);
    return {pairs_[camera].data() + at.pairs_begin, pairs_[camera].data() + at.pairs_end};
  }
  const BodyBox& box(size_t candidate, size_t camera) const {
    return indexes_[camera].box(candidates_[candidate].hypothesis);
  }
  // The share of its box that the picture shows and no one covers, 0 to 1.
  double visible(size_t candidate, size_t camera) const {
    const View& at = view(candidate, camera);
    return std::popcount(at.inside & ~at.covered) / double{kPoints};
  }
  // The share of that part which is in the camera's mask.
  double in_mask(size_t candidate, size_t camera) const {
    const View& at = view(candidate, camera);
    return in_mask(at, at.inside & ~at.covered);
  }
  // The candidates that one detection may belong to.
  std::span<const Match> matches(size_t camera, size_t seen) const {
    return {found_[camera].data() + found_begin_[camera][seen],
            found_[camera].data() + found_begin_[camera][seen + 1]};
  }

  // Finds the candidates within `reach_m` of one, itself included, ascending.
  void find_near(size_t candidate, double reach_m, std::vector<size_t>* near) const;

  // The points of a candidate's box that a person in place of `by` covers.
  uint32_t hidden_by(size_t candidate, size_t camera, size_t by) const;
  // Nats of no detection where these points are covered.
  double nothing(size_t candidate, size_t camera, uint32_t covered) const {
    const View& at = view(candidate, camera);
    return nats_of_nothing(at, at.inside & ~covered);
  }
  // Brings the candidate's view up to date.
  void set_covered(size_t candidate, size_t camera, uint32_t covered) {
    if (view(candidate, camera).covered != covered) look(candidate, camera, covered);
  }
  // Covers candidates that may be born, from `begin` to before `end`, by a person in place of `by`; sets
  // `changed` to 1 where that hides more.
  void cover_births(size_t begin, size_t end, size_t by, char* changed);

 private:
  // Boxes of candidates that may be born, in one camera; boxes that it does not see overlap nothing.
  struct Outlines {
    std::vector<float> left, top, right, bottom, distance_m;
  };

  void find_matches(size_t camera, std::span<const SeenBox> seen, double min_nats);
  void number_candidates(double person_cost);
  void drop_matches_of_none(size_t camera);
  void expect(std::span<const ExpectedPerson> expected, double track_prior);
  void put_births_first();
  void find_pairs(size_t camera);
  void look(size_t candidate, size_t camera, uint32_t covered);
  // Counts the candidate's points in the mask.
  void look_at_mask(size_t candidate, size_t camera);
  static double in_mask(const View& at, uint32_t visible) {
    return at.told < 0 ? share_in_mask(at.lit, visible) : double{at.told};
  }
  double nats_of_nothing(const View& at, uint32_t visible) const {
    const double nats = nothing_[std::popcount(visible)];
    return at.lit == 0 && at.told < 0 ? nats : nats * not_excused(in_mask(at, visible));
  }

  const HypothesisGrid grid_;
  std::vector<BoxIndex> indexes_;
  std::vector<int32_t> candidate_of_;  // by hypothesis; -1: none
  std::vector<Candidate> candidates_;
  size_t births_ = 0;
  std::span<const char> known_;
  std::span<const MaskSamples> masks_;
  std::span<const MaskAtPlace> mask_places_;
  std::array<double, kPoints + 1> nothing_{};     // nats of no detection by the points that can be seen
  std::vector<View> views_;                       // camera by camera of each candidate
  std::vector<std::vector<Pair>> pairs_;          // by camera, candidate after candidate
  std::vector<std::vector<Match>> found_;         // by camera, detection after detection
  std::vector<std::vector<size_t>> found_begin_;  // by camera and used detection, and the end
  std::vector<Outlines> outlines_;                // by camera
  std::vector<double> best_;                      // by candidate: the best evidence of one camera
  std::vector<uint64_t> spoken_for_;              // by hypothesis, a bit each: a candidate
};

// Views of candidates who are people are kept up to date in `candidates`, those of others are not.
class Crowd {
 public:
  static constexpr size_t kNobody = std::numeric_limits<size_t>::max();

  Crowd(Candidates& candidates, const Looks& looks) : candidates_(candidates), looks_(looks) {}

  // Removes all people; the frame may be another one.
  void clear();
  // Adds a candidate if all explain more with it than without; true if so.
  bool add(size_t candidate);
  void remove(size_t place);
  // Gain of each person: nats that all explain more with than without.
  std::vector<double> gains();

  const std::vector<size_t>& people() const { return people_; }  // candidates, in the order of their births
  bool holds(size_t candidate) const {
    return std::find(people_.begin(), people_.end(), candidate) != people_.end();
  }
  // The candidate to whom a used detection belongs; -1: to no one.
  int32_t owner(size_t camera, size_t seen) const { return owner_[camera][seen]; }
  // Penalty of a candidate close to people other than `except`: infinite where no two can be so close.
  double repulsion(size_t candidate, size_t except) const;

 private:
  void push(size_t candidate);
  void erase(size_t place);
  void update_views(size_t except);
  double explain(size_t except = kNobody);
  double assign(size_t camera);
  double assign_best(size_t camera);

  Candidates& candidates_;
  const Looks& looks_;
  std::vector<size_t> people_;
  // Points of each person's box which each of the people covers, camera by camera of each.
  std::vector<std::vector<uint32_t>> hidden_;
  std::vector<std::vector<int32_t>> owner_, kept_owner_;  // by camera and used detection
  std::vector<size_t> standing_;                          // people who are explained: all, or all but one
  double explained_ = 0;
};

}  // namespace vantage::fusion_detail
