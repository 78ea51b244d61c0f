#include "core/fusion/place_evidence.h"

#include <fmt/core.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "core/detections/skeletons.h"
#include "core/fusion/body_box.h"
#include "core/fusion/detail/box_evidence.h"

namespace vantage {
namespace {

using fusion_detail::Box;

constexpr double kPoints = fusion_detail::kColumns * fusion_detail::kRows;
// A camera that sees less of a body than this and detects nothing is no evidence (fusion.h).
constexpr double kHardlyVisible = 0.25;
// Boxes that overlap less are about another person.
constexpr double kSmallestOverlap = 0.1;

// One place tried with one height.
class Hypothesis {
 public:
  Hypothesis(const PlaceEvidence& place, const FusionInput& input, std::span<const FusedPerson> people,
             std::span<const PinholeCamera<double>> cameras, const FusionParameters& parameters,
             std::span<const IgnoredPixels> ignored)
      : place_(place),
        input_(input),
        people_(people),
        cameras_(cameras),
        parameters_(parameters),
        ignored_(ignored) {}

  CameraAtPlace ask(size_t c, double height_m) const {
    CameraAtPlace said;
    if (c >= input_.cameras.size() || !input_.cameras[c].known) return said;
    const BodyBox body = body_box(cameras_[c], place_.x_m, place_.y_m, height_m);
    const uint32_t in_picture = body.seen ? fusion_detail::covered_points(body.whole, body.cut) : 0;
    const uint32_t inside = body.seen ? fusion_detail::shown_points(body, ignored_in(c)) : 0;
    const uint32_t covered = body.seen ? covered_points(c, body, &said.person) : 0;
    said.visible = std::popcount(inside & ~covered) / kPoints;
    if (body.seen && c < input_.masks.size())
      said.in_mask = fusion_detail::share_in_mask(fusion_detail::points_in_mask(body.whole, input_.masks[c]),
                                                  inside & ~covered);
    said.nats = fusion_detail::nats_of_nothing(said.visible, parameters_.detection_rate) *
                fusion_detail::not_excused(said.in_mask);
    said.answer = std::popcount(in_picture) / kPoints <= kHardlyVisible ? CameraAnswer::outside
                  : std::popcount(inside) / kPoints <= kHardlyVisible   ? CameraAnswer::ignored
                  : said.visible <= kHardlyVisible                      ? CameraAnswer::hidden
                                                                        : CameraAnswer::nothing;
    if (said.answer != CameraAnswer::hidden) said.person = -1;
    if (body.seen) choose_box(c, body, covered, &said);
    if (body.seen) choose_head(c, body, &said);
    return said;
  }

 private:
  const IgnoredPixels& ignored_in(size_t c) const {
    static const IgnoredPixels kNone;
    return c < ignored_.size() ? ignored_[c] : kNone;
  }

  // Points of the body that people nearer to the camera cover; `most`: the one who covers most of it.
  uint32_t covered_points(size_t c, const BodyBox& body, int32_t* most) const {
    uint32_t covered = 0;
    int largest = 0;
    for (size_t i = 0; i < people_.size(); ++i) {
      if (static_cast<int32_t>(i) == place_.person) continue;
      const FusedPerson& person = people_[i];
      const BodyBox other = body_box(cameras_[c], person.x_m, person.y_m, person.height_m);
      if (!other.seen || other.distance_m >= body.distance_m) continue;
      const uint32_t points = fusion_detail::covered_points(body.whole, other.whole);
      if (std::popcount(points) > largest) *most = static_cast<int32_t>(i), largest = std::popcount(points);
      covered |= points;
    }
    return covered;
  }

  int32_t owner(size_t c, int32_t detection) const {
    for (size_t i = 0; i < people_.size(); ++i)
      for (const CameraEvidence& one : people_[i].evidence)
        if (static_cast<size_t>(one.camera) == c && one.detection == detection)
          return static_cast<int32_t>(i);
    return -1;
  }

