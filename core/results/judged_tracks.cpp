#include "core/results/judged_tracks.h"

#include <string>
#include <utility>

#include "core/base/file.h"
#include "core/results/frame_lines.h"
#include "core/results/results_reader.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

fs::path tracks_file(const fs::path& given) {
  if (!fs::is_directory(given)) return given;
  return fs::exists(given / "repaired.csv") ? given / "repaired.csv" : given / "tracks.csv";
}

}  // namespace

Result<JudgedTracks> read_judged_tracks(const fs::path& given) {
  JudgedTracks tracks;
  const fs::path file = tracks_file(given);
  VANTAGE_ASSIGN(const std::string text, read_file(file));
  VANTAGE_ASSIGN(tracks.rows, read_mot_csv(text, file.string()));
  if (!fs::exists(results_file(given))) return tracks;
  VANTAGE_ASSIGN(const StoredResults results, read_results(given));
  for (const StoredFrame& frame : results.frames)
    if (frame.people_count < 0) tracks.unknown_frames.insert(frame.frame + 1);
  return tracks;
}

}  // namespace vantage
