#include "core/tracks/repairs/repairs.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <ranges>
#include <utility>

namespace vantage {
namespace {

std::string nobody_at(const PlaceInTime& place) {
  return fmt::format("no one was within {:.1f} m of x {:.2f} m, y {:.2f} m in frame {}", kRepairReach_m,
                     place.x_m, place.y_m, place.frame);
}

class Repairer {
 public:
  explicit Repairer(std::vector<PersonPath> paths) : paths_(std::move(paths)) {
    for (const PersonPath& path : paths_) next_id_ = std::max(next_id_, path.id + 1);
  }

  // Applies the repair; returns why it does not apply, or an empty text.
  std::string apply(const IdentityRepair& repair) {
    PersonPath* who = find(repair.at);
    if (!who) return nobody_at(repair.at);
    switch (repair.kind) {
      case RepairKind::split:
        return split(*who, repair.at.frame);
      case RepairKind::remove:
        who->points.clear();
        return {};
      case RepairKind::join:
      case RepairKind::swap:
      case RepairKind::same:
      case RepairKind::apart:
      case RepairKind::name:
        break;
    }
    PersonPath* other = find(repair.other);
    if (!other) return nobody_at(repair.other);
    if (repair.kind == RepairKind::join) return join(*who, *other);
    if (repair.kind == RepairKind::same)
      return who == other ? std::string() : "the tracks have two people there, " + both(*who, *other);
    if (repair.kind == RepairKind::apart)
      return who != other ? std::string() : "the tracks have one person there, " + std::to_string(who->id);
    if (repair.at.frame != repair.other.frame) return "a swap needs two people in one frame";
    if (who == other) return "both positions are the same person's";
    swap(*who, *other, repair.at.frame);
    return {};
  }

  std::vector<PersonPath> finished() {
    std::erase_if(paths_, [](const PersonPath& path) { return path.points.empty(); });
    std::sort(paths_.begin(), paths_.end(),
              [](const PersonPath& a, const PersonPath& b) { return a.id < b.id; });
    return std::move(paths_);
  }

 private:
  static std::string both(const PersonPath& a, const PersonPath& b) {
    return std::to_string(a.id) + " and " + std::to_string(b.id);
  }

  PersonPath* find(const PlaceInTime& place) {
    const std::optional<size_t> found = person_at(paths_, place);
    return found ? &paths_[*found] : nullptr;
  }

  std::string split(PersonPath& who, int64_t frame) {
    const size_t cut = who.points.first_from(frame);
    if (cut == 0) return "the person's track begins in that frame already";
    PersonPath rest{next_id_++, who.points};
    rest.points.keep(cut, rest.points.size());
    who.points.keep(0, cut);
    paths_.push_back(std::move(rest));  // `who` is not used after this
    return {};
  }

  static std::string join(PersonPath& a, PersonPath& b) {
    if (&a == &b) return {};  // already one person
    std::vector<PathPoint> both;
    std::merge(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(), std::back_inserter(both),
               [](const PathPoint& p, const PathPoint& q) { return p.frame < q.frame; });
    for (size_t i = 1; i < both.size(); ++i)
      if (both[i].frame == both[i - 1].frame)
        return "both people are there in frame " + std::to_string(both[i].frame);
    a.id = std::min(a.id, b.id);
    a.points = PathPoints(both.begin(), both.end());
    b.points.clear();
    return {};
  }