  // The free box that says most; else one that would say something, were it free or its score higher; else
  // the one that overlaps most.
  void choose_box(size_t c, const BodyBox& body, uint32_t covered, CameraAtPlace* said) const {
    const double nothing = said->nats;
    double best_free = nothing, best_other = nothing, best_weak = nothing, largest_overlap = kSmallestOverlap;
    std::optional<CameraAtPlace> free, other, weak, overlapping;
    const std::vector<PersonDetection>& detections = input_.cameras[c].people;
    for (size_t i = 0; i < detections.size(); ++i) {
      const PersonDetection& one = detections[i];
      if (!(one.width_px > 0) || !(one.height_px > 0)) continue;
      const Box box = box_of(one, cameras_[c]);
      if (is_empty(box)) continue;
      CameraAtPlace with = *said;
      with.detection = static_cast<int32_t>(i), with.score = one.score;
      with.overlap = overlap(box, body.cut);
      if (with.overlap > largest_overlap) overlapping = with, largest_overlap = with.overlap;
      const bool too_weak = one.score < parameters_.min_score;
      const fusion_detail::BoxMatch match = fusion_detail::match(
          fusion_detail::shape_of(body), box, too_weak ? parameters_.min_score : double{one.score},
          feet_seen(one), -std::numeric_limits<double>::infinity());
      if (!match.possible) continue;
      const double nats = fusion_detail::nats(match, covered);
      const int32_t of = owner(c, with.detection);
      if (too_weak && nats > best_weak) {
        weak = with, weak->answer = CameraAnswer::weak, best_weak = nats;
      } else if (!too_weak && of >= 0 && of != place_.person && nats > best_other) {
        other = with, other->answer = CameraAnswer::other_person, other->person = of, best_other = nats;
      } else if (!too_weak && (of < 0 || of == place_.person) && nats > best_free) {
        free = with, free->answer = CameraAnswer::sees, free->person = -1;
        free->nats = best_free = nats;
      }
    }
    if (free)
      *said = *free;
    else if (other)
      *said = *other;
    else if (weak)
      *said = *weak;
    else if (overlapping)
      *said = *overlapping;
  }

  // A free head that says more than the box, if one does.
  void choose_head(size_t c, const BodyBox& body, CameraAtPlace* said) const {
    if (c >= input_.heads.size()) return;
    for (size_t i = 0; i < input_.heads[c].size(); ++i) {
      const HeadBox& one = input_.heads[c][i];
      const Box head{one.left_px, one.top_px, one.left_px + one.width_px, one.top_px + one.height_px};
      if (!(one.width_px > 0) || !(one.height_px > 0) || in_used_box(c, head)) continue;
      const bool others = std::any_of(people_.begin(), people_.end(), [&](const FusedPerson& person) {
        return &person - people_.data() != place_.person &&
               std::any_of(person.evidence.begin(), person.evidence.end(), [&](const CameraEvidence& its) {
                 return static_cast<size_t>(its.camera) == c && its.head == static_cast<int32_t>(i);
               });
      });
      const fusion_detail::BoxMatch match =
          fusion_detail::match_head(fusion_detail::shape_of(body), head, said->nats);
      if (others || !match.possible) continue;
      said->nats = match.fixed, said->answer = CameraAnswer::sees_head;
      said->head = static_cast<int32_t>(i), said->person = -1;
    }
  }

  bool in_used_box(size_t c, const Box& head) const {
    const std::vector<PersonDetection>& boxes = input_.cameras[c].people;
    return std::any_of(boxes.begin(), boxes.end(), [&](const PersonDetection& one) {
      if (one.score < parameters_.min_score || !(one.width_px > 0) || !(one.height_px > 0)) return false;
      const Box box = box_of(one, cameras_[c]);
      return !is_empty(box) && fusion_detail::is_head_of(head, box);
    });
  }

