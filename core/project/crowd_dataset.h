// Imports public footage of crowds with its ground truth: a folder of pictures per camera (Image_subsets/C1,
// C2, …, named by their numbers), calibrations/extrinsic/extr_NAME.xml with intr_NAME.xml in intrinsic_zero
// or intrinsic, in the folders' order, and annotations_positions/NUMBER.json with the people of that number's
// pictures (core/metrics/wildtrack.h).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/fusion/fusion.h"
#include "core/metrics/wildtrack.h"
#include "core/project/project.h"

namespace vantage {

struct CrowdLayout {
  std::string_view name, help;  // "wildtrack"
  AnnotationGrid grid;          // in the calibrations' world
  double unit_m = 1;            // the calibrations'
  double frame_rate = 2;        // annotated pictures/s
};
std::span<const CrowdLayout> crowd_layouts();

struct CrowdDataset {
  Project project;               // not saved yet; its area is the grid's rectangle
  std::vector<TrackRow> truth;   // frames from 1
  FloorRectangle region;         // the grid's, in the project's world
  int64_t frames = 0;            // number per camera
  int64_t first_test_frame = 0;  // counted from 0: publications report on the last tenth
};

// `detections`: one file per camera in the folders' order, or none. The world's z points up in the project:
// where the calibrations place cameras below the floor it is turned about x, with the ground truth. Errors:
// not_found; bad_data where cameras have different pictures, or an annotation cannot be parsed.
Result<CrowdDataset> read_crowd_dataset(const std::filesystem::path& folder, const CrowdLayout& layout,
                                        const std::vector<std::string>& detections = {});

}  // namespace vantage
