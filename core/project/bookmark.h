// An instant that a person wants to find again, with a note: in general, or of a place on the floor or the
// person who stands there then.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vantage {

// One frame has at most one.
struct Bookmark {
  int64_t frame = 0;  // of the base camera
  std::string note = {};
  // IDs belong to one run; who stood there is found again by the place, as repairs do.
  std::optional<Eigen::Vector2d> place_m = {};
  bool operator==(const Bookmark&) const = default;
};

// Puts it in its place by frame, instead of the one that is there.
void set_bookmark(std::vector<Bookmark>* bookmarks, Bookmark bookmark);
// False: there is none of that frame.
bool remove_bookmark(std::vector<Bookmark>* bookmarks, int64_t frame);

}  // namespace vantage
