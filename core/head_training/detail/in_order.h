// Work on many things on all threads whose outcome does not depend on the threads.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/base/stop_token.h"

namespace vantage::head_training {

// make(i) for every i below `count`, several at once; use(i, made) one after the other, in order, until it
// returns false. Errors: cancelled.
template <class Make, class Use>
Status make_in_order(size_t count, const StopSource& stop, const Make& make, const Use& use) {
  constexpr size_t kAtOnce = 64;  // made before they are used: bounds the memory
  for (size_t first = 0; first < count; first += kAtOnce) {
    const size_t some = std::min(kAtOnce, count - first);
    std::vector<std::optional<decltype(make(first))>> made(some);
    tbb::parallel_for(
        size_t{0}, some,
        [&](size_t i) {
          if (stop.stop_requested()) return;
          // Isolated: a thread that waits in there must not start on another one meanwhile.
          tbb::this_task_arena::isolate([&] { made[i].emplace(make(first + i)); });
        },
        tbb::simple_partitioner());
    if (stop.stop_requested())
      return fail(ErrorKind::cancelled, "training was stopped; nothing was saved", "train-heads");
    for (size_t i = 0; i < some; ++i)
      if (!use(first + i, std::move(*made[i]))) return {};
  }
  return {};
}

}  // namespace vantage::head_training
