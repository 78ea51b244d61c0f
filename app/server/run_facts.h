// What is told of a run: from the header line of its results, less whatever says where on this machine's disk
// something lies.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace vantage::server {

std::vector<std::string> camera_names(const std::string& header);
// The JSON of /v1/cameras.
std::string cameras_answer(const std::string& header);
// What /v1/status says of every kind of source.
nlohmann::ordered_json status_facts(const std::string& header);
// With a calibration: there is a volume, and there are people.
bool has_grid(const std::string& header);

}  // namespace vantage::server
