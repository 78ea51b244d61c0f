#include "core/video/video_files.h"

#include <algorithm>

#include "core/video/detail/sources.h"
#include "core/video/segments/segment_index.h"

namespace vantage {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> files_of_video(const std::string& video) {
  std::vector<fs::path> files;
  if (video.find("://") != std::string::npos) return files;
  if (names_image_sequence(video)) {
    VANTAGE_ASSIGN(ImageSequence sequence, find_images(video));
    std::erase_if(sequence.images, [](const fs::path& image) { return image.empty(); });
    return std::move(sequence.images);
  }
  std::error_code code;
  if (!fs::is_regular_file(video, code))
    return fail(ErrorKind::not_found, "no such file", video, "Check the path.");
  files.emplace_back(video);
  if (!names_segments(video)) return files;
  for (fs::directory_iterator at(segments_folder(video), code), end; !code && at != end; at.increment(code))
    if (at->is_regular_file(code)) files.push_back(at->path());
  if (code)
    return fail(ErrorKind::not_found, "the folder of its segments cannot be read (" + code.message() + ")",
                video, "Put it next to the file.");
  return files;
}

}  // namespace vantage
