// The letters of what is drawn into pictures without a window: a sans-serif font of this machine.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace vantage {

// Not thread-safe: one a thread.
class Font {
 public:
  // Errors: not_found where the machine has no font; bad_data.
  static Result<std::unique_ptr<Font>> open();
  ~Font();

  // UTF-8; bytes that are no UTF-8 show as U+FFFD. `height_px`: of a capital letter and what hangs below a
  // line together, about.
  int width_px(const std::string& text, int height_px);
  // Calls put() for every pixel that is covered, from 1 to 255, with letters from `left` on the line `base`.
  void draw(const std::string& text, int left, int base, int height_px,
            const std::function<void(int x, int y, int cover)>& put);

 private:
  struct Face;
  explicit Font(std::unique_ptr<Face> face);
  std::unique_ptr<Face> face_;
};

}  // namespace vantage
