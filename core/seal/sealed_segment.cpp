#include "core/seal/sealed_segment.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/file.h"
#include "core/seal/recording_seal.h"
#include "core/video/packet_digests.h"

namespace vantage {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

class SealedSegment final : public SegmentWriter {
 public:
  using Clock = std::chrono::steady_clock;

  SealedSegment(std::filesystem::path path, std::unique_ptr<SegmentWriter> writer, SealSeries& series)
      : path_(std::move(path)),
        writer_(std::move(writer)),
        series_(series),
        file_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)),
        seal_(::open(seal_path(path_).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)) {}

  // What every part that is read back begins with.
  Status begin() {
    if (file_.get() < 0 || seal_.get() < 0) return failed(errno);
    VANTAGE_ASSIGN(head_, read_file(path_));
    read_to_ = static_cast<int64_t>(head_.size());
    return {};
  }

  Status write(const StreamPacket& packet, int64_t time_ms) override {
    return writer_->write(packet, time_ms);
  }
  Status flush() override {
    VANTAGE_TRY(writer_->flush());
    VANTAGE_TRY(add_written());
    if (!lines_) return {};
    if (lines_->unsigned_groups() > 0) VANTAGE_TRY(lines_->sign());
    const auto now = Clock::now();
    const bool sync = now - synced_ >= std::chrono::duration<double>(kSealSync_s);
    if (sync) synced_ = now;
    return append(sync);
  }
  Status finish() override {
    VANTAGE_TRY(writer_->flush());
    VANTAGE_TRY(add_written());  // behind the end are no packets
    VANTAGE_TRY(writer_->finish());
    sync_file(path_);
    if (!lines_) return {};
    VANTAGE_TRY(lines_->complete(path_));
    VANTAGE_TRY(append(true));
    sync_folder_of(path_);
    return {};
  }
  int64_t bytes() const override { return writer_->bytes(); }

 private:
  tl::unexpected<Error> failed(int code) const {
    return fail(ErrorKind::io, std::string("the seal cannot be written (") + std::strerror(code) + ")",
                seal_path(path_).string(), "Free some space or choose another folder.");
  }

  Result<int64_t> size() const {
    struct stat facts = {};
    if (::fstat(file_.get(), &facts) != 0) return failed(errno);
    return static_cast<int64_t>(facts.st_size);
  }

  Status add_written() {
    VANTAGE_ASSIGN(const int64_t end, size());
    if (end <= read_to_) return {};
    VANTAGE_ASSIGN(const std::unique_ptr<PacketDigests> packets,
                   PacketDigests::open_part(head_, file_.get(), read_to_, end));
    read_to_ = end;
    PacketDigest packet;
    for (;;) {
      VANTAGE_ASSIGN(const bool more, packets->next(&packet));
      if (!more) return {};
      if (!lines_) begin_lines(*packets);
      lines_->add(packet);
    }
  }

  void begin_lines(const PacketDigests& packets) {
    SealHead head;
    head.file = path_.filename().string(), head.made = "recording";
    head.series = series_.id, head.part = series_.parts++, head.follows = series_.first_sha256;
    head.streams = packets.streams(), head.video = packets.video();
    lines_.emplace(std::move(head), *series_.key);
    series_.first_sha256 = lines_->first_sha256();
  }

  Status append(bool sync) {
    const std::string text = lines_->take();
    if (sync) ::fdatasync(file_.get());
    for (size_t at = 0; at < text.size();) {
      const ssize_t count = ::write(seal_.get(), text.data() + at, text.size() - at);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return failed(errno);
      at += static_cast<size_t>(count);
    }
    if (sync) ::fdatasync(seal_.get());
    return {};
  }

  const std::filesystem::path path_;
  const std::unique_ptr<SegmentWriter> writer_;
  SealSeries& series_;
  const Descriptor file_, seal_;
  std::string head_;                // of the file, before its first cluster
  int64_t read_to_ = 0;             // of the file
  std::optional<SealLines> lines_;  // nothing: no packet yet
  Clock::time_point synced_ = Clock::now();
};

}  // namespace

Result<std::unique_ptr<SegmentWriter>> open_sealed_segment(const std::filesystem::path& path,
                                                           const StreamPacket& first, SealSeries& series) {
  VANTAGE_ASSIGN(std::unique_ptr<SegmentWriter> writer, SegmentWriter::open(path, first));
  if (!series.key) return writer;
  auto sealed = std::make_unique<SealedSegment>(path, std::move(writer), series);
  VANTAGE_TRY(sealed->begin());
  return sealed;
}

}  // namespace vantage
