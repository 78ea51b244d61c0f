#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "core/results/compare_results.h"
#include "core/results/compare_trackers.h"
#include "core/results/judged_tracks.h"

namespace vantage {

Result<std::vector<ComparedFigure>> compare_by_truth(const std::filesystem::path& first,
                                                     const std::filesystem::path& second,
                                                     const GroundTruth& truth,
                                                     const BootstrapOptions& options) {
  VANTAGE_ASSIGN(JudgedTracks a, read_judged_tracks(first));
  VANTAGE_ASSIGN(JudgedTracks b, read_judged_tracks(second));
  std::vector<TrackRow> true_rows = truth.rows;
  std::set<int64_t> unknown = std::move(a.unknown_frames);
  unknown.merge(b.unknown_frames);
  for (std::vector<TrackRow>* rows : {&a.rows, &b.rows}) keep_annotated(truth, rows);
  for (std::vector<TrackRow>* rows : {&a.rows, &b.rows, &true_rows})
    std::erase_if(*rows, [&](const TrackRow& row) { return unknown.contains(row.frame); });
  if (true_rows.empty()) return std::vector<ComparedFigure>();
  const EvaluationOptions how{TrackSpace::world, kComparedWithin_m};
  VANTAGE_ASSIGN(const MatchedTracks of_a, MatchedTracks::make(true_rows, std::move(a.rows), how));
  VANTAGE_ASSIGN(const MatchedTracks of_b, MatchedTracks::make(std::move(true_rows), std::move(b.rows), how));
  return compare_figures(of_a.counts(), of_b.counts(), how.space, options);
}

}  // namespace vantage
