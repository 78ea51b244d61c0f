// What is settled about the files of detections of a new project before it is written.
#pragma once

#include <string>
#include <vector>

#include "core/detections/detection_file.h"
#include "core/project/new_project.h"

namespace vantage {

// Reads every camera's file as the project will and returns what is to be said of them, a sentence each.
// Where one file has a frame 0, those of the same format that have none are set to count from 0, too. Errors:
// read_detection_file()'s, which asks where who is a person or which frame it is is not certain.
Result<std::vector<std::string>> settle_detections(std::vector<NewCamera>* cameras);

// The options that the camera's file is read with: sizes of its video, else of its calibration.
DetectionFileOptions asking_options(const NewCamera& camera);

}  // namespace vantage
