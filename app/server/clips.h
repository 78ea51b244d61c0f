// Clips and pictures of a recording for clients: made on request, a few in parallel, each on its own thread;
// clips in a private file. Sent when complete; stopped when the client disconnects.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "app/server/http_request.h"
#include "core/export/case/still.h"

namespace vantage::server {

// As export_clip() and export_still(), on the program's device.
struct ClipMakers {
  std::function<Result<CaseCamera>(ClipOptions)> clip;
  std::function<Result<Still>(StillOptions)> still;
};
struct ClipDevice {
  DeviceBackends backends;
  std::shared_ptr<HardwareDecode> hardware = {};  // null: there is none
};
// `device`: called for each, from several threads.
ClipMakers clip_makers(std::function<ClipDevice()> device);
ClipMakers clips_on_cpu();

// The picture with its frame number and, if it is blurred as a whole, the reason.
Answer still_answer(Still still, int64_t frame);

class Clips {
 public:
  static constexpr size_t kAtOnce = 2;

  explicit Clips(ClipMakers make) : make_(std::move(make)) {}
  ~Clips() { stop(); }
  Clips(const Clips&) = delete;
  Clips& operator=(const Clips&) = delete;

  // Waits for the clip, or returns why there is none. `options`: without folder, backends and stop.
  // Thread-safe.
  Answer clip(ClipOptions options, const Request& request);
  Answer still(StillOptions options, const Request& request);  // likewise
  // Stops all work in progress; nothing more is made.
  void stop();

 private:
  // Calls `make` on its own thread, and stops it when the client disconnects. Nothing: the maximum number is
  // in progress.
  template <typename Made>
  std::optional<Result<Made>> run(const Request& request,
                                  const std::function<Result<Made>(StopSource)>& make);

  const ClipMakers make_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<StopSource> running_;  // guarded by mutex_
  bool stopped_ = false;           // likewise
};

}  // namespace vantage::server