  static void swap(PersonPath& a, PersonPath& b, int64_t frame) {
    const size_t cut_a = a.points.first_from(frame), cut_b = b.points.first_from(frame);
    const PathPoints before_a = a.points, before_b = b.points;
    const auto exchange_rest = [](PathPoints* points, size_t cut, const PathPoints& other, size_t from) {
      points->keep(0, cut);
      points->append(other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
    };
    exchange_rest(&a.points, cut_a, before_b, cut_b);
    exchange_rest(&b.points, cut_b, before_a, cut_a);
  }

  std::vector<PersonPath> paths_;
  int64_t next_id_ = 1;
};

// Returns why no one was named; empty: a person was.
std::string name_person(const std::vector<PersonPath>& paths, const IdentityRepair& repair,
                        PersonNames* names) {
  const std::optional<size_t> person = person_at(paths, repair.at);
  if (!person) return nobody_at(repair.at);
  if (repair.name.empty())
    names->erase(paths[*person].id);
  else
    (*names)[paths[*person].id] = repair.name;
  return {};
}

// Returns why the position is not the person's; empty: it is.
std::string not_there(const std::vector<PersonPath>& paths, const PlaceInTime& place, int64_t id) {
  const std::optional<size_t> there = person_at(paths, place);
  if (there && paths[*there].id == id) return {};
  return fmt::format("person {} is not at x {:.2f} m, y {:.2f} m in frame {}, ", id, place.x_m, place.y_m,
                     place.frame) +
         (there ? "person " + std::to_string(paths[*there].id) + " is" : "no one is");
}

}  // namespace

std::string_view repair_name(RepairKind kind) {
  constexpr std::array<std::string_view, kRepairKinds.size()> kNames = {"join", "split", "swap", "remove",
                                                                        "name", "same",  "apart"};
  return kNames[static_cast<size_t>(kind)];
}

bool has_second_position(RepairKind kind) {
  return kind == RepairKind::join || kind == RepairKind::swap || kind == RepairKind::same ||
         kind == RepairKind::apart;
}

namespace {

template <typename Indices>
std::optional<size_t> nearest_of(std::span<const PersonPath> paths, const Indices& some,
                                 const PlaceInTime& place) {
  std::optional<size_t> nearest;
  double nearest_m = kRepairReach_m;
  for (const size_t i : some) {
    const std::optional<PathPoint> point = paths[i].points.find(place.frame);
    if (!point) continue;
    const double distance_m = std::hypot(point->x_m - place.x_m, point->y_m - place.y_m);
    if (distance_m <= nearest_m) nearest = i, nearest_m = distance_m;
  }
  return nearest;
}

}  // namespace

std::optional<size_t> person_at(std::span<const PersonPath> paths, const PlaceInTime& place) {
  return nearest_of(paths, std::views::iota(size_t{0}, paths.size()), place);
}

std::optional<size_t> person_at(std::span<const PersonPath> paths, const PathsByFrame& by_frame,
                                const PlaceInTime& place) {
  return nearest_of(paths, by_frame.near(place.frame), place);
}

RepairedPaths apply_repairs(std::vector<PersonPath> paths, const std::vector<IdentityRepair>& repairs) {
  Repairer repairer(std::move(paths));
  RepairedPaths result;
  const auto apply = [&](size_t number, std::string why) {
    if (!why.empty()) result.unmet.push_back({number, std::move(why)});
  };
  for (size_t i = 0; i < repairs.size(); ++i)
    if (repairs[i].kind != RepairKind::name) apply(i, repairer.apply(repairs[i]));
  result.paths = repairer.finished();
  for (size_t i = 0; i < repairs.size(); ++i)
    if (repairs[i].kind == RepairKind::name) apply(i, name_person(result.paths, repairs[i], &result.names));
  std::sort(result.unmet.begin(), result.unmet.end(),
            [](const FailedRepair& a, const FailedRepair& b) { return a.number < b.number; });
  return result;
}

std::vector<size_t> names_of(const std::vector<PersonPath>& paths, const std::vector<IdentityRepair>& repairs,
                             int64_t id) {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < repairs.size(); ++i) {
    if (repairs[i].kind != RepairKind::name) continue;
    const std::optional<size_t> person = person_at(paths, repairs[i].at);
    if (person && paths[*person].id == id) numbers.push_back(i);
  }
  return numbers;
}

std::string why_not(const std::vector<PersonPath>& paths, const IntendedRepair& meant) {
  std::string why = not_there(paths, meant.repair.at, meant.at_id);
  if (why.empty() && has_second_position(meant.repair.kind))
    why = not_there(paths, meant.repair.other, meant.other_id);
  if (!why.empty()) return why;
  const RepairedPaths trial = apply_repairs(paths, {meant.repair});
  return trial.unmet.empty() ? std::string() : trial.unmet.front().why;
}

std::optional<PlaceInTime> unambiguous_position(const std::vector<PersonPath>& paths, int64_t id,
                                                int64_t frame) {
  const auto path =
      std::find_if(paths.begin(), paths.end(), [&](const PersonPath& one) { return one.id == id; });
  if (path == paths.end()) return std::nullopt;
  const auto tells = [&](const PathPoint& point) {
    return point.seen && not_there(paths, {point.frame, point.x_m, point.y_m}, id).empty();
  };
  if (const auto now = path->points.find(frame); now && tells(*now))
    return PlaceInTime{now->frame, now->x_m, now->y_m};
  const auto found = std::find_if(path->points.begin(), path->points.end(), tells);
  if (found == path->points.end()) return std::nullopt;
  return PlaceInTime{found->frame, found->x_m, found->y_m};
}

}  // namespace vantage
