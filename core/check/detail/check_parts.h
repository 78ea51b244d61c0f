// The parts of a check, one after the other: how long each takes, and how far it is.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "core/check/check.h"

namespace vantage {

class CheckParts {
 public:
  // Both outlive it. `parts`: gets each part at its end.
  CheckParts(const CheckOptions& options, std::vector<CheckPart>* parts) : options_(options), parts_(parts) {}

  const StopSource& stop() const { return options_.stop; }

  // A part that ends with the object.
  class Running {
   public:
    Running(CheckParts* parts, const char* name, size_t total);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    CheckParts* parts_;  // null: not reported
  };

  void step();  // one more of the total is done; from any thread
  void reach(size_t done, size_t total);

 private:
  void tell() const;

  const CheckOptions& options_;
  std::vector<CheckPart>* parts_;
  std::mutex mutex_;
  CheckProgress progress_;
  int64_t start_ns_ = 0;
  double start_cpu_s_ = 0;
};

}  // namespace vantage
