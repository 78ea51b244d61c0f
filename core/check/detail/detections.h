// Whether a camera's file of detections is of its pictures.
#pragma once

#include <string>

#include "core/check/check.h"
#include "core/project/project.h"
#include "core/video/video_source.h"

namespace vantage {

struct DetectionsFinding {
  Verdict verdict = Verdict::passed;
  std::string figure, remedy;
};

// Boxes whose centre lies outside the picture are of another picture or size. `min_score`: of the boxes that
// count.
DetectionsFinding examine_detections(const ProjectCamera& camera, const VideoInfo& video, double min_score);

}  // namespace vantage
