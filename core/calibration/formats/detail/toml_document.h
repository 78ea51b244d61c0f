// Parts that TOML formats share.
#pragma once

#include <toml++/toml.h>

#include "core/calibration/formats/detail/formats.h"

namespace vantage::calibration_detail {

struct TomlDocument : Document {
  toml::table table;
};
// The file is TOML.
inline const toml::table& toml_of(const Document& file) {
  return static_cast<const TomlDocument&>(file).table;
}

}  // namespace vantage::calibration_detail
