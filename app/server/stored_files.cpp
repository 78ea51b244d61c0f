#include "app/server/stored_files.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/file.h"
#include "core/results/frame_lines.h"
#include "core/results/results_pictures.h"

namespace vantage::server {
Result<FileBody> stored_table(const std::filesystem::path& folder, StoredTable table) {
  const bool tracks = table == StoredTable::tracks;
  const std::string whole = tracks ? "tracks.csv" : "events.jsonl";
  for (const std::string& name : {whole + ".part", whole}) {
    std::FILE* file = std::fopen((folder / name).c_str(), "rbe");
    if (!file) continue;
    FileBody body;
    body.file.reset(file, [](std::FILE* open) { std::fclose(open); });
    VANTAGE_ASSIGN(body.bytes, whole_lines_bytes(::fileno(file), name.c_str()));
    return body;
  }
  return tracks
             ? fail(ErrorKind::not_found, "there are no tracks", {},
                    "People are tracked in projects with a calibration.")
             : fail(ErrorKind::not_found, "there are no events", {},
                    "Rules of a project make them of live cameras, and `vantage-cli count` of recordings.");
}

Result<std::string> stored_picture(const std::filesystem::path& folder, int64_t frame, PictureKind kind,
                                   const std::string& camera) {
  const auto file = [&](const std::filesystem::path& place, const char* extension) {
    return folder / place / frame_file_name(frame, extension);
  };
  const auto missing = [&](const std::string& what, const std::string& remedy) {
    return fail(ErrorKind::not_found, "the results hold no " + what + " of frame " + std::to_string(frame),
                {}, remedy);
  };
  const auto stored = [&](const std::filesystem::path& place, const char* extension, const char* what,
                          const char* option) -> Result<std::string> {
    Result<std::string> bytes = read_file(file(place, extension));
    if (bytes || bytes.error().kind != ErrorKind::not_found) return bytes;
    return missing(what, std::string("`vantage-cli run ") + option + " N` writes that of every Nth frame.");
  };
  switch (kind) {
    case PictureKind::mask:
      return stored(std::filesystem::path("masks") / camera, "png", "mask", "--masks");
    case PictureKind::flow:
      return stored(std::filesystem::path("flow") / camera, "flo", "flow", "--flow");
    case PictureKind::floor:
      return stored("floor", "png", "floor map", "--floor-maps");
    case PictureKind::shell:
      return stored("shells", "ply", "shell", "--shells");
    case PictureKind::height:
      return missing("height map",
                     "The latest frame of a run in progress has one where heightmap.enabled is on.");
    case PictureKind::confidence:
      break;
  }
  return missing("flow's confidence", "The latest frame of a run in progress has it.");
}

Result<FileBody> text_as_file(const std::string& text) {
  const auto failed = [] {
    return fail(ErrorKind::io, std::string("no file for an answer (") + std::strerror(errno) + ")");
  };
  const int descriptor = ::memfd_create("vantage answer", MFD_CLOEXEC);
  std::FILE* file = descriptor >= 0 ? ::fdopen(descriptor, "w+b") : nullptr;
  if (!file) {
    if (descriptor >= 0) ::close(descriptor);
    return failed();
  }
  FileBody body;
  body.file.reset(file, [](std::FILE* open) { std::fclose(open); });
  body.bytes = static_cast<int64_t>(text.size());
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0)
    return failed();
  return body;
}

Result<std::string> text_of(const FileBody& body) {
  std::string text(static_cast<size_t>(body.bytes), '\0');
  size_t read = 0;
  while (read < text.size()) {
    const ssize_t more =
        ::pread(::fileno(body.file.get()), text.data() + read, text.size() - read, static_cast<off_t>(read));
    if (more <= 0)
      return fail(ErrorKind::io,
                  std::string("a file of the results cannot be read (") + std::strerror(errno) + ")");
    read += static_cast<size_t>(more);
  }
  return text;
}

Result<std::filesystem::path> project_of_results(const std::filesystem::path& folder,
                                                 const std::string& named) {
  std::filesystem::path beside = std::filesystem::absolute(folder);
  if (beside.filename().empty()) beside = beside.parent_path();  // a name with a slash behind it
  beside.replace_extension(".vantage");
  std::error_code none;
  for (const std::filesystem::path& file : {beside, std::filesystem::path(named)})
    if (!file.empty() && std::filesystem::is_regular_file(file, none)) return file;
  return fail(ErrorKind::not_found, "the project of these results is not there", {},
              "Put NAME.vantage next to NAME.results.");
}

tl::unexpected<Error> pictures_not_served() {
  return fail(
      ErrorKind::not_found, "the cameras' pictures are not served", {},
      "The person who runs the program decides this: --serve-pictures, or Serve Results in the window.");
}

}  // namespace vantage::server
