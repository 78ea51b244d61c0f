// The volume that the cameras' indicators agree on.
#pragma once

#include <memory>

#include "core/carving/carving.h"
#include "core/pipeline/stage.h"

namespace vantage {

// `arguments` are those that the carver was made with: they belong to the stage's version.
std::unique_ptr<Stage> make_carving_stage(std::unique_ptr<Carver> carver, const Carver::Arguments& arguments,
                                          Device device, bool keep_confidence);

}  // namespace vantage
