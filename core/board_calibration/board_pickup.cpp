#include "core/board_calibration/board_pickup.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/log.h"

namespace vantage {

struct BoardPickup::Impl {
  Impl(std::shared_ptr<MemoryTransfer> transfer, Listener listener)
      : transfer(std::move(transfer)), listener(std::move(listener)), thread([this] { work(); }) {}
  ~Impl() {
    {
      const std::lock_guard lock(mutex);
      ended = true;
    }
    stop.request_stop();
    changed.notify_all();
    thread.join();
  }
  void work();
  bool to_host(FrameSet* frames);

  const std::shared_ptr<MemoryTransfer> transfer;
  const Listener listener;
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<FrameSet> waiting;
  std::shared_ptr<BoardCollector> collector;  // null: nothing is collected; used by the thread alone
  int collection = 0;
  bool ended = false;
  StopSource stop;               // ends a search
  bool transfer_failed = false;  // and was told; of the thread
  std::thread thread;            // last: it uses the others
};

void BoardPickup::Impl::work() {
  for (;;) {
    FrameSet frames;
    std::shared_ptr<BoardCollector> into;
    int number = 0;
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return ended || waiting; });
      if (ended) return;
      frames = *std::exchange(waiting, std::nullopt);
      into = collector, number = collection;
    }
    if (!to_host(&frames)) continue;
    std::vector<SeenBoard> seen = see_boards(frames, into->board(), stop);
    frames.cameras.clear();  // back to their pool
    into->add(frames.time_ns, std::move(seen));
    {
      const std::lock_guard lock(mutex);
      if (ended) return;
    }
    listener(number, std::make_shared<const CollectedBoards>(into->collected()));
  }
}

// False: a device's pictures cannot be had, which is logged once.
bool BoardPickup::Impl::to_host(FrameSet* frames) {
  for (size_t c = 0; c < frames->cameras.size(); ++c) {
    Picture& picture = frames->cameras[c].picture;
    if (!picture || picture.place().kind == MemoryKind::host) continue;
    Result<Picture> host = transfer->download(picture, frames->frame, static_cast<int>(c));
    if (!host) {
      if (!std::exchange(transfer_failed, true))
        log_warning("no board is searched for: " + host.error().message());
      return false;
    }
    picture = std::move(*host);
  }
  return true;
}

BoardPickup::BoardPickup(std::shared_ptr<MemoryTransfer> transfer, Listener listener)
    : impl_(std::make_unique<Impl>(std::move(transfer), std::move(listener))) {}

BoardPickup::~BoardPickup() = default;

int BoardPickup::restart(const Board& board, const std::vector<CollectingCamera>& cameras) {
  auto collector = std::make_shared<BoardCollector>(board, cameras);
  const std::lock_guard lock(impl_->mutex);
  impl_->waiting.reset();
  impl_->collector = std::move(collector);
  return ++impl_->collection;
}

void BoardPickup::offer(FrameSet frames) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (!impl_->collector) return;
    impl_->waiting = std::move(frames);
  }
  impl_->changed.notify_all();
}

}  // namespace vantage
