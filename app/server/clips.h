// Clips of a recording for clients: made when they are asked for, a few at a time, each on a thread of its
// own into a file that nobody else sees; sent when it is complete. Stopped when its client leaves.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>

#include "app/server/request.h"
#include "core/case/clip.h"

namespace vantage::server {

// As export_clip(), on the program's device.
using ClipFunction = std::function<Result<CaseCamera>(ClipOptions)>;
// On the CPU.
ClipFunction clips_on_cpu();

class Clips {
 public:
  static constexpr size_t kAtOnce = 2;

  explicit Clips(ClipFunction make) : make_(std::move(make)) {}
  ~Clips() { stop(); }
  Clips(const Clips&) = delete;
  Clips& operator=(const Clips&) = delete;

  // The clip, or why there is none; waits for it. `options` without folder, backends and stop. From several
  // threads.
  Answer clip(ClipOptions options, const Request& request);
  // What is being made ends, and nothing more is made.
  void stop();

 private:
  struct Running;
  Answer refused(const Request& request) const;
  Answer made(const Running& running, const Request& request) const;

  const ClipFunction make_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Running*> running_;  // guarded by mutex_
  bool stopped_ = false;         // likewise
};

}  // namespace vantage::server
