// The kinds of source behind open_video().
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/video/live/live_address.h"
#include "core/video/video_source.h"

namespace vantage {

Result<std::unique_ptr<VideoSource>> open_file_source(const std::string& path,
                                                      const VideoOpenOptions& options);

// One image per frame; an empty path is a number missing in the sequence.
struct ImageSequence {
  std::string name;  // as the user gave it, for messages
  std::vector<std::filesystem::path> images;
  int64_t first_number = 0;  // of images[0] in the files' own numbering
  double frame_rate = 0;     // by the times in the names; 0: they tell none
  std::string order;         // what their order was taken from, as a sentence
};
bool names_image_sequence(const std::string& path);
Result<ImageSequence> find_images(const std::string& path);
Result<VideoIdentity> identify_images(const ImageSequence& sequence);
Result<std::unique_ptr<VideoSource>> open_image_sequence(ImageSequence sequence,
                                                         const VideoOpenOptions& options);

// A recorded live camera, see segment_index.h.
Result<std::unique_ptr<VideoSource>> open_segments_source(const std::string& path,
                                                          const VideoOpenOptions& options);

Result<std::unique_ptr<VideoSource>> open_live_source(LiveAddress address, const VideoOpenOptions& options);

// In place of a video that is not there: every frame is missing, and says so.
std::unique_ptr<VideoSource> make_missing_source(const std::string& path, const VideoInfo& info);

// Places of a video file whose bytes go into its hash.
inline constexpr int kContentHashSamples = 16;
// Hash of a file's size and of bytes sampled over its length.
Result<uint64_t> file_content_hash(const std::filesystem::path& path, int samples);

}  // namespace vantage
