#include "core/results/detail/part_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/base/durable.h"

namespace vantage::project_detail {
namespace {

std::filesystem::path part_of(const std::filesystem::path& whole) {
  return whole.string() + ".part";
}

}  // namespace

tl::unexpected<Error> write_failed(const std::filesystem::path& path, int code) {
  return fail(ErrorKind::io, std::string("writing failed (") + std::strerror(code) + ")", path.string(),
              code == ENOSPC ? "The disk is full: free some space or choose another folder."
                             : "Choose a folder you can write to.");
}

Result<PartFile> PartFile::open(const std::filesystem::path& whole) {
  std::FILE* const file = std::fopen(part_of(whole).c_str(), "wb");
  if (!file) return write_failed(whole, errno);
  return PartFile(whole, file);
}

Status PartFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
    return write_failed(whole_, errno);
  return {};
}

std::filesystem::path PartFile::path() const {
  return part_of(whole_);
}

Status PartFile::flush() {
  return std::fflush(file_.get()) == 0 ? Status() : Status(write_failed(whole_, errno));
}

void PartFile::drop() {
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(path(), ignored);
}

Status PartFile::complete() {
  const bool flushed = std::fflush(file_.get()) == 0 && ::fsync(::fileno(file_.get())) == 0;
  const int code = errno;
  const bool closed = std::fclose(file_.release()) == 0;
  if (!flushed || !closed) return write_failed(whole_, flushed ? errno : code);
  const std::error_code renamed = rename_durably(path(), whole_);
  return renamed ? Status(write_failed(whole_, renamed.value())) : Status();
}

}  // namespace vantage::project_detail
