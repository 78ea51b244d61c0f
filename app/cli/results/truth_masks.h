// Masks drawn by hand, of `vantage-cli truth`, and IoU as it and `evaluate` print it.
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
// Does what the options say, and tells what masks there are then: frames, files, by camera; with --iou what
// the project's masks are worth.
Report change_masks(const TruthMaskOptions& options, const Project& project);
Report iou_report(const std::vector<MaskScore>& scores);

}  // namespace vantage::cli
