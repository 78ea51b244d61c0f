#include "core/video/video_source.h"

#include <filesystem>

#include "core/video/detail/sources.h"
#include "core/video/file_list.h"
#include "core/video/no_video.h"
#include "core/video/segments/segment_index.h"

namespace vantage {

Result<std::unique_ptr<VideoSource>> open_video(const std::string& path, const VideoOpenOptions& options) {
  if (path.empty())
    return fail(ErrorKind::invalid_argument, "no video is named", {}, "Give a file or an image pattern");
  if (names_no_video(path)) return open_no_video(path);
  if (is_live_address(path)) {
    VANTAGE_ASSIGN(LiveAddress address, parse_live_address(path));
    return open_live_source(std::move(address), options);
  }
  if (names_segments(path)) return open_segments_source(path, options);
  if (names_file_list(path)) {
    VANTAGE_ASSIGN(FileList list, read_file_list(path));
    return open_file_list(std::move(list), path, options);
  }
  if (!names_image_sequence(path)) return open_file_source(path, options);
  VANTAGE_ASSIGN(ImageSequence sequence, find_images(path));
  return open_image_sequence(std::move(sequence), options);
}

bool is_one_file(const std::string& video) {
  std::error_code none;
  return std::filesystem::is_regular_file(video, none) && !names_segments(video) && !names_file_list(video);
}

Result<VideoIdentity> identify_video(const std::string& path) {
  if (is_live_address(path))
    return fail(ErrorKind::invalid_argument, "a live stream has no content checksum", path);
  if (names_segments(path)) {
    VANTAGE_ASSIGN(const SegmentsHeader header, read_segments_header(path));
    return VideoIdentity{0, header.checksum};
  }
  if (names_file_list(path)) {
    VANTAGE_ASSIGN(const FileList list, read_file_list(path));
    return VideoIdentity{0, file_list_checksum(list)};
  }
  if (names_image_sequence(path)) {
    VANTAGE_ASSIGN(const ImageSequence sequence, find_images(path));
    return identify_images(sequence);
  }
  VideoIdentity identity;
  VANTAGE_ASSIGN(identity.checksum, file_content_hash(path, kContentHashSamples));
  std::error_code failed;
  identity.bytes = static_cast<int64_t>(std::filesystem::file_size(path, failed));
  return identity;
}

}  // namespace vantage
