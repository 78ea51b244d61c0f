// Headers that most files of the window include, read once where VANTAGE_BATCHES is on.
#pragma once

#include <QtWidgets>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