  const PlaceEvidence& place_;
  const FusionInput& input_;
  const std::span<const FusedPerson> people_;
  const std::span<const PinholeCamera<double>> cameras_;
  const FusionParameters& parameters_;
  const std::span<const IgnoredPixels> ignored_;
};

// Fills in who stands here, and the nearest other one; returns what neighbours cost.
double place_among(std::span<const FusedPerson> people, PlaceEvidence* place) {
  const auto away = [&](const FusedPerson& person) {
    return std::hypot(person.x_m - place->x_m, person.y_m - place->y_m);
  };
  double nearest_m = fusion_detail::kNearest_m;
  for (size_t i = 0; i < people.size(); ++i)
    if (away(people[i]) < nearest_m) place->person = static_cast<int32_t>(i), nearest_m = away(people[i]);
  double cost = 0;
  place->neighbour_m = fusion_detail::kRepulsionReach_m;
  for (size_t i = 0; i < people.size(); ++i) {
    const double distance_m = away(people[i]);
    if (static_cast<int32_t>(i) == place->person || distance_m >= place->neighbour_m) continue;
    place->neighbour = static_cast<int32_t>(i), place->neighbour_m = distance_m;
  }
  for (size_t i = 0; i < people.size(); ++i)
    if (static_cast<int32_t>(i) != place->person) cost += fusion_detail::repulsion(away(people[i]));
  return cost;
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

std::string named(std::span<const std::string> names, int32_t index, const char* otherwise) {
  return index >= 0 && static_cast<size_t>(index) < names.size() ? names[index] : otherwise;
}

std::string nats_text(double nats) {
  return fmt::format(" ({:+.1f} nats)", nats);
}

// How much of the person is in the camera's mask, where that excuses the detector (fusion.h).
std::string sees_nobody(double visible, double in_mask) {
  const std::string text = "sees no one here, though " + percent(visible) + " would be visible";
  return fusion_detail::not_excused(in_mask) < 1 ? text + ", " + percent(in_mask) + " of it in its mask"
                                                 : text;
}

std::string words(const CameraAtPlace& said, std::span<const std::string> people) {
  const std::string box = fmt::format("box of score {:.2f}", said.score);
  const std::string nats = nats_text(said.nats);
  std::string text;
  switch (said.answer) {
    case CameraAnswer::not_looked:
      return "has no detections of this frame";
    case CameraAnswer::ignored:
      return "a person here would be in an ignored region of its picture";
    case CameraAnswer::outside:
      return "a person here would be outside its picture, or barely in it";
    case CameraAnswer::sees:
      return "a " + box + " fits, " + percent(said.overlap) + " overlap" + nats;
    case CameraAnswer::sees_head:
      return "no box fits, but a head does" + nats;
    case CameraAnswer::hidden:
      return "hidden by " + named(people, said.person, "a nearer person") + ", " + percent(said.visible) +
             " would be visible" + nats;
    case CameraAnswer::other_person:
      return "its " + box + " would fit, but belongs to " + named(people, said.person, "another person") +
             nats;
    case CameraAnswer::weak:
      return "its " + box + " would fit, but scores too low to be evidence (fusion.min_score)" + nats;
    case CameraAnswer::nothing:
      break;
  }
  text = sees_nobody(said.visible, said.in_mask);
  if (said.detection >= 0) text += "; the nearest box, " + percent(said.overlap) + " overlap, does not fit";
  return text + nats;
}

std::string verdict(const PlaceEvidence& at, std::span<const std::string> people) {
  const auto looked = [](const CameraAtPlace& camera) { return camera.answer != CameraAnswer::not_looked; };
  const std::string place = fmt::format("x {:.2f}  y {:.2f} m: ", at.x_m, at.y_m);
  if (at.person >= 0) return place + named(people, at.person, "a person") + " is found here";
  if (std::none_of(at.cameras.begin(), at.cameras.end(), looked))
    return place + "unknown: no camera has detections of this frame";
  std::string text =
      place + fmt::format("no one. For a person of {:.2f} m the total evidence is {:+.1f} nats", at.height_m,
                          at.gain_nats);
  text += at.gain_nats <= 0 ? "; more than 0 is needed"
                            : ", but other people explain all boxes better than one more here";
  if (at.neighbour >= 0)
    text += fmt::format("; {} stands {:.2f} m away", named(people, at.neighbour, "a person"), at.neighbour_m);
  return text;
}

}  // namespace

PlaceEvidence evidence_at(double x_m, double y_m, const FusionInput& input,
                          std::span<const FusedPerson> people, std::span<const PinholeCamera<double>> cameras,
                          const FusionParameters& parameters, std::span<const IgnoredPixels> ignored) {
  PlaceEvidence place;
  place.x_m = x_m, place.y_m = y_m;
  const double neighbours = place_among(people, &place);
  const Hypothesis hypothesis(place, input, people, cameras, parameters, ignored);
  PlaceEvidence best = place;
  best.gain_nats = -std::numeric_limits<double>::infinity();
  for (const double height_m : PeopleFusion::kHeights_m) {
    PlaceEvidence tried = place;
    tried.height_m = height_m;
    tried.gain_nats = fusion_detail::nats_of_height(height_m) - parameters.person_cost - neighbours;
    for (size_t c = 0; c < cameras.size(); ++c) {
      tried.cameras.push_back(hypothesis.ask(c, height_m));
      tried.gain_nats += tried.cameras.back().nats;
    }
    if (tried.gain_nats > best.gain_nats) best = std::move(tried);
  }
  return best;
}

std::vector<std::string> describe(const PlaceEvidence& evidence, std::span<const std::string> names,
                                  std::span<const std::string> people) {
  std::vector<std::string> lines = {verdict(evidence, people)};
  for (size_t c = 0; c < evidence.cameras.size(); ++c)
    lines.push_back(named(names, static_cast<int32_t>(c), "camera") + ": " +
                    words(evidence.cameras[c], people));
  return lines;
}

std::vector<std::string> describe(const FusedPerson& person, std::span<const CameraDetections> detections,
                                  std::span<const std::string> names) {
  const bool seated = seated_probability(person.height_m, person.height_deviation_m) >= kCalledSeated;
  std::vector<std::string> lines = {
      fmt::format("x {:.2f}  y {:.2f} m, {}{:.2f} m {} (+/- {:.2f}), confidence {:.3f}", person.x_m,
                  person.y_m, seated ? "seated, head " : "", person.height_m,
                  seated ? "above the floor" : "tall", person.height_deviation_m, person.confidence)};
  for (size_t c = 0; c < names.size(); ++c) {
    const auto said =
        std::find_if(person.evidence.begin(), person.evidence.end(),
                     [&](const CameraEvidence& one) { return static_cast<size_t>(one.camera) == c; });
    std::string text = names[c] + ": ";
    if (said == person.evidence.end()) {
      const bool looked = c < detections.size() && detections[c].known;
      lines.push_back(text + (looked ? "outside its picture" : "has no detections of this frame"));
      continue;
    }
    const auto box = static_cast<size_t>(std::max(0, said->detection));
    if (said->detection >= 0 && c < detections.size() && box < detections[c].people.size())
      text += fmt::format("sees them, score {:.2f}", detections[c].people[box].score);
    else if (said->detection >= 0)
      text += "sees them";
    else if (said->head >= 0)
      text += "no box, but their head is seen";
    else if (said->visible <= kHardlyVisible)
      text += "hidden by a nearer person, the picture's edge or an ignored region, " +
              percent(said->visible) + " visible";
    else
      text += sees_nobody(said->visible, said->in_mask);
    lines.push_back(text + nats_text(said->nats));
  }
  return lines;
}

}  // namespace vantage
