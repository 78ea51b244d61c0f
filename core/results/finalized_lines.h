// The lines of results whose people are numbered by paths in windows: each waits until its numbers are final,
// so that what is in the file never changes. Paths are found on a thread of their own, and there the lines
// and the rows of tracks.csv are handed on, in order.
//
// The waiting lines are bounded: the frames of a window and those of the worker's queue (path_worker.h).
// Paths that are running may be continued: IDs go on, and lines of frames that were followed before get the
// IDs that these frames have.
//
// Frames that no detector examined wait for the next one that was examined: then it is known who is on the
// way from look to look.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"
#include "core/results/second_pass_people.h"
#include "core/tracking/paths/path_worker.h"

namespace vantage {

class FinalizedLines {
 public:
  // Called on the worker's thread, in finish() also on the caller's.
  using Sink = std::function<Status(std::string)>;

  // `line` gets a line without its newline, `rows` text of whole rows, `mail`, where there is one, what is
  // settled from here on. `again`: of the follower's finder; null: no one is found again.
  FinalizedLines(RunningPaths paths, QueuePolicy policy, Sink line, Sink rows,
                 std::shared_ptr<FinalizedQueue> mail, std::shared_ptr<SecondPassPeople> again);

  // Frames ascend; `paths.known` counts from the first on. A frame line as frame_line() makes it, or with
  // people found again by an earlier run, and what it tells; nothing: its people are unknown. Errors: of the
  // sinks and of the follower, also those of earlier frames.
  Status add(int64_t frame, std::string line, std::optional<SeenFrame> seen);
  // Everything that waits is handed on; after an error without numbers.
  Status finish();
  PathFollower take_follower() { return worker_.take_follower(); }  // as PathWorker's
  int64_t left_out() const { return worker_.left_out(); }           // frames whose people have no number

 private:
  struct Waiting {
    int64_t frame = 0;
    std::string line;
    bool searched = false;  // it tells people
  };
  Status settle(const FinalPaths& settled);
  std::deque<Waiting> take_settled(int64_t end);
  std::vector<PersonPath> with_known(std::vector<PersonPath> parts);

  const Sink line_, rows_;
  const std::shared_ptr<FinalizedQueue> mail_;
  const std::shared_ptr<SecondPassPeople> again_;
  const int64_t next_frame_;       // the worker has the frames before it
  std::vector<PersonPath> known_;  // of those, until the first lines are handed on; the worker's
  std::mutex mutex_;
  std::deque<Waiting> waiting_;                                   // guarded by mutex_
  std::optional<int64_t> first_frame_;                            // likewise
  std::map<std::pair<int64_t, int64_t>, std::string> rows_kept_;  // by frame and number; the worker's
  PathWorker worker_;                                             // the last: it uses the others
};

}  // namespace vantage

namespace vantage::project_detail {

// A file of results on its way: written as NAME.part next to NAME, which stays whole until complete().

// Error of errno `code`; says what to do.
tl::unexpected<Error> write_failed(const std::filesystem::path& path, int code);

class PartFile {
 public:
  // Errors: io, as of the others.
  static Result<PartFile> open(const std::filesystem::path& whole);
  std::filesystem::path path() const;  // NAME.part
  Status write(std::string_view text);
  Status flush();  // for readers of what is there so far
  // On the disk under its name, also what has been put in the .part file's place; nothing is written
  // after it.
  Status complete();
  // Takes the .part file away; nothing is written after it.
  void drop();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  PartFile(std::filesystem::path whole, std::FILE* file) : whole_(std::move(whole)), file_(file) {}

  std::filesystem::path whole_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace vantage::project_detail
