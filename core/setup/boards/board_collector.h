// Views of a board picked up while it is shown to live cameras. Live cameras deliver pictures at varying
// times, so with several cameras only a board at rest is trusted: a frame set is kept when every camera that
// sees the board sees it at rest, and when that shows something new to one of them (another position in the
// picture, slant or distance) or to a pair that sees it at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/calibration/solve/board.h"
#include "core/setup/boards/board_pictures.h"
#include "core/video/frame_source.h"

namespace vantage {

enum class BoardMotion : uint8_t { unseen, moving, resting };

struct CollectingCamera {
  std::string name;
  bool solve_lens = true;  // its pictures must determine the lens, too
};

// One camera's part of a frame set.
struct SeenBoard {
  int64_t picture = -1;  // the camera's own number; -1: none yet
  int width_px = 0, height_px = 0;
  std::vector<BoardCorner> corners;  // empty: no board is seen
};

struct CollectedCamera {
  std::string name;
  bool solve_lens = true;
  FoundBoards kept;             // instants: numbers of the sets kept, from 0; kept.pictures: sets kept
  BoardCoverage coverage = {};  // of the corners kept
  int covered_percent = 0;      // of its parts
  int slanted = 0;              // views kept
  int64_t examined = 0;         // pictures
  BoardMotion motion = BoardMotion::unseen;  // in the newest picture
  std::vector<BoardCorner> corners;          // likewise
  std::string next;                          // what to show it, in words; empty: enough
};

struct LinkedCameras {
  size_t first = 0, second = 0;  // by camera, first < second
  int sets = 0;                  // kept, in which both see the board
};

struct CollectedBoards {
  std::vector<CollectedCamera> cameras;
  std::vector<LinkedCameras> pairs;  // that see the board at once in a set that is kept
  int64_t sets = 0;                  // kept
  bool newest_kept = false;          // the newest set was
  bool enough = false;               // cameras and pairs have what a solution takes
  std::string next;                  // what to do next, in words
};

// Same sets in the same order, same views.
class BoardCollector {
 public:
  BoardCollector(const Board& board, const std::vector<CollectingCamera>& cameras);
  ~BoardCollector();
  BoardCollector(const BoardCollector&) = delete;
  BoardCollector& operator=(const BoardCollector&) = delete;

  // `time_ns`: of the set; a time before the last one's begins another sequence. One entry a camera. True:
  // the set is kept. A camera whose pictures change their size loses its views.
  bool add(int64_t time_ns, std::vector<SeenBoard> seen);
  const CollectedBoards& collected() const { return collected_; }
  const Board& board() const { return board_; }
  // For solve_found_boards(): one a camera.
  std::vector<FoundBoards> found() const;

 private:
  struct Track;
  void note(size_t camera, int64_t time_ns, SeenBoard seen);
  bool shows_something_new() const;
  void keep();
  void advise();
  std::vector<size_t> seeing() const;

  Board board_;
  CollectedBoards collected_;
  std::vector<Track> tracks_;
  int64_t time_ns_ = -1;
};

// The board in every camera's picture, cameras side by side. Pictures in host memory.
std::vector<SeenBoard> see_boards(const FrameSet& frames, const Board& board, const StopSource& stop = {});

}  // namespace vantage
