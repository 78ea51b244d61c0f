#include "core/project/bookmark.h"

#include <algorithm>
#include <utility>

namespace vantage {

void set_bookmark(std::vector<Bookmark>* bookmarks, Bookmark bookmark) {
  remove_bookmark(bookmarks, bookmark.frame);
  const auto behind = std::ranges::upper_bound(*bookmarks, bookmark.frame, {}, &Bookmark::frame);
  bookmarks->insert(behind, std::move(bookmark));
}

bool remove_bookmark(std::vector<Bookmark>* bookmarks, int64_t frame) {
  return std::erase_if(*bookmarks, [&](const Bookmark& one) { return one.frame == frame; }) > 0;
}

}  // namespace vantage
