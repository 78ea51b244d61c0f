// Masks drawn by hand, of `vantage-cli truth`, and IoU as it and `evaluate` print it.
#pragma once

#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "core/base/json.h"
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
nlohmann::ordered_json change_masks(const TruthMaskOptions& options, const Project& project);
void print_masks(const nlohmann::ordered_json& json);

nlohmann::ordered_json iou_json(const std::vector<MaskScore>& scores);
void print_iou(const nlohmann::ordered_json& json);

}  // namespace vantage::cli
