// Copies between host and device memory (core/image/backend/memory_transfer.h), staged through pinned memory.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/image/backend/memory_transfer.h"
#include "gpu/algorithms.h"
#include "gpu/runtime/work.h"

namespace vantage::gpu {
namespace {

constexpr const char* kUpload = "copy host to device";
constexpr const char* kDownload = "copy device to host";

// Copies the elements of a plane, whatever the strides.
template <typename T>
void copy_rows(const ImageView<const T>& from, const ImageView<T>& to) {
  for (int y = 0; y < from.height; ++y)
    std::memcpy(to.row(y), from.row(y), static_cast<size_t>(from.width) * sizeof(T));
}

void interleave(const ImageView<const uint8_t>& cb, const ImageView<const uint8_t>& cr,
                const ImageView<uint8_t>& to) {
  for (int y = 0; y < cb.height; ++y) {
    const uint8_t *b = cb.row(y), *r = cr.row(y);
    uint8_t* out = to.row(y);
    for (int x = 0; x < cb.width; ++x) {
      out[2 * x] = b[x];
      out[2 * x + 1] = r[x];
    }
  }
}

// The same position in another block that is laid out alike.
template <typename T>
ImageView<T> moved(const ImageView<T>& view, const std::byte* from, std::byte* to) {
  const auto offset = reinterpret_cast<const std::byte*>(view.data) - from;
  return {reinterpret_cast<T*>(to + offset), view.width, view.height, view.stride_bytes};
}

// Rows of an image as bytes, so that one function copies every type.
ImageView<const uint8_t> bytes_of(const Image& image) {
  const auto row_bytes = static_cast<size_t>(image.width()) * element_size_bytes(image.type());
  return {reinterpret_cast<const uint8_t*>(image.buffer()->data()), static_cast<int>(row_bytes),
          image.height(), image.stride_bytes()};
}

ImageView<uint8_t> writable_bytes_of(const Image& image) {
  const ImageView<const uint8_t> view = bytes_of(image);
  return {const_cast<uint8_t*>(view.data), view.width, view.height, view.stride_bytes};
}

// Some rows of a view.
template <typename T>
ImageView<T> rows_of(const ImageView<T>& view, int begin, int end) {
  return {view.row(begin), view.width, end - begin, view.stride_bytes};
}

// Bytes that planes or rows occupy, without what the pool rounded up.
size_t used_bytes(const Picture& picture) {
  const ImageView<const uint8_t> last = picture.plane(picture.plane_count() - 1);
  const auto before = static_cast<size_t>(last.data - picture.plane(0).data);
  return before + last.stride_bytes * static_cast<size_t>(last.height);
}

size_t used_bytes(const Image& image) {
  return image.stride_bytes() * static_cast<size_t>(image.height());
}

class MemoryTransferCuda final : public MemoryTransfer {
 public:
  MemoryTransferCuda(std::shared_ptr<Context> context, std::unique_ptr<Stream> up,
                     std::unique_ptr<Stream> down)
      : context_(std::move(context)), up_(std::move(up)), down_(std::move(down)) {}

  Result<Picture> upload(const Picture& picture, int64_t frame, int camera) override {
    VANTAGE_TRY(expect(static_cast<bool>(picture), picture.place(), MemoryKind::host));
    PictureFormat format = picture.format();
    format.layout = PictureLayout::nv12;
    VANTAGE_ASSIGN(Picture on_device, Picture::make(format, context_->device_pool()));
    const size_t size = used_bytes(on_device);
    VANTAGE_ASSIGN(const BufferRef staging, context_->pinned_pool().take(size));
    std::byte* origin = on_device.buffer()->data();
    copy_rows(picture.plane(0), moved(on_device.writable_plane(0), origin, staging->data()));
    const ImageView<uint8_t> chroma = moved(on_device.writable_plane(1), origin, staging->data());
    if (picture.format().layout == PictureLayout::i420) {
      interleave(picture.plane(1), picture.plane(2), chroma);
    } else {
      copy_rows(picture.plane(1), chroma);
    }
    VANTAGE_TRY(enqueue(*up_, kUpload, staging, on_device.buffer(), size, frame, camera));
    return on_device;
  }

