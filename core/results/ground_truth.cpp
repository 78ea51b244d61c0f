#include "core/results/ground_truth.h"

#include <utility>

#include "core/project/project.h"
#include "core/results/judged_tracks.h"

namespace vantage {

GroundTruth ground_truth_of(std::span<const TruePerson> drawn) {
  GroundTruth truth{truth_rows(drawn), std::set<int64_t>()};
  const AnnotatedFrames frames = annotated_frames(drawn);
  for (int64_t frame = frames.first; frame <= frames.last; ++frame) truth.frames->insert(frame + 1);
  return truth;
}

Result<GroundTruth> read_ground_truth(const std::filesystem::path& path, const WildtrackOptions& options) {
  if (path.extension() == ".vantage") {
    VANTAGE_ASSIGN(const Project project, load_project(path));
    if (project.truth.empty())
      return fail(ErrorKind::not_found, "holds no ground truth", path.string(),
                  "Draw it in the window (Shift+T), or import it with `vantage-cli truth`.");
    return ground_truth_of(project.truth);
  }
  std::error_code none;
  if (is_wildtrack(path) && !std::filesystem::exists(path / "tracks.csv", none)) {
    VANTAGE_ASSIGN(WildtrackTracks tracks, read_wildtrack(path, options));
    return GroundTruth{std::move(tracks.rows), std::move(tracks.frames)};
  }
  VANTAGE_ASSIGN(JudgedTracks tracks, read_judged_tracks(path));
  return GroundTruth{std::move(tracks.rows), std::nullopt, tracks.counted_from_zero};
}

void keep_annotated(const GroundTruth& truth, std::vector<TrackRow>* given) {
  if (truth.frames)
    std::erase_if(*given, [&](const TrackRow& row) { return !truth.frames->contains(row.frame); });
}

}  // namespace vantage
