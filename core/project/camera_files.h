// Groups video files by camera and places each in time, for `vantage-cli new` and the New Project page.
//
// Files are grouped by their names alone:
//   clocks    cam1_20260101_220000.mp4: names that differ in date and time of day. In a folder with one
//             such name the folder is the camera; else the name is, in all folders. Folders that are dates
//             and hours (cam1/2026-01-01/22/15.00.mp4) belong to the name.
//   chapters  GH010123.MP4, GH020123.MP4, or GOPR0123.MP4, GP010123.MP4: one recording in a folder
//   numbers   cam1/C0001.mp4, cam1/C0002.mp4: all videos of a folder, which differ in a number of three
//             digits or more, where other folders hold videos too and the name is not a camera's (cam001)
// Others are a camera each, as are addresses, patterns and folders of pictures.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/video/file_list.h"

namespace vantage {

// The suffixes of videos, in lower case: "mp4".
const std::vector<std::string>& video_suffixes();
bool is_video_file(const std::filesystem::path& file);  // of such a suffix
// The videos of a folder and its subfolders, by path; without any, the folders of pictures among them.
// Unreadable folders are skipped.
std::vector<std::string> videos_in(const std::filesystem::path& folder);
// Another program's people of a video, in a folder next to that of the videos: annots/CAM for videos/CAM.mp4
// or images/CAM (EasyMocap). Empty: there are none.
std::string people_next_to(const std::filesystem::path& video);

struct FileGroup {
  enum class By : uint8_t { alone, clocks, chapters, numbers } by = By::alone;
  std::string camera;              // its name; empty: of the only file
  std::vector<std::string> files;  // in order

  // The only file; or the path of a list that stands for the camera until it is written: CAMERA.files in the
  // folder of the files.
  std::string video() const;
};
// Every file is in one group; groups are in the order of their first files.
std::vector<FileGroup> group_files(const std::vector<std::string>& files);
// Every file is a camera of its own.
std::vector<FileGroup> keep_apart(const std::vector<std::string>& files);

// The resolution of clocks in names and containers: whole seconds.
inline constexpr double kFileClock_s = 1;

struct JoinedFiles {
  FileList list;
  std::vector<std::string> notes;  // sentences on files with gaps or damage of their own
};
// Opens and counts every file; a clock places a file to the second, so files less than a second apart follow
// each other. Numbers without clocks follow each other. Errors: those of open_video(); invalid_argument where
// files differ in size or rate, clocks and numbers contradict each other, two files have one clock, or they
// overlap by more than half: these are two cameras'. Each names the file.
// `frame_rate`: replaces that of the files; 0: not.
Result<JoinedFiles> join_files(const FileGroup& group, double frame_rate, const StopSource& stop);

}  // namespace vantage
