// The points of a sweep as they are given on the command line. Wrong ones are wrong usage.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/parameters.h"
#include "core/project/project.h"

namespace vantage::cli {

struct SweptParameter {
  std::string stage;
  const ParameterDescription* description = nullptr;
  std::vector<double> values;  // ascending where they are numbers; of random points: its two ends

  std::string key() const { return stage + "." + description->name; }
  std::string text(double value) const { return ParameterStore::to_text(*description, value); }
};

struct SweepPoints {
  std::vector<SweptParameter> parameters;   // those of earlier stages first
  std::vector<std::vector<double>> points;  // one value for each parameter
  bool random = false;
};

// `ranges`: KEY=MIN:MAX:STEPS, KEY=A,B,C, and with random > 0 KEY=MIN:MAX; of one or two parameters, random
// points of any number. `option` names them in messages.
SweepPoints parse_sweep_points(const std::vector<std::string>& ranges, size_t random, uint32_t seed,
                               const ParameterStore& parameters, const char* option);

Project project_at(const Project& project, const SweepPoints& points, size_t point);

}  // namespace vantage::cli