  Result<Picture> download(const Picture& picture, int64_t frame, int camera) override {
    VANTAGE_TRY(expect(static_cast<bool>(picture), picture.place(), MemoryKind::device));
    std::vector<ImageView<const uint8_t>> planes;
    for (int p = 0; p < picture.plane_count(); ++p) planes.push_back(picture.plane(p));
    VANTAGE_ASSIGN(const BufferRef staging,
                   fetch(picture.buffer(), used_bytes(picture), planes, frame, camera));
    VANTAGE_ASSIGN(Picture on_host, Picture::make(picture.format(), HostPool::shared()));
    for (int p = 0; p < picture.plane_count(); ++p)
      copy_rows(moved(picture.plane(p), picture.buffer()->data(), staging->data()),
                on_host.writable_plane(p));
    return on_host;
  }

  Result<Image> upload(const Image& image, int64_t frame, int camera) override {
    VANTAGE_TRY(expect(static_cast<bool>(image), image.place(), MemoryKind::host));
    VANTAGE_ASSIGN(Image on_device,
                   Image::make(image.type(), image.width(), image.height(), context_->device_pool()));
    const size_t size = used_bytes(on_device);
    VANTAGE_ASSIGN(const BufferRef staging, context_->pinned_pool().take(size));
    copy_rows(bytes_of(image),
              moved(writable_bytes_of(on_device), on_device.buffer()->data(), staging->data()));
    VANTAGE_TRY(enqueue(*up_, kUpload, staging, on_device.buffer(), size, frame, camera));
    return on_device;
  }

  Result<Image> download(const Image& image, int64_t frame, int camera) override {
    VANTAGE_TRY(expect(static_cast<bool>(image), image.place(), MemoryKind::device));
    VANTAGE_ASSIGN(const BufferRef staging,
                   fetch(image.buffer(), used_bytes(image), {bytes_of(image)}, frame, camera));
    VANTAGE_ASSIGN(Image on_host,
                   Image::make(image.type(), image.width(), image.height(), HostPool::shared()));
    copy_rows(moved(bytes_of(image), image.buffer()->data(), staging->data()), writable_bytes_of(on_host));
    return on_host;
  }

  Result<std::vector<Image>> download_all(std::span<const Image> images, int64_t frame) override {
    std::vector<BufferRef> staging(images.size());
    std::vector<Image> on_host(images.size());
    for (size_t i = 0; i < images.size(); ++i) {
      if (!images[i]) continue;
      VANTAGE_TRY(expect(true, images[i].place(), MemoryKind::device));
      VANTAGE_ASSIGN(staging[i], context_->pinned_pool().take(used_bytes(images[i])));
      VANTAGE_ASSIGN(on_host[i], Image::make(images[i].type(), images[i].width(), images[i].height(),
                                             HostPool::shared()));
    }
    VANTAGE_ASSIGN(const EventRef done, context_->run([&]() -> Result<EventRef> {
      EventRef last;  // of one stream: the last has everything before it done
      for (size_t i = 0; i < images.size(); ++i) {
        if (!images[i]) continue;
        VANTAGE_ASSIGN(last, enqueue_download(images[i].buffer(), staging[i], {bytes_of(images[i])}, frame,
                                              static_cast<int>(i)));
      }
      return last;
    }));
    if (done) VANTAGE_TRY(context_->wait(done));
    copy_in_bands(images, staging, on_host);
    return on_host;
  }

  Status wait_for(const Image& image) override {
    VANTAGE_TRY(expect(static_cast<bool>(image), image.place(), MemoryKind::device));
    return context_->wait(as_cuda(image.buffer())->ready());
  }

  Result<double> free_bytes() override {
    size_t free = 0, all = 0;
    VANTAGE_TRY(context_->run(
        [&] { return context_->check(cudaMemGetInfo(&free, &all), "read the device's memory"); }));
    const PoolStatistics pool = context_->device_pool().statistics();
    const size_t cap = context_->device_pool().cap_bytes();
    return static_cast<double>(std::min(free + pool.cached_bytes, cap - std::min(cap, pool.in_use_bytes)));
  }

