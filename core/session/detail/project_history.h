// Undo and redo of changes of the project. A slider being dragged is one change: changes of one name that
// follow each other within a second are undone together.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/project/project.h"

namespace vantage {

class ProjectHistory {
 public:
  void clear() { undo_.clear(), redo_.clear(), last_name_.clear(); }
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }

  // `name` has changed from what `before` holds.
  void note(Project before, const std::string& name, int64_t now_ns) {
    const bool same = name == last_name_ && now_ns - last_ns_ < 1'000'000'000 && !undo_.empty();
    if (!same) undo_.push_back(std::move(before));
    redo_.clear();
    last_name_ = name;
    last_ns_ = now_ns;
  }
  // Only when can_undo() or can_redo(); `present` is what the other direction leads back to. Where the
  // project is saved is no part of it: the path stays.
  Project undo(const Project& present) { return move(undo_, redo_, present); }
  Project redo(const Project& present) { return move(redo_, undo_, present); }

 private:
  Project move(std::vector<Project>& from, std::vector<Project>& to, const Project& present) {
    to.push_back(present);
    Project result = std::move(from.back());
    from.pop_back();
    result.path = present.path;
    last_name_.clear();
    return result;
  }

  std::vector<Project> undo_, redo_;
  std::string last_name_;
  int64_t last_ns_ = 0;
};

}  // namespace vantage
