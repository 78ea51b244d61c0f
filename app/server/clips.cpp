#include "app/server/clips.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "core/algorithms.h"
#include "core/base/file.h"
#include "core/image/backend/registry.h"

namespace vantage::server {
namespace {

constexpr std::chrono::milliseconds kClientLook{100};  // interval of checking that the client is connected

Result<FileBody> opened(const std::filesystem::path& path) {
  FileBody body;
  std::error_code code;
  body.bytes = static_cast<int64_t>(std::filesystem::file_size(path, code));
  std::FILE* file = code ? nullptr : std::fopen(path.c_str(), "rbe");
  if (!file) return fail(ErrorKind::io, "the clip cannot be read", path.string());
  body.file.reset(file, [](std::FILE* open) { std::fclose(open); });
  return body;
}

Answer refused(const Request& request) {
  Answer answer =
      error_answer(503, "the maximum number of clips is being made", request.path, "Try again later.");
  answer.headers.emplace_back("Retry-After", "5");
  return answer;
}

// Paths in errors are on this machine's disk.
Answer not_made(const Error& error, const Request& request) {
  if (error.kind == ErrorKind::cancelled)
    return error_answer(503, "it was not finished", request.path, "Ask again.");
  return error_answer(error, request.path);
}

}  // namespace

Answer still_answer(Still still, int64_t frame) {
  Answer answer;
  answer.type = "image/jpeg";
  answer.body = std::move(still.jpeg);
  answer.headers.emplace_back("Vantage-Frame", std::to_string(frame));
  if (still.doubt)
    answer.headers.emplace_back("Vantage-Wholly-Blurred",
                                std::string(kBlurDoubtNames[static_cast<size_t>(*still.doubt)]));
  return answer;
}

ClipMakers clip_makers(std::function<ClipDevice()> device) {
  const auto on_device = [device = std::move(device)](auto options) {
    const ClipDevice used = device();
    options.backends = used.backends, options.hardware = used.hardware;
    return options;
  };
  return {[on_device](ClipOptions options) { return export_clip(on_device(std::move(options))); },
          [on_device](StillOptions options) { return export_still(on_device(std::move(options))); }};
}

ClipMakers clips_on_cpu() {
  const auto registry = std::make_shared<BackendRegistry>();
  register_cpu_backends(*registry);
  return clip_makers([registry] { return ClipDevice{{registry.get(), Device::cpu, {}}}; });
}

template <typename Made>
std::optional<Result<Made>> Clips::run(const Request& request,
                                       const std::function<Result<Made>(StopSource)>& make) {
  std::optional<Result<Made>> result;  // guarded by the mutex; nothing: in progress
  std::unique_lock lock(mutex_);
  if (stopped_ || running_.size() >= kAtOnce) return std::nullopt;
  const StopSource stop;
  const auto place = running_.insert(running_.end(), stop);
  std::thread maker([&] {
    Result<Made> made = make(stop);
    const std::lock_guard done(mutex_);
    result.emplace(std::move(made));
    changed_.notify_all();
  });
  while (!result) {
    changed_.wait_for(lock, kClientLook);
    if (!result && request.client_left && request.client_left()) place->request_stop();
  }
  running_.erase(place);
  lock.unlock();
  maker.join();
  return result;
}

// The open file stays readable when its name is removed.
Answer Clips::clip(ClipOptions options, const Request& request) {
  const Result<TemporaryFolder> folder = TemporaryFolder::make("vantage-clip");
  // Clients must not learn paths on this machine's disk.
  if (!folder)
    return error_answer(Error{ErrorKind::io, "there is no folder for temporary files", {}, {}}, request.path);
  options.folder = folder->path();
  const auto clip = run<CaseCamera>(request, [&](StopSource stop) {
    options.stop = std::move(stop);
    return make_.clip(options);
  });
  if (!clip) return refused(request);
  if (!*clip) return not_made(clip->error(), request);
  Result<FileBody> file = opened(folder->path() / (*clip)->video);
  if (!file) return error_answer(file.error(), request.path);
  Answer answer;
  answer.type = "video/mp4";
  answer.file = std::move(*file);
  return answer;
}

Answer Clips::still(StillOptions options, const Request& request) {
  auto still = run<Still>(request, [&](StopSource stop) {
    options.stop = std::move(stop);
    return make_.still(options);
  });
  if (!still) return refused(request);
  if (!*still) return not_made(still->error(), request);
  return still_answer(std::move(**still), options.frame);
}

void Clips::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (StopSource& running : running_) running.request_stop();
}

}  // namespace vantage::server
