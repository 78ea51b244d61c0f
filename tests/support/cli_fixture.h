// vantage-cli as people run it: a child process in a folder of its own, its exit code, its output, its files.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "tests/support/data.h"

namespace vantage::test {

struct Finished {
  int code = -1;
  std::string out, err;
};

class CliTest : public testing::Test {
 protected:
  pid_t start(const std::vector<std::string>& arguments) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    const int out = ::open((folder_.path() / "out").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    const int err = ::open((folder_.path() / "err").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    ::dup2(out, 1), ::dup2(err, 2);
    std::vector<std::string> words = {VANTAGE_CLI};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  Finished wait(pid_t child) const {
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder_.path() / "out").value_or(""),
            read_file(folder_.path() / "err").value_or("")};
  }
  Finished cli(const std::vector<std::string>& arguments) const { return wait(start(arguments)); }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  std::vector<nlohmann::json> results(const std::string& folder) const {
    std::vector<nlohmann::json> lines;
    std::istringstream in(read_file(folder_.path() / folder / "results.jsonl").value_or(""));
    for (std::string line; std::getline(in, line);) lines.push_back(parse_json_or_throw(line));
    return lines;
  }
  static nlohmann::json schema_of(const char* definition) {
    return parse_json_or_throw(
        read_file(std::filesystem::path(VANTAGE_SOURCE_DIR) / "resources/schema/results.schema.json")
            .value())["$defs"][definition];
  }

  const TemporaryFolder folder_;
};

}  // namespace vantage::test
