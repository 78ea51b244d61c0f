// `evaluate --recordings DIR`: every real recording of a folder (real_recordings.h) analysed as `run` does it
// with default values, and judged by its own truth.
#pragma once

#include <string>

namespace vantage::cli {

struct EvaluateRecordingsOptions {
  std::string data;   // the folder in which the recordings' folders lie
  std::string model;  // of the learned detector; empty: models/rtmdet_nano_person.onnx of `data`
  std::string out;    // for the projects and their results; empty: a folder that goes again
  std::string only;   // names with this part alone
  std::string backend = "cpu";
  bool json = false;
};

// Prints a table; recordings whose data or model is missing are named on standard error.
void evaluate_recordings(const EvaluateRecordingsOptions& options);

}  // namespace vantage::cli
