// Identities repaired by hand. A repair is a statement about positions and times, not about numbers, so it
// can be applied again to the tracks of every later run; one that does not apply any more is listed and left
// out. Repairs are applied in their order, each to what the earlier ones made. The person who stood at a
// position is the nearest within kRepairReach_m of it in that frame.
//   join     who stood at `at` and who stood at `other` are one person
//   split    who stood at `at` is another person from that frame on
//   swap     who stood at `at` and `other`, in one frame, exchanged their numbers there: from that frame on
//            they change back
//   remove   who stood at `at` is not a person
//   name     who stands at `at` after all other repairs is called so; of several names the last, and an empty
//            one removes the name
//   same     who stood at `at` and who stood at `other` were examined, and are one person: changes nothing,
//            and does not apply where the tracks have two
//   apart    likewise two people: does not apply where the tracks have one
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/people/floor_person.h"
#include "core/people/paths_by_frame.h"

namespace vantage {

inline constexpr double kRepairReach_m = 0.5;

enum class RepairKind : uint8_t { join, split, swap, remove, name, same, apart };
inline constexpr std::array kRepairKinds = {RepairKind::join,   RepairKind::split, RepairKind::swap,
                                            RepairKind::remove, RepairKind::name,  RepairKind::same,
                                            RepairKind::apart};
std::string_view repair_name(RepairKind kind);  // "join"
// Whether it has `other`: join, swap, same and apart.
bool has_second_position(RepairKind kind);

struct PlaceInTime {
  int64_t frame = 0;
  double x_m = 0, y_m = 0;
  bool operator==(const PlaceInTime&) const = default;
};

struct IdentityRepair {
  RepairKind kind = RepairKind::join;
  PlaceInTime at, other;  // `other` where has_second_position()
  std::string name = {};  // of name
  bool operator==(const IdentityRepair&) const = default;
};

// A repair with those whom it means, by their numbers in the tracks as they are: what a person chose and saw.
struct IntendedRepair {
  IdentityRepair repair;
  int64_t at_id = 0, other_id = 0;  // who stands at `at` and, where there is one, at `other`
};

struct FailedRepair {
  size_t number = 0;  // among the repairs
  std::string why;    // "no one stood within 0.5 m of x 1.20 m, y 3.40 m in frame 812"
};

// What people are called, by number.
using PersonNames = std::map<int64_t, std::string>;

struct RepairedPaths {
  std::vector<PersonPath> paths;  // by number
  PersonNames names;
  std::vector<FailedRepair> unmet;
};

// Joined people have the smaller number, split off ones a new one. A join of people who are both there in
// some frame, and a swap in two frames, do not hold.
RepairedPaths apply_repairs(std::vector<PersonPath> paths, const std::vector<IdentityRepair>& repairs);

// Compared with these paths before it is written: why it would not do what is meant, because another person
// stands at one of its positions or because it does not hold. Empty: it does.
std::string why_not(const std::vector<PersonPath>& paths, const IntendedRepair& meant);

// The numbers among the repairs of those that name the person who has this number.
std::vector<size_t> names_of(const std::vector<PersonPath>& paths, const std::vector<IdentityRepair>& repairs,
                             int64_t id);

// A place that tells of this path alone: in that frame, else where the person was found first; a position
// between two sightings is a guess and tells nothing. Nothing: there is none, someone else is always nearer.
std::optional<PlaceInTime> unambiguous_position(const std::vector<PersonPath>& paths, int64_t id,
                                                int64_t frame);

// The person whom a repair means.

// Which path is there in that frame, the nearest within kRepairReach_m; nothing: no one stood there.
std::optional<size_t> person_at(std::span<const PersonPath> paths, const PlaceInTime& place);
// The same; `by_frame` of these paths spares looking at all of them.
std::optional<size_t> person_at(std::span<const PersonPath> paths, const PathsByFrame& by_frame,
                                const PlaceInTime& place);

}  // namespace vantage
