// Holds the lines of results whose people get IDs by paths in windows until the IDs are final, so that the
// contents of the file never change. Paths are found on a thread of their own, which passes on the lines and
// the rows of tracks.csv in order.
//
// The waiting lines are bounded: the frames of a window and those of the worker's queue (path_worker.h).
// Running paths can be continued: IDs continue, and lines of frames that were tracked before get the IDs of
// these frames.
//
// Frames that no detector examined wait for the next one that was examined, which decides who is on the way
// between the two.
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
  // Called on the worker's thread; in finish() also on the caller's.
  using Sink = std::function<Status(std::string)>;

  // `line` gets a line without its newline, `rows` text of complete rows, `mail` (may be null) what becomes
  // final from here on. `again`: of the follower's finder; null: no one is found again.
  FinalizedLines(RunningPaths paths, QueuePolicy policy, Sink line, Sink rows,
                 std::shared_ptr<FinalizedQueue> mail, std::shared_ptr<SecondPassPeople> again);

  // Frames ascend; `paths.known` counts from the first on. `line`: as frame_line() makes it, or with people
  // found again by an earlier run. `seen`: its people; nothing: unknown. Errors: those of the sinks and of
  // the follower, also of earlier frames.
  Status add(int64_t frame, std::string line, std::optional<SeenFrame> seen);
  // Passes on everything that waits; after an error without IDs.
  Status finish();
  PathFollower take_follower() { return worker_.take_follower(); }  // as PathWorker's
  // After finish(): those of the frames that were tracked here.
  const std::vector<PersonReturn>& returns() const { return returns_; }
  int64_t left_out() const { return worker_.left_out(); }  // frames whose people have no ID

 private:
  struct Waiting {
    int64_t frame = 0;
    std::string line;
    bool searched = false;  // its people are known
  };
  Status settle(const FinalPaths& settled);
  std::deque<Waiting> take_settled(int64_t end);
  std::vector<PersonPath> with_known(std::vector<PersonPath> parts);

  const Sink line_, rows_;
  const std::shared_ptr<FinalizedQueue> mail_;
  const std::shared_ptr<SecondPassPeople> again_;
  const int64_t next_frame_;  // the worker has the frames before it
  std::vector<PersonPath>
      known_;  // points of known paths until the first lines are passed on; used by the worker
  std::vector<PersonReturn> returns_;  // used by the worker until finish()
  std::mutex mutex_;
  std::deque<Waiting> waiting_;                                   // guarded by mutex_
  std::optional<int64_t> first_frame_;                            // likewise
  std::map<std::pair<int64_t, int64_t>, std::string> rows_kept_;  // keyed by frame and ID; used by the worker
  PathWorker worker_;  // destroyed first: it uses the other members
};

}  // namespace vantage

namespace vantage::project_detail {

// A results file in progress: written as NAME.part next to NAME, which stays complete until complete().

// Error of errno `code`, with what to do.
tl::unexpected<Error> write_failed(const std::filesystem::path& path, int code);

class PartFile {
 public:
  // Errors: io, as for the other functions.
  static Result<PartFile> open(const std::filesystem::path& whole);
  std::filesystem::path path() const;  // NAME.part
  Status write(std::string_view text);
  Status flush();  // for readers of the incomplete file
  // Renames the file to its name, also where the .part file was replaced; nothing is written after it.
  Status complete();
  // Removes the .part file; nothing is written after it.
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
