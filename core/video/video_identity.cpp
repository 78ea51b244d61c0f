#include "core/video/video_identity.h"

#include <filesystem>

#include "core/video/detail/sources.h"
#include "core/video/segments/segment_index.h"

namespace vantage {

Result<VideoIdentity> identify_video(const std::string& path) {
  if (is_live_address(path))
    return fail(ErrorKind::invalid_argument, "a live stream has no content checksum", path);
  if (names_segments(path)) {
    VANTAGE_ASSIGN(const SegmentsHeader header, read_segments_header(path));
    return VideoIdentity{0, header.checksum};
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
