// A trained head detector: weak classifiers in the order in which they are asked. Each is a table over the
// 256 values of one local binary pattern of the window; the score is the sum of what the tables say, and a
// window is left as soon as the sum falls below the threshold of the step it has reached (J. Sochman,
// J. Matas, "WaldBoost - learning for time constrained sequential detection", CVPR 2005).
//
// A code of block size b at (x, y): the sums of the 3 x 3 blocks of b x b pixels whose first corner is
// (x, y); bit k is set when block k's sum is at least the middle one's; k runs clockwise from the first
// corner (L. Zhang et al., "Face detection based on multi-block LBP representation", 2007).
//
// Scores are integers in units of `score_unit`, so that every implementation gives the same sums.
// The file's format is in resources/docs/formats.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace vantage {

inline constexpr int kMaxWeakClassifiers = 1000;

struct WeakHeadClassifier {
  uint8_t block = 0;  // index into kHeadBlocks
  uint8_t x = 0, y = 0;
  int16_t reject_below = INT16_MIN;  // the sum up to and with this classifier
  std::array<int8_t, 256> table{};
};

struct HeadModel {
  std::vector<WeakHeadClassifier> weak;
  int32_t accept_from = 0;  // the sum of all from which a window speaks for a head
  int32_t head_from = 0;    // what the windows of a head say together (heads.h); training chose both
  float score_unit = 1.0f / 32;
  std::string description;  // how it was made and what it measured: text of a few lines
};

// Errors (bad_data) name `source`.
Result<HeadModel> parse_head_model(std::string_view bytes, const std::string& source);
std::string serialize_head_model(const HeadModel& model);
Result<HeadModel> read_head_model(const std::filesystem::path& path);
Status write_head_model(const std::filesystem::path& path, const HeadModel& model);  // atomically

// The model that comes with the program (resources/heads.model).
std::shared_ptr<const HeadModel> built_in_head_model();

}  // namespace vantage
