// One camera in several files: the chapters of an action camera, the hourly files of a recorder. NAME.files
// is JSON: format "vantage files 1", order, clock, frame_rate, width_px, height_px, folder (relative to the
// list) and files, each with file (relative to the folder), first_frame, frames, bytes, checksum (16
// hexadecimal digits) and gaps (first frame and number, where the file itself has no pictures).
//
// It opens as one video: frame N is frame N - first_frame of the first file that has one. Frames of no file
// are frames without a picture; where files overlap, those of the earlier one are shown.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/video/video_source.h"

namespace vantage {

inline constexpr std::string_view kFileListSuffix = ".files";

struct ListedFile {
  std::filesystem::path file;  // absolute
  int64_t first_frame = 0;     // the list's frame that is its frame 0
  int64_t frames = 0;
  VideoIdentity identity = {};
  std::vector<VideoGap> gaps = {};  // of its own frames
  bool operator==(const ListedFile&) const = default;
};

struct FileList {
  std::string order;  // what their order and positions were taken from: "the clocks in their names"
  std::string clock;  // the time of frame 0 (parse_clock()); empty: not known
  double frame_rate = 0;
  int width_px = 0, height_px = 0;
  std::vector<ListedFile> files;  // by first_frame; the first one's is 0
  bool operator==(const FileList&) const = default;
};

// The maximum length of a list, 31 days at 25 frames/s: each frame costs 8 bytes of memory.
inline constexpr int64_t kMaxListedFrames = int64_t{1} << 26;

// A stretch of a list: the frames that one file shows, or that none does.
struct ListedSpan {
  int64_t begin = 0, end = 0;
  int file = -1;  // -1: a gap
};
// In order, from frame 0 to the end. A file whose frames all lie in earlier files has none.
std::vector<ListedSpan> spans_of(const FileList& list);

bool names_file_list(const std::string& video);
// Errors: io, not_found; bad_data, with the part that is wrong and what was expected.
Result<FileList> read_file_list(const std::filesystem::path& file);
Status write_file_list(const std::filesystem::path& file, const FileList& list);

// "3 files by the clocks in their names, without pictures: frames 500 to 999 (20.00 s)"
std::string file_list_text(const FileList& list);
// A line for each file, gap and overlap, in order.
std::vector<std::string> file_list_lines(const FileList& list);

// The deepest folder that holds all files, and the list with its files in another one in its place.
std::filesystem::path folder_of(const FileList& list);
FileList moved_to(const FileList& list, const std::filesystem::path& folder);

// Over the files' contents and positions, wherever they lie.
uint64_t file_list_checksum(const FileList& list);

// Plays the list; `name` for messages. Only the file of the current frame is open. Errors: not_found and
// bad_data where a file is missing, or has another size than the list states. A file that cannot be decoded
// later is frames without a picture, and a problem.
Result<std::unique_ptr<VideoSource>> open_file_list(FileList list, const std::string& name,
                                                    const VideoOpenOptions& options);

}  // namespace vantage
