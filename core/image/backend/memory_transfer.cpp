#include "core/image/backend/memory_transfer.h"

#include "core/algorithms.h"
#include "core/base/memory.h"

namespace vantage {

// The CPU's MemoryTransfer: everything is where it belongs already.

namespace {

template <typename T>
Result<T> same(const T& content) {
  if (content.place().kind == MemoryKind::host) return content;
  return fail(ErrorKind::unsupported, "content of a device cannot be read from the CPU", "memory transfer",
              "Use the memory transfer of the device that it was made on.");
}

class HostMemory final : public MemoryTransfer {
 public:
  Result<Picture> upload(const Picture& picture, int64_t, int) override { return same(picture); }
  Result<Picture> download(const Picture& picture, int64_t, int) override { return same(picture); }
  Result<Image> upload(const Image& image, int64_t, int) override { return same(image); }
  Result<Image> download(const Image& image, int64_t, int) override { return same(image); }
  Result<std::vector<Image>> download_all(std::span<const Image> images, int64_t) override {
    for (const Image& image : images) VANTAGE_TRY(same(image));
    return std::vector<Image>(images.begin(), images.end());
  }
  Status wait_for(const Image& image) override {
    VANTAGE_TRY(same(image));
    return {};
  }
  Result<double> free_bytes() override {
    if (const std::optional<double> bytes = free_host_bytes()) return *bytes;
    return fail(ErrorKind::unsupported, "the system does not report its free memory");
  }
};

}  // namespace

std::shared_ptr<MemoryTransfer> host_memory() {
  static const auto memory = std::make_shared<HostMemory>();
  return memory;
}

void register_memory_transfer_cpu(BackendRegistry& registry) {
  registry.add<MemoryTransfer>(
      Device::cpu,
      [](const BackendContext&, const MemoryTransfer::Arguments&) -> Result<std::unique_ptr<MemoryTransfer>> {
        return std::make_unique<HostMemory>();
      });
}

}  // namespace vantage
