// Which lines are compared for every pair of a project's cameras, and what comes of a frame's sums.
#pragma once

#include <cstdint>
#include <vector>

#include "core/project/project.h"
#include "core/sync/signatures.h"
#include "core/sync/sync.h"

namespace vantage {

// The lines whose signals a pair's are; empty where it has none.
struct EpipolarLinePairs {
  std::vector<LineSegment> first, second;
};

struct EpipolarPairs {
  std::vector<PairSignals> pairs;  // every pair of cameras, without signals; some say why they are impossible
  std::vector<EpipolarLinePairs> lines;     // by pair
  SignatureExtractor::Arguments arguments;  // of the possible pairs
  std::vector<size_t> extracted;            // by pair of the extractor: which of `pairs`
};

// The project is calibrated; of its cameras as they stand at that frame set.
EpipolarPairs choose_epipolar_pairs(const Project& project, int lines, int64_t frame);

// One frame's sums of a row, appended to the signals; `valid`: whether the camera had something to compare.
void append_sums(const uint32_t* sums, bool valid, LineSignals* to);

}  // namespace vantage
