// The list of class names that YOLO's text files are read with.
#pragma once

#include <filesystem>

namespace vantage {

// For a folder of such files, or one of them: classes.txt, data.yaml or another usual name in its folder, the
// one above, or the one above that; the nearest that names classes. Empty: there is none.
std::filesystem::path class_names_file(const std::filesystem::path& detections);

}  // namespace vantage
