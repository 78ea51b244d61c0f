// Reads and writes ground truth drawn in a project, for other tools. Boxes are those of an upright person at
// the position, within the picture, of 1.75 m where no height is known.
//
//   mot        one CSV file in MOTChallenge's columns: positions on the floor, or with a camera only whom it
//              sees, with boxes
//   coco       one JSON file: an image for every camera and frame ("cam1/000012.png", no one writes these
//              pictures), category 1 person, each annotation with `track_id`
//   wildtrack  a folder of one JSON file a frame, 00000012.json, as core/metrics/wildtrack.h has them
//
// Frames count from 1 in mot, from 0 in the others. Only annotated frames are written; a folder's and coco's
// also where no one stands.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/metrics/drawn_truth.h"
#include "core/metrics/wildtrack.h"
#include "core/project/project.h"

namespace vantage {

enum class TruthFormat : uint8_t { mot, coco, wildtrack };
inline constexpr std::array<std::string_view, 3> kTruthFormats = {"mot", "coco", "wildtrack"};

// `camera`: whose boxes mot has. Errors: not_found (no one was drawn), invalid_argument (boxes without a
// calibration; a position outside WILDTRACK's grid), io.
Status write_truth(const Project& project, TruthFormat format, std::optional<size_t> camera,
                   const std::filesystem::path& path);

// Reads people from a file or folder that read_ground_truth() accepts, as if they had been drawn. In a CSV
// file every frame from the first to the last counts, at its smallest distance; people without a row are not
// there. Errors: those of read_ground_truth(); bad_data without positions on the floor.
Result<std::vector<TruePerson>> read_drawn_truth(const std::filesystem::path& path,
                                                 const WildtrackOptions& options = {});

// Ground truth from any source, to compare tracks with.

struct GroundTruth {
  std::vector<TrackRow> rows = {};               // frames count from 1, as in tracks.csv
  std::optional<std::set<int64_t>> frames = {};  // annotated frames, counted likewise; nothing: all
  bool counted_from_zero = false;                // the file has a frame 0; the rows count from 1 all the same
  bool empty() const { return rows.empty(); }
};

// The annotated frames of a project's drawing.
GroundTruth ground_truth_of(std::span<const TruePerson> drawn);
// Reads ground truth from a file in MOTChallenge's columns, a folder of WILDTRACK's annotations, a folder of
// results, or a project's drawing (NAME.vantage). Errors: those of reading; not_found where no one was drawn.
Result<GroundTruth> read_ground_truth(const std::filesystem::path& path,
                                      const WildtrackOptions& options = {});

// Keeps only annotated frames.
void keep_annotated(const GroundTruth& truth, std::vector<TrackRow>* given);

}  // namespace vantage
