#include "gpu/runtime/upload.h"

#include <cstring>

#include "gpu/runtime/work.h"

namespace vantage::gpu {

Status upload_bytes(Stream& stream, const void* from, size_t size_bytes, const BufferRef& to) {
  if (size_bytes == 0) return {};
  Context& context = stream.context();
  VANTAGE_ASSIGN(const BufferRef staging, context.pinned_pool().take(size_bytes));
  std::memcpy(staging->data(), from, size_bytes);
  return context.run([&]() -> Status {
    Work work(stream, {});
    VANTAGE_TRY(work.reads(staging));
    VANTAGE_TRY(work.writes(to));
    VANTAGE_TRY(work.copy("copy host to device", to->data(), staging->data(), size_bytes));
    return work.finish();
  });
}

Status fill_bytes(Stream& stream, const BufferRef& buffer, size_t size_bytes, int byte) {
  return stream.context().run([&]() -> Status {
    Work work(stream, {});
    VANTAGE_TRY(work.writes(buffer));
    VANTAGE_TRY(work.fill(buffer->data(), byte, size_bytes));
    return work.finish();
  });
}

Result<Image> upload(Stream& stream, const Image& host) {
  Context& context = stream.context();
  VANTAGE_ASSIGN(Image image, Image::make(host.type(), host.width(), host.height(), context.device_pool()));
  const size_t row_bytes = static_cast<size_t>(host.width()) * element_size_bytes(host.type());
  const auto rows = static_cast<size_t>(host.height());
  VANTAGE_ASSIGN(const BufferRef staging, context.pinned_pool().take(row_bytes * rows));
  for (size_t y = 0; y < rows; ++y)
    std::memcpy(staging->data() + y * row_bytes, host.buffer()->data() + y * host.stride_bytes(), row_bytes);
  VANTAGE_TRY(context.run([&]() -> Status {
    Work work(stream, {});
    VANTAGE_TRY(work.reads(staging));
    VANTAGE_TRY(work.writes(image.buffer()));
    VANTAGE_TRY(work.copy_2d("copy host to device", image.buffer()->data(), image.stride_bytes(),
                             staging->data(), row_bytes, row_bytes, host.height()));
    return work.finish();
  }));
  return image;
}

}  // namespace vantage::gpu
