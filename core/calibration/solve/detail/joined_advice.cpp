#include "core/calibration/solve/detail/joined_advice.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/formatted.h"

namespace vantage {
namespace {

struct LinkedGroup {
  std::set<int> cameras, boards;  // boards that are linked with one that these cameras see
  std::set<int64_t> instants;     // at which they see one
};

std::string joined_names(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string cameras_text(const JoinedInput& input, const LinkedGroup& group) {
  std::set<std::string> names;
  for (const int camera : group.cameras) names.insert(input.camera_names[static_cast<size_t>(camera)]);
  return joined_names(names);
}

// "board 3", "one of the boards 1, 2".
std::string boards_text(const LinkedGroup& group) {
  std::set<std::string> numbers;
  for (const int board : group.boards) numbers.insert(std::to_string(board + 1));
  return (numbers.size() == 1 ? "board " : "one of the boards ") + joined_names(numbers);
}

std::vector<LinkedGroup> groups_of(const JoinedInput& input, const std::vector<PosedView>& views,
                                   const BoardLinks& links) {
  std::map<int, LinkedGroup> groups;
  for (const PosedView& view : views) {
    const auto camera = static_cast<size_t>(view.view.camera);
    if (input.hand_held[camera]) continue;
    LinkedGroup& group = groups[links.camera_group[camera]];
    group.cameras.insert(view.view.camera), group.instants.insert(view.view.instant);
    for (size_t b = 0; b < links.board_group.size(); ++b)
      if (links.board_group[b] == links.board_group[static_cast<size_t>(view.view.board)])
        group.boards.insert(static_cast<int>(b));
  }
  std::vector<LinkedGroup> list;
  for (auto& [number, group] : groups) list.push_back(std::move(group));
  return list;
}

}  // namespace

Error not_linked(const JoinedInput& input, const std::vector<PosedView>& views, const BoardLinks& links) {
  const std::vector<LinkedGroup> groups = groups_of(input, views, links);
  const LinkedGroup &first = groups[0], &other = groups[1];
  Error error{
      ErrorKind::bad_data,
      formatted("no picture links this camera's boards (%s) with those of %s (%s)",
                boards_text(other).c_str(), cameras_text(input, first).c_str(), boards_text(first).c_str()),
      cameras_text(input, other), ""};
  const auto both = std::count_if(first.instants.begin(), first.instants.end(),
                                  [&](int64_t instant) { return other.instants.count(instant) > 0; });
  const bool held = std::find(input.hand_held.begin(), input.hand_held.end(), true) != input.hand_held.end();
  if (held)
    error.remedy = formatted(
        "Film %s and %s at once with the hand-held camera: no picture shows both. Boards between them will "
        "do, too, if each picture shows two.",
        boards_text(first).c_str(), boards_text(other).c_str());
  else if (both > 1)
    error.remedy = formatted(
        "Both see boards that are carried together at %d instants, which do not determine their relative "
        "pose: turn the boards to several sides, about more than one axis, while both see one. If boards lie "
        "still, film two at once with a hand-held camera (--hand-held).",
        static_cast<int>(both));
  else
    error.remedy =
        "Carry the boards so that both see one at the same time, turned to several sides, or let one camera "
        "see two boards at once. If boards lie still, film two at once with a hand-held camera "
        "(--hand-held).";
  return error;
}

}  // namespace vantage
