// Ground truth that is drawn in a project, from other tools and for them. Boxes are those of an upright
// person at the position, within the picture; who has no height is 1.75 m tall for them.
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

// `camera`: whose boxes, of mot. Errors: not_found (no one was drawn), invalid_argument (boxes without a
// calibration; a position outside WILDTRACK's grid), io.
Status write_truth(const Project& project, TruthFormat format, std::optional<size_t> camera,
                   const std::filesystem::path& path);

// What a file or folder that read_ground_truth() takes says of people, as if it had been drawn. Of a CSV file
// every frame counts from its first to its last, in its smallest step: who has no row there is not there.
// Errors: those of read_ground_truth(); bad_data where it has no positions on the floor.
Result<std::vector<TruePerson>> read_drawn_truth(const std::filesystem::path& path,
                                                 const WildtrackOptions& options = {});

// Ground truth, wherever it lies: what tracks are compared with.

struct GroundTruth {
  std::vector<TrackRow> rows = {};               // frames count from 1, as in tracks.csv
  std::optional<std::set<int64_t>> frames = {};  // those that are annotated, likewise; nothing: all
  bool counted_from_zero = false;  // the file did, as its frame 0 says; the rows count from 1 all the same
  bool empty() const { return rows.empty(); }
};

// What was drawn: its annotated frames.
GroundTruth ground_truth_of(std::span<const TruePerson> drawn);
// Ground truth of a file in MOTChallenge's columns, of a folder of WILDTRACK's annotations, of a folder of
// results, or what was drawn in a project (NAME.vantage). Errors: those of reading; not_found where no one
// was drawn.
Result<GroundTruth> read_ground_truth(const std::filesystem::path& path,
                                      const WildtrackOptions& options = {});

// Only of frames that are annotated.
void keep_annotated(const GroundTruth& truth, std::vector<TrackRow>* given);

}  // namespace vantage
