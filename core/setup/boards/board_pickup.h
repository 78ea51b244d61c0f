// A board picked up while other code shows the cameras' pictures: frame sets are offered as they come, a
// thread searches them for the board and collects its views. To find a board takes 20 to 200 ms a picture; a
// set that is offered meanwhile replaces the one that waits, and offering one never waits.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/image/backend/memory_transfer.h"
#include "core/setup/boards/board_collector.h"

namespace vantage {

using CollectedBoardsRef = std::shared_ptr<const CollectedBoards>;

class BoardPickup {
 public:
  // On the thread, after every set; `collection` is restart()'s number. An error: the set could not be
  // searched, as a device's pictures cannot be had or a library threw (out_of_memory, bad_data).
  using Listener = std::function<void(int collection, Result<CollectedBoardsRef> collected)>;
  // `transfer`: downloads pictures of a device; not null.
  BoardPickup(std::shared_ptr<MemoryTransfer> transfer, Listener listener);
  ~BoardPickup();  // waits for the set that is being searched; the listener is called no more

  // Drops all that was collected and begins another collection; its number. From any thread, at once.
  int restart(const Board& board, const std::vector<CollectingCamera>& cameras);
  // Takes one picture for each of the cameras; from any thread, at once. The pictures are held until they
  // were searched. Before restart() nothing is done with them.
  void offer(FrameSet frames);

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace vantage
