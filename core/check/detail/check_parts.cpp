#include "core/check/detail/check_parts.h"

#include <ctime>

#include "core/base/trace.h"

namespace vantage {
namespace {

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

CheckParts::Running::Running(CheckParts* parts, const char* name, size_t total) : parts_(parts) {
  if (!parts_) return;
  const std::lock_guard lock(parts_->mutex_);
  parts_->progress_ = {name, 0, total};
  parts_->start_ns_ = trace_now_ns();
  parts_->start_cpu_s_ = processor_seconds();
  parts_->tell();
}

CheckParts::Running::~Running() {
  if (!parts_) return;
  const std::lock_guard lock(parts_->mutex_);
  parts_->parts_->push_back({parts_->progress_.part,
                             static_cast<double>(trace_now_ns() - parts_->start_ns_) * 1e-9,
                             processor_seconds() - parts_->start_cpu_s_});
}

void CheckParts::step() {
  const std::lock_guard lock(mutex_);
  if (progress_.done < progress_.total) ++progress_.done;
  tell();
}

void CheckParts::reach(size_t done, size_t total) {
  const std::lock_guard lock(mutex_);
  progress_.done = done, progress_.total = total;
  tell();
}

void CheckParts::tell() const {
  if (options_.progress) options_.progress(progress_);
}

}  // namespace vantage
