#include "app/server/clips.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "core/algorithms.h"
#include "core/backend/registry.h"
#include "core/base/temporary_folder.h"

namespace vantage::server {
namespace {

constexpr std::chrono::milliseconds kClientLook{100};  // whether the client is still there

Result<FileBody> opened(const std::filesystem::path& path) {
  FileBody body;
  std::error_code code;
  body.bytes = static_cast<int64_t>(std::filesystem::file_size(path, code));
  std::FILE* file = code ? nullptr : std::fopen(path.c_str(), "rbe");
  if (!file) return fail(ErrorKind::io, "the clip cannot be read", path.string());
  body.file.reset(file, [](std::FILE* open) { std::fclose(open); });
  return body;
}

}  // namespace

struct Clips::Running {
  TemporaryFolder folder;
  StopSource stop;
  std::optional<Result<CaseCamera>> result;  // guarded by the mutex; nothing: it is being made
};

ClipFunction clips_on_cpu() {
  return [](ClipOptions options) {
    BackendRegistry registry;
    register_cpu_backends(registry);
    options.backends = {&registry, Device::cpu, {}};
    return export_clip(options);
  };
}

Answer Clips::refused(const Request& request) const {
  Answer answer =
      error_answer(503, "as many clips are being made as may be at a time", request.path, "Try again later.");
  answer.headers.emplace_back("Retry-After", "5");
  return answer;
}

// The file stays readable when its name goes.
Answer Clips::made(const Running& running, const Request& request) const {
  const Result<CaseCamera>& clip = *running.result;
  if (!clip && clip.error().kind == ErrorKind::cancelled)
    return error_answer(503, "the clip was not finished", request.path, "Ask again.");
  // Errors' places are of this machine's disk.
  if (!clip) return error_answer(clip.error(), request.path);
  Result<FileBody> file = opened(running.folder.path() / clip->video);
  if (!file) return error_answer(file.error(), request.path);
  Answer answer;
  answer.type = "video/mp4";
  answer.file = std::move(*file);
  return answer;
}

Answer Clips::clip(ClipOptions options, const Request& request) {
  Result<TemporaryFolder> folder = TemporaryFolder::make("vantage-clip");
  // Places on this machine's disk are none of the client's business.
  if (!folder)
    return error_answer(Error{ErrorKind::io, "there is no folder for temporary files", {}, {}}, request.path);
  Running running{std::move(*folder), {}, {}};
  options.folder = running.folder.path();
  options.stop = running.stop;
  std::unique_lock lock(mutex_);
  if (stopped_ || running_.size() >= kAtOnce) return refused(request);
  const auto place = running_.insert(running_.end(), &running);
  std::thread maker([&] {
    Result<CaseCamera> result = make_(options);
    const std::lock_guard done(mutex_);
    running.result.emplace(std::move(result));
    changed_.notify_all();
  });
  while (!running.result) {
    changed_.wait_for(lock, kClientLook);
    if (!running.result && request.client_left && request.client_left()) running.stop.request_stop();
  }
  running_.erase(place);
  lock.unlock();
  maker.join();
  return made(running, request);
}

void Clips::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (Running* running : running_) running->stop.request_stop();
}

}  // namespace vantage::server
