// Gets the results that a session writes while they are written, as a server needs them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/image/backend/memory_transfer.h"
#include "core/live/health.h"
#include "core/pipeline/frame_result.h"
#include "core/pipeline/pipeline.h"
#include "core/project/project.h"

namespace vantage {

struct BegunResults {
  std::filesystem::path folder;   // results.jsonl.part in it has the header line; empty: live
  std::string header;             // cameras are watched, nothing is written, and this is that line
  std::optional<int64_t> frames;  // that will be analysed; nothing: live cameras, without an end
  std::shared_ptr<MemoryTransfer> transfer = host_memory();  // as RunDescription has it
  // The recording of live cameras that holds pictures of that span, of the past or of what is being recorded.
  // From any thread; not_found where they are not kept, or no longer. Empty: a recording of files.
  std::function<Result<Project>(FrameRange)> kept = {};
};

// Called on the session's thread, on_line() also on the one that numbers people: nothing here may wait for
// anybody.
class ResultsWatcher {
 public:
  virtual ~ResultsWatcher() = default;
  virtual void on_begun(const BegunResults& results) = 0;  // in place of what was begun before
  // Whether anyone looks: lines of what is not written are made only then.
  virtual bool wants_lines() const = 0;
  virtual void on_line(const std::string& line) = 0;  // as RunDescription::line_written
  virtual void on_result(const FrameResultRef& result) = 0;
  virtual void on_health(const LiveHealth& health) = 0;  // of live cameras, several times a second
  virtual void on_ended() = 0;                           // the folder holds all that there is
};

}  // namespace vantage
