// Several files of one camera as a VideoSource: each is opened as a video of its own, by the decoder that is
// wanted, when its frames are read.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "core/video/file_list.h"

namespace vantage {
namespace {

constexpr size_t kMaxListProblems = 4096;

class FileListSource final : public VideoSource {
 public:
  FileListSource(FileList list, std::string name, VideoOpenOptions options)
      : list_(std::move(list)),
        name_(std::move(name)),
        options_(std::move(options)),
        spans_(spans_of(list_)),
        checksum_(file_list_checksum(list_)),
        reasons_(list_.files.size()) {
    options_.by_count = false;  // the list counts the frames that its files show
  }

  Status open();

  VideoInfo info() const override {
    const std::lock_guard lock(mutex_);
    return info_;
  }
  Result<DecodedFrame> read() override;
  Status seek(int64_t index) override;
  int64_t start_before(int64_t index) const override;
  Result<int64_t> wait_for_frame_count(const StopSource&) override { return frames(); }
  std::vector<std::pair<int64_t, std::string>> problems() const override;
  uint64_t content_hash() const override { return checksum_; }

 private:
  int64_t frames() const { return spans_.back().end; }
  const ListedSpan& span_of(int64_t frame) const {
    return *std::ranges::upper_bound(spans_, frame, {}, &ListedSpan::end);
  }
  int64_t first_frame(int file) const { return list_.files[static_cast<size_t>(file)].first_frame; }
  Status check_files() const;
  Status open_file(int file);
  Result<DecodedFrame> read_from(int file, int64_t own_frame);
  void close_file();
  void add_problems(std::map<int64_t, std::string>* all) const;  // of the open file; under the lock
  std::vector<int64_t> pictures() const;

  const FileList list_;
  const std::string name_;
  VideoOpenOptions options_;
  const std::vector<ListedSpan> spans_;
  const uint64_t checksum_;
  std::vector<std::string> reasons_;  // by file, why it cannot be read; empty: it can, or was not tried
  int64_t next_ = 0;
  int64_t position_ = -1;  // what source_ reads next; -1: not known