 private:
  // Bands of rows so large that starting a task does not count.
  static void copy_in_bands(std::span<const Image> images, const std::vector<BufferRef>& staging,
                            std::vector<Image>& on_host) {
    constexpr size_t kBand_bytes = size_t{1} << 18;
    tbb::parallel_for(size_t{0}, images.size(), [&](size_t i) {
      if (!images[i]) return;
      const auto from = moved(bytes_of(images[i]), images[i].buffer()->data(), staging[i]->data());
      const auto to = writable_bytes_of(on_host[i]);
      const int rows = std::max(1, static_cast<int>(kBand_bytes / static_cast<size_t>(from.width)));
      tbb::parallel_for(0, (from.height + rows - 1) / rows, [&](int band) {
        const int begin = band * rows, end = std::min(begin + rows, from.height);
        copy_rows(rows_of(from, begin, end), rows_of(to, begin, end));
      });
    });
  }

  Status expect(bool present, MemoryPlace place, MemoryKind kind) const {
    const std::string where = "cuda:" + std::to_string(context_->device());
    if (!present) return fail(ErrorKind::invalid_argument, "there is no picture to copy", where);
    if (place.kind == kind && (kind == MemoryKind::host || place.device == context_->device())) return {};
    return fail(ErrorKind::invalid_argument,
                "the picture to copy is in another memory than this transfer reads", where);
  }

  Status enqueue(Stream& stream, const char* name, const BufferRef& from, const BufferRef& to, size_t size,
                 int64_t frame, int camera) {
    return context_->run([&]() -> Status {
      Work work(stream, {.name = {}, .frame = frame, .camera = camera});
      VANTAGE_TRY(work.reads(from));
      VANTAGE_TRY(work.writes(to));
      VANTAGE_TRY(work.copy(name, to->data(), from->data(), size));
      return work.finish();
    });
  }

  // The planes at the same positions in pinned memory, arrived. Rows only: no one wrote what lies between
  // them.
  Result<BufferRef> fetch(const BufferRef& from, size_t size,
                          const std::vector<ImageView<const uint8_t>>& planes, int64_t frame, int camera) {
    VANTAGE_ASSIGN(BufferRef staging, context_->pinned_pool().take(size));
    VANTAGE_ASSIGN(const EventRef done,
                   context_->run([&] { return enqueue_download(from, staging, planes, frame, camera); }));
    VANTAGE_TRY(context_->wait(done));
    return staging;
  }

  Result<EventRef> enqueue_download(const BufferRef& from, const BufferRef& staging,
                                    const std::vector<ImageView<const uint8_t>>& planes, int64_t frame,
                                    int camera) {
    Work work(*down_, {.name = {}, .frame = frame, .camera = camera});
    VANTAGE_TRY(work.reads(from));
    VANTAGE_TRY(work.writes(staging));
    for (const ImageView<const uint8_t>& plane : planes) {
      const auto offset = reinterpret_cast<const std::byte*>(plane.data) - from->data();
      VANTAGE_TRY(work.copy_2d(kDownload, staging->data() + offset, plane.stride_bytes, plane.data,
                               plane.stride_bytes, static_cast<size_t>(plane.width), plane.height));
    }
    VANTAGE_TRY(work.finish());
    return work.done();
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<Stream> up_, down_;  // apart, because a GPU copies both ways at once
};

Result<std::unique_ptr<MemoryTransfer>> make(const BackendContext& backend,
                                             const MemoryTransfer::Arguments&) {
  VANTAGE_ASSIGN(std::shared_ptr<Context> context, Context::get(backend.device_index));
  VANTAGE_ASSIGN(std::unique_ptr<Stream> up, Stream::make(context, "upload", backend.trace));
  VANTAGE_ASSIGN(std::unique_ptr<Stream> down, Stream::make(context, "download", backend.trace));
  return std::make_unique<MemoryTransferCuda>(std::move(context), std::move(up), std::move(down));
}

}  // namespace

void register_memory_transfer_cuda(BackendRegistry& registry) {
  registry.add<MemoryTransfer>(Device::cuda, make);
}

}  // namespace vantage::gpu
