// `run --plan`: one task of a plan, or all of them by several processes.
#pragma once

#include <string>

#include "app/cli/common/command.h"

namespace vantage::cli {

struct PlannedRunOptions {
  std::string plan;              // empty: a project is run
  std::string task;              // a number, or SCENE:SPAN; empty: all
  std::string backend = "auto";  // also cuda:all
  int workers = 0;               // processes; 0: one for each GPU, or as many as the CPU allows
  bool sequential = false, json = false;
};

void add_plan_options(CLI::App& command, PlannedRunOptions& options);
// Wrong usage for options that the plan decides.
void refuse_options_of_projects(const CLI::App& command);
// Exits with the code of TaskExit unless all is done.
void run_planned(const PlannedRunOptions& options);

}  // namespace vantage::cli
