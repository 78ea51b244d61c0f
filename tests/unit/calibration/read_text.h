// A calibration from its text.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/base/file.h"
#include "core/calibration/formats/calibration.h"
#include "tests/support/data.h"

namespace vantage::test {

// By a file of that name.
inline Result<Calibration> read_text(const std::string& text, const CalibrationOptions& options = {},
                                     const std::string& name = "calibration") {
  const TemporaryFolder folder;
  EXPECT_TRUE(write_file_atomically(folder.path() / name, text));
  return read_calibration(folder.path() / name, options);
}

// The message names the file and holds `part`.
inline void expect_refused(const std::string& text, const std::string& part,
                           const CalibrationOptions& options = {}) {
  const auto read = read_text(text, options);
  ASSERT_FALSE(read) << "read without an error, expected: " << part;
  const std::string message = read.error().message();
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_NE(message.find("calibration"), std::string::npos) << message;
}

}  // namespace vantage::test
