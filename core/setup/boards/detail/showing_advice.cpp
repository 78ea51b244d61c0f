#include "core/setup/boards/detail/showing_advice.h"

#include <algorithm>
#include <vector>

namespace vantage {
namespace {

constexpr int kMinPairSets = 3;  // one may be off; three tell

std::string joined(const std::vector<std::string>& names, const char* last) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? last : ", ") + names[i];
  return text;
}

// The first camera that each camera is linked with, over others or not.
std::vector<size_t> groups_of(const CollectedBoards& collected) {
  std::vector<size_t> group(collected.cameras.size());
  for (size_t c = 0; c < group.size(); ++c) group[c] = c;
  for (size_t pass = 0; pass < group.size(); ++pass)
    for (const LinkedCameras& pair : collected.pairs)
      if (pair.sets >= kMinPairSets)
        group[pair.first] = group[pair.second] = std::min(group[pair.first], group[pair.second]);
  return group;
}

// Empty: all cameras are linked.
std::string next_link(const CollectedBoards& collected) {
  const std::vector<size_t> group = groups_of(collected);
  const auto apart = std::find_if(group.begin(), group.end(), [](size_t first) { return first != 0; });
  if (apart == group.end()) return {};
  std::vector<std::string> here, others;
  for (size_t c = 0; c < group.size(); ++c)
    (group[c] == *apart ? here : others).push_back(collected.cameras[c].name);
  return "Show the board to " + joined(here, " or ") + " and " + joined(others, " or ") + " at once.";
}

}  // namespace

std::string next_for(const CollectedCamera& camera) {
  if (camera.kept.views.empty()) return "show it the board";
  if (!camera.solve_lens) return {};
  const auto uncovered = uncovered_places(camera.coverage);
  // What is slanted reaches other parts, too.
  if (camera.slanted < kMinSlantedBoards &&
      camera.slanted * 2 < static_cast<int>(camera.kept.views.size()) - 1)
    return "slant the board, each time to another side";
  if (!uncovered.empty())
    return "bring the board to the " + std::string(uncovered.front()) + " of its picture";
  if (camera.slanted < kMinSlantedBoards) return "slant the board, each time to another side";
  return {};
}

std::string next_for_all(const CollectedBoards& collected) {
  if (collected.cameras.empty()) return "There is no camera.";
  const auto any = [&](BoardMotion motion) {
    return std::any_of(collected.cameras.begin(), collected.cameras.end(),
                       [motion](const CollectedCamera& camera) { return camera.motion == motion; });
  };
  const std::string still = any(BoardMotion::moving) ? "Hold the board still. " : "";
  if (collected.sets == 0)
    return still.empty() ? "Show the board to the cameras and hold it still." : "Hold the board still.";
  std::vector<std::string> blind;
  for (const CollectedCamera& camera : collected.cameras)
    if (camera.kept.views.empty()) blind.push_back(camera.name);
  if (!blind.empty()) return still + "Show the board to " + joined(blind, " and ") + ".";
  if (const std::string link = next_link(collected); !link.empty()) return still + link;
  const CollectedCamera* least = nullptr;
  for (const CollectedCamera& camera : collected.cameras)
    if (!camera.next.empty() && (!least || camera.covered_percent < least->covered_percent)) least = &camera;
  if (least) return still + least->name + ": " + least->next + ".";
  return "All cameras have seen enough: solve.";
}

bool is_enough(const CollectedBoards& collected) {
  return !collected.cameras.empty() && next_link(collected).empty() &&
         std::all_of(collected.cameras.begin(), collected.cameras.end(),
                     [](const CollectedCamera& camera) { return camera.next.empty(); });
}

}  // namespace vantage
