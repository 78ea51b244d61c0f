// Where programs keep a person's settings, keys, logs and reports: in a folder of the test's own, and as
// before once this ends. The mains of the tests have one, so that no test writes into the home of whoever
// runs it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vantage::test {

class OwnHome {
 public:
  explicit OwnHome(const std::filesystem::path& folder,
                   std::initializer_list<const char*> variables = {"XDG_CONFIG_HOME", "XDG_DATA_HOME",
                                                                   "XDG_STATE_HOME"}) {
    for (const char* name : variables) {
      const char* const value = std::getenv(name);
      before_.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
      ::setenv(name, folder.c_str(), 1);
    }
  }
  OwnHome(const OwnHome&) = delete;
  OwnHome& operator=(const OwnHome&) = delete;
  ~OwnHome() {
    for (const auto& [name, value] : before_) value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
  }

 private:
  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

}  // namespace vantage::test
