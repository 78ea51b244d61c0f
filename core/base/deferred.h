// A value that may still be on its way from a device. get() waits for it once, on whichever thread asks
// first, and gives the same answer ever after. Copies share the value. get() may be called from several
// threads.
#pragma once

#include <functional>
#include <future>

#include "core/base/result.h"

namespace vantage {

template <typename T>
class Deferred {
 public:
  Deferred() : Deferred(T{}) {}
  Deferred(T value) : future_(ready(std::move(value))) {}  // NOLINT(google-explicit-constructor)
  explicit Deferred(std::function<Result<T>()> wait)
      : future_(std::async(std::launch::deferred, std::move(wait)).share()) {}

  const Result<T>& get() const { return future_.get(); }

 private:
  static std::shared_future<Result<T>> ready(T value) {
    std::promise<Result<T>> promise;
    promise.set_value(std::move(value));
    return promise.get_future().share();
  }
  std::shared_future<Result<T>> future_;
};

}  // namespace vantage
