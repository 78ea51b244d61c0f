// Identities repaired by hand. A repair is a statement about positions and times, not about IDs, so it can be
// applied again to the tracks of every later run; one that no longer applies is listed and left out. Repairs
// are applied in their order, each to the result of the earlier ones. The person at a position is the nearest
// within kRepairReach_m of it in that frame.
//   join     the people at `at` and at `other` are one person
//   split    the person at `at` is another one from that frame on
//   swap     the people at `at` and `other`, in one frame, exchanged IDs there: from that frame on they are
//            exchanged back
//   remove   the person at `at` is not a person
//   name     names the person at `at` after all other repairs; of several names the last counts, an empty one
//            removes the name
//   same     the people at `at` and at `other` were examined, and are one person: changes nothing, and does
//            not apply where the tracks have two
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
// The kind has `other`: join, swap, same and apart.
bool has_second_position(RepairKind kind);

struct PlaceInTime {
  int64_t frame = 0;
  double x_m = 0, y_m = 0;
  bool operator==(const PlaceInTime&) const = default;
};

struct IdentityRepair {
  RepairKind kind = RepairKind::join;
  PlaceInTime at, other;  // `other` where has_second_position()
  std::string name = {};  // for RepairKind::name
  bool operator==(const IdentityRepair&) const = default;
};

// A repair with the people that it is meant for, by their IDs in the tracks as they are, which the user saw.
struct IntendedRepair {
  IdentityRepair repair;
  int64_t at_id = 0, other_id = 0;  // the people at `at` and, if there is one, at `other`
};

struct FailedRepair {
  size_t number = 0;  // index among the repairs
  std::string why;    // "no one was within 0.5 m of x 1.20 m, y 3.40 m in frame 812"
};

// People's names, by ID.
using PersonNames = std::map<int64_t, std::string>;

struct RepairedPaths {
  std::vector<PersonPath> paths;  // sorted by ID
  PersonNames names;
  std::vector<FailedRepair> unmet;
};

// Joined people get the smaller ID, split ones a new one. A join of people who are both there in some frame,
// and a swap in two frames, do not apply.
RepairedPaths apply_repairs(std::vector<PersonPath> paths, const std::vector<IdentityRepair>& repairs);

// Compares the repair with these paths before it is stored. Returns why it would not do what is meant,
// because another person is at one of its positions or because it does not apply; empty: it would.
std::string why_not(const std::vector<PersonPath>& paths, const IntendedRepair& meant);

// Indices of the repairs that name the person of this ID.
std::vector<size_t> names_of(const std::vector<PersonPath>& paths, const std::vector<IdentityRepair>& repairs,
                             int64_t id);

// A position that belongs to this path alone: in that frame, else in the first one with a sighting; positions
// between sightings are guesses and do not count. Nothing: another person is always nearer.
std::optional<PlaceInTime> unambiguous_position(const std::vector<PersonPath>& paths, int64_t id,
                                                int64_t frame);

// The person that a repair means.

// The nearest path within kRepairReach_m in that frame; nothing: no one was there.
std::optional<size_t> person_at(std::span<const PersonPath> paths, const PlaceInTime& place);
// The same; `by_frame`, of these paths, avoids searching all of them.
std::optional<size_t> person_at(std::span<const PersonPath> paths, const PathsByFrame& by_frame,
                                const PlaceInTime& place);

}  // namespace vantage
