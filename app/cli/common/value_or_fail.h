// For subcommands that end at their first error: a result's value, or the command's failure.
#pragma once

#include <utility>

#include "app/cli/common/command.h"

namespace vantage::cli {

template <typename T>
T value_or_fail(Result<T> result) {
  if (!result) fail_command(result.error());
  return std::move(*result);
}

inline void check_or_fail(const Status& status) {
  if (!status) fail_command(status.error());
}

}  // namespace vantage::cli
