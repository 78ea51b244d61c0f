// Undo and redo of parameter changes. A slider being dragged is one change: changes of one parameter that
// follow each other within a second are taken back together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/parameters.h"

namespace vantage {

class ParameterHistory {
 public:
  void clear() { undo_.clear(), redo_.clear(), last_name_.clear(); }
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }

  // Before `name` changes from what `before` holds.
  void note(const ParameterStore& before, const std::string& name, int64_t now_ns) {
    const bool same = name == last_name_ && now_ns - last_ns_ < 1'000'000'000 && !undo_.empty();
    if (!same) undo_.push_back(before);
    redo_.clear();
    last_name_ = name;
    last_ns_ = now_ns;
  }
  // Only when can_undo() or can_redo(); `present` is what the other direction leads back to.
  ParameterStore undo(const ParameterStore& present) { return move(undo_, redo_, present); }
  ParameterStore redo(const ParameterStore& present) { return move(redo_, undo_, present); }

 private:
  ParameterStore move(std::vector<ParameterStore>& from, std::vector<ParameterStore>& to,
                      const ParameterStore& present) {
    to.push_back(present);
    ParameterStore result = std::move(from.back());
    from.pop_back();
    last_name_.clear();
    return result;
  }

  std::vector<ParameterStore> undo_, redo_;
  std::string last_name_;
  int64_t last_ns_ = 0;
};

}  // namespace vantage
