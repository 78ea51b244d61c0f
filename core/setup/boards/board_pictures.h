// The boards in a camera's pictures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/calibration/solve/board.h"
#include "core/video/frame_source.h"

namespace vantage {

struct BoardPictures {
  std::string path;                    // a video, a folder of pictures or a pattern
  int64_t begin = 0, end = INT64_MAX;  // frames; end excluded
  int64_t every = 1;                   // from `begin` on
  bool still = false;                  // board and camera rest: one view, of the pictures' mean
  // Instants by frame, where frames of the same number were not taken together (recorded_instants.h): views
  // have them instead, and `every` counts them. Empty: frames.
  std::vector<int64_t> instants = {};
};

struct FoundBoards {
  int width_px = 0, height_px = 0;
  double frame_rate = 0;         // the video's, frames/s; 0: not known
  int pictures = 0;              // examined
  std::vector<BoardView> views;  // instants: frames; 0 of `still`; boards of a picture in their order

  int pictures_with_board() const;
};

// The step in which videos are gone through so that the shortest gives about 40 pictures: one for all, since
// cameras are placed by what they see at the same time. Errors: those of opening.
Result<int64_t> common_step(const std::vector<BoardPictures>& pictures, const StopSource& stop);

// The step of a camera that is carried from board to board, in which two that follow each other are seen
// together in some pictures. Errors: likewise.
Result<int64_t> hand_held_step(const BoardPictures& pictures, const StopSource& stop);

// Sets the instants of clips of which some lack pictures, by what their recorder noted (recorded_instants.h);
// the file that says so, or empty. Errors: those of recorded_instants(); unsupported where clips that lack
// pictures are said to be out of step, too.
Result<std::filesystem::path> match_pictures(const std::vector<BoardPictures*>& clips, bool out_of_step,
                                             const StopSource& stop);

// Frames/s of the videos, whose instants are to be compared; 0: not known of any, as of folders. Errors:
// those of opening; unsupported where two are known and differ.
Result<double> common_rate(const std::vector<BoardPictures>& pictures);

// The board that the markers in some of the pictures show, where it is another one than stated
// (board.h). Nothing, too, of a board without markers. Errors: those of reading.
Result<std::optional<Board>> board_shown(std::span<const BoardPictures> cameras, const Board& stated,
                                         const StopSource& stop);

// Several boards are each searched for in every picture. `progress` is called with frames done and, where it
// is known, their number. Errors: those of reading; bad_data on pictures of several sizes; cancelled.
Result<FoundBoards> find_boards(const BoardPictures& pictures, int camera, std::span<const Board> boards,
                                const std::function<void(int64_t done, int64_t total)>& progress,
                                const StopSource& stop);

// The frame sets kept of a board that is shown to live cameras, as files that find_boards() finds the same
// corners in: a folder of numbered PNG pictures for each camera, in step.

class BoardPictureFiles {
 public:
  // Makes FOLDER/NAME for each camera, by camera_file_names(). Errors: io; invalid_argument where one holds
  // files already.
  static Result<BoardPictureFiles> make(const std::filesystem::path& folder,
                                        const std::vector<std::string>& cameras);

  // The pictures as the files give them back, luma alone: limited to 16..235, as PNG has a full range of its
  // own that pictures are converted from. A search of these finds what one of the files does.
  static Result<FrameSet> as_written(const FrameSet& frames);
  // Set `number`, counted from 0, of as_written() pictures in host memory. A camera without a picture gets a
  // grey one, so that the folders stay in step; sizes_px: of its pictures.
  struct Size {
    int width_px = 0, height_px = 0;
  };
  Status write(int64_t number, const FrameSet& frames, const std::vector<Size>& sizes_px) const;
  const std::vector<std::filesystem::path>& folders() const { return folders_; }

 private:
  std::vector<std::filesystem::path> folders_;  // by camera
};

}  // namespace vantage
