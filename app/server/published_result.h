// The newest result of a run with its pictures: each is encoded for the first who asks, others who ask at the
// same time wait for it, and then it is there for all until the next result comes.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/server/result_source.h"
#include "core/base/deferred.h"
#include "core/image/backend/memory_transfer.h"
#include "core/pipeline/frame_result.h"

namespace vantage::server {

class PublishedResult {
 public:
  using People = std::optional<std::vector<CasePerson>>;  // nothing: not known
  // `transfer` fetches pictures from the device. `people`: as RunPeople has them.
  PublishedResult(FrameResultRef result, std::shared_ptr<MemoryTransfer> transfer, People people = {})
      : result_(std::move(result)), transfer_(std::move(transfer)), people_(std::move(people)) {}
  PublishedResult(const PublishedResult&) = delete;
  PublishedResult& operator=(const PublishedResult&) = delete;

  int64_t frame() const { return result_->frame; }
  // `camera`: whose mask or flow. not_found where the result has none.
  Result<std::string> picture(PictureKind kind, size_t camera) const;
  // The camera's picture; `described` is the same each time.
  Result<Still> still(size_t camera, const RunCamera& described, const StillMarks& marks) const;

 private:
  Result<std::string> encoded(PictureKind kind, size_t camera) const;

  const FrameResultRef result_;
  const std::shared_ptr<MemoryTransfer> transfer_;
  const People people_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<PictureKind, size_t>, Deferred<std::string>> pictures_;  // guarded by mutex_
  mutable std::map<std::pair<size_t, StillMarks>, Deferred<Still>> stills_;           // likewise
};

}  // namespace vantage::server
