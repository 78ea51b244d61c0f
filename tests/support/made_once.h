// Folders that take long to make, rendered footage for one, and are the same for several cases of a suite.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "core/synth/synth.h"
#include "tests/support/data.h"

namespace vantage::test {

// Copies into the folder, which is there, what make(folder) made the first time that the program called it
// with the name.
inline void copy_made_once(const std::string& name, const std::filesystem::path& folder,
                           const std::function<void(const std::filesystem::path&)>& make) {
  static std::map<std::string, TemporaryFolder> made;
  const auto [known, first] = made.try_emplace(name);
  if (first) make(known->second.path());
  std::filesystem::copy(known->second.path(), folder, std::filesystem::copy_options::recursive);
}

// `hall` in the folder. Footage of the same name has the same options.
inline void copy_rendered_once(const std::string& name, const std::filesystem::path& folder,
                               const SynthOptions& options) {
  copy_made_once(name, folder, [&](const std::filesystem::path& at) {
    const Status rendered = render_recording(options, at / "hall", {}, {});
    ASSERT_TRUE(rendered) << rendered.error().message();
  });
}

}  // namespace vantage::test
