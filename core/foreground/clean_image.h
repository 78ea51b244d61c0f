// The spatial cleaning of foreground.h on the CPU, for every method: threads by oneTBB, vector code.
#pragma once

#include <vector>

#include "core/foreground/cleaning.h"
#include "core/image/picture.h"

namespace vantage {

// The steps one after the other; `spare` is a second image of the votes' type (u8) and size, and holds
// anything afterwards. An image that was handed on must not be given.
void clean_image(Image& votes, Image& spare, const std::vector<CleaningStep>& steps);

}  // namespace vantage
