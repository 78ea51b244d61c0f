// For what belongs to one thread: assert(check.here()) stops a debug build where another one calls it.
#pragma once

#include <thread>

namespace vantage {

class ThreadCheck {
 public:
  bool here() const { return std::this_thread::get_id() == thread_; }

 private:
  std::thread::id thread_ = std::this_thread::get_id();  // the one that made it
};

}  // namespace vantage
