#include "core/results/judged_tracks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/results/frame_lines.h"
#include "core/results/results_reader.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

fs::path tracks_file(const fs::path& given) {
  if (!fs::is_directory(given)) return given;
  return fs::exists(given / "repaired.csv") ? given / "repaired.csv" : given / "tracks.csv";
}

Status count_from_one(const fs::path& file, JudgedTracks* tracks) {
  const auto first = std::min_element(tracks->rows.begin(), tracks->rows.end(),
                                      [](const TrackRow& a, const TrackRow& b) { return a.frame < b.frame; });
  if (first == tracks->rows.end() || first->frame > 0) return {};
  if (first->frame < 0)
    return fail(ErrorKind::bad_data, "has a frame " + std::to_string(first->frame), file.string(),
                "Frames count from 1, or from 0.");
  tracks->counted_from_zero = true;
  for (TrackRow& row : tracks->rows) ++row.frame;
  log_info(file.string() + " has a frame 0, so it counts from 0: that is the recording's first frame");
  return {};
}

}  // namespace

Result<JudgedTracks> read_judged_tracks(const fs::path& given) {
  JudgedTracks tracks;
  const fs::path file = tracks_file(given);
  VANTAGE_ASSIGN(const std::string text, read_file(file));
  VANTAGE_ASSIGN(tracks.rows, read_mot_csv(text, file.string()));
  VANTAGE_TRY(count_from_one(file, &tracks));
  if (!fs::exists(results_file(given))) return tracks;
  VANTAGE_ASSIGN(const StoredResults results, read_results(given));
  for (const StoredFrame& frame : results.frames)
    if (frame.people_count < 0) tracks.unknown_frames.insert(frame.frame + 1);
  return tracks;
}

}  // namespace vantage
