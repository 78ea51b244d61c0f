// What to show the cameras next, in words.
#pragma once

#include <string>

#include "core/setup/boards/board_collector.h"

namespace vantage {

// Empty: enough.
std::string next_for(const CollectedCamera& camera);
// Never empty. Cameras that have seen nothing come first, then cameras that no other one is linked with, then
// the camera of which least is covered.
std::string next_for_all(const CollectedBoards& collected);
bool is_enough(const CollectedBoards& collected);

}  // namespace vantage