  mutable std::mutex mutex_;  // of what follows
  std::shared_ptr<VideoSource> source_;
  int file_ = -1;  // that is open
  VideoInfo info_;
  std::map<int64_t, std::string> problems_;  // of files that are closed, and of those that cannot be read
};

Status FileListSource::open() {
  VANTAGE_TRY(check_files());
  VANTAGE_TRY(open_file(spans_.front().file));
  info_ = source_->info();
  info_.frame_rate = list_.frame_rate;
  info_.frame_count = frames();
  info_.frame_count_exact = true;
  info_.content_hash = checksum_;
  info_.timing = file_list_text(list_);
  info_.picture_of_frame = std::make_shared<const std::vector<int64_t>>(pictures());
  info_.file_bytes = 0;
  for (const ListedFile& file : list_.files) info_.file_bytes += file.identity.bytes;
  return {};
}

// A list whose files were moved, copied in part or exchanged is not played as if it were complete.
Status FileListSource::check_files() const {
  for (size_t i = 0; i < list_.files.size(); ++i) {
    const ListedFile& entry = list_.files[i];
    std::error_code failed;
    const auto bytes = static_cast<int64_t>(std::filesystem::file_size(entry.file, failed));
    const std::string place = fmt::format("file {} of {} of {}", i + 1, list_.files.size(), name_);
    if (failed)
      return fail(ErrorKind::not_found, place + " cannot be found", entry.file.string(),
                  "Put it back, or correct 'folder' in the list.");
    if (bytes != entry.identity.bytes)
      return fail(ErrorKind::bad_data,
                  fmt::format("{} has {} bytes, {} were expected", place, bytes, entry.identity.bytes),
                  entry.file.string(),
                  "Copy it again from its source; if it was replaced on purpose, make the list again with "
                  "`vantage-cli new`.");
  }
  return {};
}

// One counter for all files. A varying rate that shows a picture twice counts it twice.
std::vector<int64_t> FileListSource::pictures() const {
  std::vector<int64_t> shown(static_cast<size_t>(frames()), 0);
  for (const ListedSpan& span : spans_) {
    const auto lose = [&](int64_t begin, int64_t end) {
      for (int64_t frame = std::max(begin, span.begin); frame < std::min(end, span.end); ++frame)
        shown[static_cast<size_t>(frame)] = -1;
    };
    if (span.file < 0) {
      lose(span.begin, span.end);
      continue;
    }
    for (const VideoGap& gap : list_.files[static_cast<size_t>(span.file)].gaps)
      lose(first_frame(span.file) + gap.first_frame, first_frame(span.file) + gap.first_frame + gap.frames);
  }
  int64_t count = 0;
  for (int64_t& picture : shown)
    if (picture == 0) picture = count++;
  return shown;
}

void FileListSource::add_problems(std::map<int64_t, std::string>* all) const {
  if (!source_) return;
  for (auto& [frame, text] : source_->problems()) {
    const int64_t own = first_frame(file_) + frame;
    if (all->size() < kMaxListProblems && own < frames() && span_of(own).file == file_)
      all->emplace(own, list_.files[static_cast<size_t>(file_)].file.filename().string() + ": " + text);
  }
}

// A decoder of the device is given back before the next one is taken.
void FileListSource::close_file() {
  const std::lock_guard lock(mutex_);
  add_problems(&problems_);
  source_.reset();
  file_ = -1;
  position_ = -1;
}

Status FileListSource::open_file(int file) {
  close_file();
  const ListedFile& entry = list_.files[static_cast<size_t>(file)];
  VANTAGE_ASSIGN(std::shared_ptr<VideoSource> source, open_video(entry.file.string(), options_));
  const VideoInfo found = source->info();
  if (source->content_hash() != entry.identity.checksum)
    return fail(ErrorKind::bad_data, "its content is not the one that the list states", entry.file.string(),
                "Copy it again from its source, or make the list again with `vantage-cli new`.");
  if (found.width_px != list_.width_px || found.height_px != list_.height_px)
    return fail(ErrorKind::bad_data,
                fmt::format("has {}x{} px, the list states {}x{}", found.width_px, found.height_px,
                            list_.width_px, list_.height_px),
                entry.file.string());
  const std::lock_guard lock(mutex_);
  source_ = std::move(source);
  file_ = file;
  info_.decoder = found.decoder, info_.codec = found.codec;
  position_ = 0;
  return {};
}

Result<DecodedFrame> FileListSource::read_from(int file, int64_t own_frame) {
  if (file != file_) VANTAGE_TRY(open_file(file));
  if (position_ != own_frame) {
    position_ = -1;
    VANTAGE_TRY(source_->seek(own_frame));
  }
  position_ = -1;
  VANTAGE_ASSIGN(DecodedFrame frame, source_->read());
  position_ = own_frame + 1;
  return frame;
}

bool ends_reading(const Error& error) {
  return error.kind == ErrorKind::cancelled || error.kind == ErrorKind::device_lost ||
         error.kind == ErrorKind::out_of_memory;
}

Result<DecodedFrame> FileListSource::read() {
  if (next_ >= frames()) return fail(ErrorKind::end_of_stream, "the last file has ended", name_);
  const ListedSpan& span = span_of(next_);
  DecodedFrame out;
  if (span.file < 0) {
    out.problem = "no file has a picture of this time";
  } else if (std::string& reason = reasons_[static_cast<size_t>(span.file)]; !reason.empty()) {
    out.problem = reason;
  } else {
    Result<DecodedFrame> frame = read_from(span.file, next_ - first_frame(span.file));
    if (!frame && ends_reading(frame.error())) return frame;
    if (frame) {
      out = std::move(*frame);
    } else {
      const bool short_file = frame.error().kind == ErrorKind::end_of_stream;
      out.problem = short_file ? "the picture could not be decoded" : frame.error().message();
      if (!short_file) reason = out.problem;  // the rest of it is not tried frame by frame
      const std::lock_guard lock(mutex_);
      if (problems_.size() < kMaxListProblems) problems_.emplace(next_, out.problem);
    }
  }
  out.index = next_++;
  out.time_ns = std::llround(static_cast<double>(out.index) / list_.frame_rate * 1e9);
  return out;
}

Status FileListSource::seek(int64_t index) {
  if (index < 0) return fail(ErrorKind::invalid_argument, "frame numbers start at 0", name_);
  if (index >= frames())
    return fail(ErrorKind::end_of_stream, fmt::format("the last file ends before frame {}", index), name_);
  next_ = index;
  return {};
}

int64_t FileListSource::start_before(int64_t index) const {
  if (index < 0 || index >= frames()) return index;
  const ListedSpan& span = span_of(index);
  std::shared_ptr<VideoSource> source;
  {
    const std::lock_guard lock(mutex_);
    if (span.file >= 0 && span.file == file_) source = source_;
  }
  if (!source) return index;
  const int64_t first = first_frame(span.file);
  return std::max(span.begin, first + source->start_before(index - first));
}

std::vector<std::pair<int64_t, std::string>> FileListSource::problems() const {
  std::map<int64_t, std::string> all;
  {
    const std::lock_guard lock(mutex_);
    all = problems_;
    add_problems(&all);
  }
  for (const ListedSpan& span : spans_)
    for (int64_t frame = span.begin; span.file < 0 && frame < span.end; ++frame)
      all.emplace_hint(all.end(), frame, "no file has it");
  return {all.begin(), all.end()};
}

}  // namespace

Result<std::unique_ptr<VideoSource>> open_file_list(FileList list, const std::string& name,
                                                    const VideoOpenOptions& options) {
  auto source = std::make_unique<FileListSource>(std::move(list), name, options);
  VANTAGE_TRY(source->open());
  return source;
}

}  // namespace vantage
