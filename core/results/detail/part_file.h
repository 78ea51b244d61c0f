// A file of results on its way: written as NAME.part next to NAME, which stays whole until complete().
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include "core/base/result.h"

namespace vantage::project_detail {

// Error of errno `code`; says what to do.
tl::unexpected<Error> write_failed(const std::filesystem::path& path, int code);

class PartFile {
 public:
  // Errors: io, as of the others.
  static Result<PartFile> open(const std::filesystem::path& whole);
  std::filesystem::path path() const;  // NAME.part
  Status write(std::string_view text);
  Status flush();  // for readers of what is there so far
  // On the disk under its name, also what has been put in the .part file's place; nothing is written
  // after it.
  Status complete();
  // Takes the .part file away; nothing is written after it.
  void drop();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  PartFile(std::filesystem::path whole, std::FILE* file) : whole_(std::move(whole)), file_(file) {}

  std::filesystem::path whole_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace vantage::project_detail
