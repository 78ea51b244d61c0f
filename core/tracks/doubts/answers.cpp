// What an answer to a doubt is as repairs, and which repairs answer one.
#include <algorithm>
#include <array>

#include "core/tracks/doubts/doubts.h"
#include "core/tracks/repairs/person_at.h"

namespace vantage {
namespace {

bool stands_there(std::span<const PersonPath> paths, const PlaceInTime& place, const Doubt& doubt) {
  const std::optional<size_t> there = person_at(paths, place);
  return there && (paths[*there].id == doubt.person || (doubt.other > 0 && paths[*there].id == doubt.other));
}

bool answers(const Doubt& doubt, std::span<const PersonPath> paths, const IdentityRepair& repair) {
  switch (repair.kind) {
    case RepairKind::swap:
      if (doubt.kind != DoubtKind::passage || !stands_there(paths, repair.other, doubt)) return false;
      [[fallthrough]];
    case RepairKind::split:
      return repair.at.frame >= doubt.before.frame && repair.at.frame <= doubt.behind.frame &&
             stands_there(paths, repair.at, doubt);
    case RepairKind::join:
    case RepairKind::same:
    case RepairKind::apart: {
      const auto [first, last] = std::minmax(repair.at.frame, repair.other.frame);
      return first <= doubt.before.frame && last >= doubt.behind.frame &&
             stands_there(paths, repair.at, doubt) && stands_there(paths, repair.other, doubt);
    }
    case RepairKind::remove:
    case RepairKind::name:
      return false;
  }
  return false;
}

}  // namespace

std::vector<MeantRepair> repairs_for(const Doubt& doubt, DoubtAnswer answer) {
  const bool passage = doubt.kind == DoubtKind::passage, restart = doubt.kind == DoubtKind::restart;
  const int64_t who_behind = restart ? doubt.other : doubt.person;
  const auto of_two = [&](RepairKind kind) {
    return MeantRepair{{kind, doubt.before, doubt.behind}, doubt.person, who_behind};
  };
  const MeantRepair cut{{RepairKind::split, doubt.behind, {}}, doubt.person, 0};
  switch (answer) {
    case DoubtAnswer::right:
      return {of_two(restart ? RepairKind::apart : RepairKind::same)};
    case DoubtAnswer::other:
      if (restart) return {of_two(RepairKind::join)};
      if (!passage) return {cut};
      return {{{RepairKind::swap, doubt.behind, doubt.other_behind}, doubt.person, doubt.other}};
    case DoubtAnswer::cut:
      if (restart) return {};  // they are two already
      if (!passage) return {cut};
      return {cut, {{RepairKind::split, doubt.other_behind, {}}, doubt.other, 0}};
  }
  return {};
}

bool is_answered(const Doubt& doubt, std::span<const PersonPath> paths,
                 const std::vector<IdentityRepair>& repairs) {
  return std::ranges::any_of(repairs, [&](const IdentityRepair& one) { return answers(doubt, paths, one); });
}

std::vector<Doubt> unanswered(std::vector<Doubt> doubts, std::span<const PersonPath> paths,
                              const std::vector<IdentityRepair>& repairs) {
  std::erase_if(doubts, [&](const Doubt& doubt) { return is_answered(doubt, paths, repairs); });
  return doubts;
}

}  // namespace vantage
