// Pieces of work side by side, each of which runs loops of its own side by side.
//
// A plain tbb::parallel_for ends the others half way where one throws, and with them the loops inside them,
// which then return as if they were done: code that continues with what they made reads what is not there.
#pragma once

#include <tbb/parallel_for.h>

#include <cstddef>
#include <exception>
#include <vector>

namespace vantage {

// body(0) to body(count - 1), all of them to their end; then the first exception by number, if any.
template <typename Body>
void parallel_each(size_t count, const Body& body) {
  std::vector<std::exception_ptr> thrown(count);
  tbb::parallel_for(size_t{0}, count, [&](size_t i) {
    try {
      body(i);
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
}

}  // namespace vantage
