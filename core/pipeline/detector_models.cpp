#include "core/pipeline/detector_models.h"

#include <utility>

#include "core/base/file.h"
#include "core/video/sha256.h"

namespace vantage {

Result<DetectorModels> read_models(const std::string& people, const std::string& joints) {
  DetectorModels models;
  for (auto [path, model] : {std::pair{&people, &models.people}, std::pair{&joints, &models.joints}}) {
    if (path->empty()) continue;
    VANTAGE_ASSIGN(std::string bytes, read_file(*path));
    *model = {*path, sha256(bytes), std::move(bytes)};
  }
  return models;
}

}  // namespace vantage
