#include "core/foreground/clean_image.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/foreground/gaussian_kernel.h"

namespace vantage {
namespace {

constexpr int kRowsPerTask = 32;

void clean(const ImageView<const uint8_t>& in, CleaningStep step, const ImageView<uint8_t>& out) {
  const int radius = step.radius;
  tbb::parallel_for(tbb::blocked_range<int>(0, in.height, kRowsPerTask), [&](const auto& range) {
    // Beyond the border stands what no minimum or maximum chooses.
    std::vector<uint8_t> row(static_cast<size_t>(in.width + 2 * radius),
                             step.maximum ? uint8_t{0} : uint8_t{255});
    for (int y = range.begin(); y < range.end(); ++y) {
      const uint8_t* rows[4 * kMaxCleaningRadius + 1];
      const int first = std::max(0, y - radius), last = std::min(in.height - 1, y + radius);
      for (int v = first; v <= last; ++v) rows[v - first] = in.row(v);
      foreground::extreme_of_rows(rows, last - first + 1, in.width, step.maximum, row.data() + radius);
      foreground::extreme_along_row(row.data() + radius, in.width, radius, step.maximum, out.row(y));
    }
  });
}

}  // namespace

void clean_image(Image& votes, Image& spare, const std::vector<CleaningStep>& steps) {
  for (const CleaningStep step : steps) {
    clean(votes.view<uint8_t>(), step, spare.writable_view<uint8_t>());
    std::swap(votes, spare);
  }
}

}  // namespace vantage
