#include "core/heads/heads_cpu.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/algorithms.h"
#include "core/heads/detail/head_rows.h"
#include "core/heads/head_window.h"

namespace vantage {
namespace {

// The pixel that each weak classifier reads, relative to a window's first pixel in the first plane, for each
// level.
std::vector<std::vector<int32_t>> offsets_of(const HeadPlanes& planes, const HeadSearch& search,
                                             const HeadModel& model) {
  std::vector<std::vector<int32_t>> offsets;
  for (const HeadLevel& level : search.levels) {
    std::vector<int32_t>& of_level = offsets.emplace_back();
    for (const WeakHeadClassifier& weak : model.weak)
      of_level.push_back(
          static_cast<int32_t>(weak.block * planes.plane_bytes() + weak.y * level.stride + weak.x));
  }
  return offsets;
}

// Neighbouring tiles of a row are searched as one: its vectors are full.
struct Run {
  HeadTile first;
  int width;
};
std::vector<Run> runs_of(const HeadSearch& search) {
  std::vector<Run> runs;
  for (const HeadTile& tile : search.tiles) {
    if (!runs.empty() && runs.back().first.level == tile.level && runs.back().first.y == tile.y &&
        runs.back().first.x + runs.back().width == tile.x)
      runs.back().width += kHeadTileWidth;
    else
      runs.push_back({tile, kHeadTileWidth});
  }
  return runs;
}

class CpuHeadDetector final : public HeadDetector {
 public:
  explicit CpuHeadDetector(std::shared_ptr<const HeadModel> model) : model_(std::move(model)) {}

  Status prepare(HeadSearch search, const HeadParameters& parameters) override {
    search_ = std::move(search);
    parameters_ = parameters;
    return {};
  }

  Result<HeadsInView> detect(const Picture& picture, int64_t) override {
    VANTAGE_TRY(check_head_picture(picture, search_, MemoryKind::host));
    planes_.build(picture.plane(0), search_);
    std::vector<HeadHit> hits =
        find_head_windows(planes_, search_, *model_, windows_from(search_, *model_, parameters_));
    HeadsInView view;
    VANTAGE_ASSIGN(view.heads, suppress_heads(hits, search_, *model_, parameters_));
    VANTAGE_TRY(add_faint_heads(std::move(hits), search_, *model_, parameters_, &view));
    return view;
  }

 private:
  const std::shared_ptr<const HeadModel> model_;
  HeadSearch search_;
  HeadParameters parameters_;
  HeadPlanes planes_;
};

}  // namespace

std::vector<HeadHit> find_head_windows(const HeadPlanes& planes, const HeadSearch& search,
                                       const HeadModel& model, int32_t accept_from) {
  const std::vector<std::vector<int32_t>> offsets = offsets_of(planes, search, model);
  const std::vector<Run> runs = runs_of(search);
  tbb::enumerable_thread_specific<std::vector<HeadHit>> found;
  tbb::parallel_for(size_t{0}, runs.size(), [&](size_t i) {
    const Run& run = runs[i];
    const HeadLevel& level = search.levels[run.first.level];
    heads::HeadRow row;
    row.model = &model;
    row.offsets = offsets[run.first.level].data();
    row.count = std::min(run.width, level.width - kHeadWindow + 1 - run.first.x);
    row.step = level.window_step;
    row.accept_from = accept_from;
    std::vector<heads::RowHit> hits;
    const int end = std::min(run.first.y + kHeadTileHeight, level.height - kHeadWindow + 1);
    for (int y = run.first.y; y < end; y += level.window_step) {
      hits.clear();
      row.codes = planes.codes(level, 0) + static_cast<size_t>(y) * level.stride + run.first.x;
      heads::classify_row(row, &hits);
      for (const heads::RowHit& hit : hits)
        found.local().push_back({heads::key_of(run.first.level, run.first.x + hit.x, y), hit.score});
    }
  });
  std::vector<HeadHit> all;
  for (const std::vector<HeadHit>& part : found) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end(), [](const HeadHit& a, const HeadHit& b) { return a.key < b.key; });
  return all;
}

void register_heads_cpu(BackendRegistry& registry) {
  registry.add<HeadDetector>(
      Device::cpu,
      [](const BackendContext&,
         const HeadDetector::Arguments& arguments) -> Result<std::unique_ptr<HeadDetector>> {
        return std::make_unique<CpuHeadDetector>(arguments.model);
      });
}

}  // namespace vantage
