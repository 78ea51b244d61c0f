// A recording surveyed for a plan: its length, what tells it from others, what a task of it takes.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/stop_token.h"
#include "core/batch/plan.h"
#include "core/image/backend/registry.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage {

struct SurveyOptions {
  DeviceBackends backends;                   // the tasks' device, on which the speed is measured
  std::shared_ptr<HardwareDecode> hardware;  // null: software decoding
  Seams seams = Seams::warm_up;
  std::optional<double> warm_up_s;  // nothing: by the parameters, automatic_warm_up_s()
  double overlap_s = 4;
  StopSource stop;
};

// How long before a task's first frame the chain has to start for its memories to be about those of a run
// from frame 0: until the people have IDs, and, where no empty scene is learnt beforehand, until the
// background model has learnt one.
double automatic_warm_up_s(const Project& project, double frame_rate);

// `set` as PlannedScene::set. Opens every video, counts the frames and analyses some in the middle. Errors:
// load_project()'s, Analysis::open()'s; invalid_argument for live cameras and for wrong assignments.
Result<PlannedScene> survey_scene(const std::filesystem::path& project, const std::vector<std::string>& set,
                                  const SurveyOptions& options);

// The project with a scene's parameters, and its hashes filled in.
Result<Project> load_scene(PlannedScene* scene);
// The inputs as they are now. Reads at most 1 MiB of each video.
std::vector<PlannedInput> inputs_of(const Project& project);

}  // namespace vantage
