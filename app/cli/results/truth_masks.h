// Masks drawn by hand, for `vantage-cli truth`, and the IoU as printed by it and `evaluate`.
#pragma once

#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "core/project/project.h"
#include "core/run/mask_scores.h"

namespace vantage::cli {

struct TruthMaskOptions {
  std::string import, merge, out, carry;
  std::vector<std::string> takes, removals;
  bool replace = false, iou = false;
};
void add_mask_options(CLI::App& command, TruthMaskOptions& options);
// Applies the options and reports the resulting masks: frames, files, by camera; with --iou also the IoU of
// the project's masks.
Report change_masks(const TruthMaskOptions& options, const Project& project);
Report iou_report(const std::vector<MaskScore>& scores);

}  // namespace vantage::cli
