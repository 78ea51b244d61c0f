#include "core/setup/boards/board_pickup.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>

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
  Status to_host(FrameSet* frames);
  Result<CollectedBoardsRef> search(FrameSet frames, BoardCollector& into);

  const std::shared_ptr<MemoryTransfer> transfer;
  const Listener listener;
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<FrameSet> waiting;
  std::shared_ptr<BoardCollector> collector;  // null: nothing is collected; used by the thread alone
  int collection = 0;
  bool ended = false;
  StopSource stop;     // ends a search
  std::thread thread;  // last: it uses the others
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
    Result<CollectedBoardsRef> collected = search(std::move(frames), *into);
    {
      const std::lock_guard lock(mutex);
      if (ended) return;
    }
    listener(number, std::move(collected));
  }
}

// OpenCV and memory may throw; nothing may leave the thread that way.
Result<CollectedBoardsRef> BoardPickup::Impl::search(FrameSet frames, BoardCollector& into) {
  try {
    VANTAGE_TRY(to_host(&frames));
    std::vector<SeenBoard> seen = see_boards(frames, into.board(), stop);
    frames.cameras.clear();  // back to their pool
    into.add(frames.time_ns, std::move(seen));
    return std::make_shared<const CollectedBoards>(into.collected());
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::out_of_memory, "out of memory", "boards",
                "Close other programs, or use fewer cameras or smaller pictures.");
  } catch (const std::exception& error) {
    return fail(ErrorKind::bad_data, std::string("boards cannot be searched for: ") + error.what(), "boards");
  }
}

Status BoardPickup::Impl::to_host(FrameSet* frames) {
  for (size_t c = 0; c < frames->cameras.size(); ++c) {
    Picture& picture = frames->cameras[c].picture;
    if (!picture || picture.place().kind == MemoryKind::host) continue;
    VANTAGE_ASSIGN(picture, transfer->download(picture, frames->frame, static_cast<int>(c)));
  }
  return {};
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
