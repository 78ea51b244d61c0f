#include "ui/main_window/truth/mask_store.h"

#include <algorithm>
#include <memory>

namespace vantage::ui {

// Masks that are being written are written by saving_, whose end it waits for.
MaskStore::~MaskStore() {
  static_cast<void>(write(unsaved_));
}

void MaskStore::open(const std::filesystem::path& folder) {
  if (folder == folder_) return;
  folder_ = folder;
  drawn_.clear();
  masks_.clear();
  history_.clear();
  frame_ = -1;
  listed_ = loaded_ = false;
  listing_.stop();
  loading_.stop();
  emit changed();
  read_again();
}

void MaskStore::read_again() {
  if (folder_.empty()) return;
  listing_.start([this, folder = folder_](const StopSource&) -> BackgroundJob::Deliver {
    auto found = std::make_shared<Result<DrawnMasks>>(find_masks(folder));
    return [this, found] {
      if (!*found) return emit failed(found->error());
      drawn_ = **found;
      for (const Files* files : {&writing_, &unsaved_})
        for (const auto& [file, mask] : *files)
          if (file.folder == folder_) note({file.camera, file.frame, {}, mask});
      listed_ = true;
      loaded_ = false;
      emit changed();
      go_to(frame_);
    };
  });
}

void MaskStore::go_to(int64_t frame) {
  if (frame == frame_ && loaded_) return;
  frame_ = frame;
  loaded_ = false;
  if (!listed_ || folder_.empty() || frame < 0) return;
  std::map<std::string, Image> known;
  for (const Files* files : {&writing_, &unsaved_})
    for (const auto& [file, mask] : *files)
      if (file.folder == folder_ && file.frame == frame) known[file.camera] = mask;
  std::map<std::string, std::filesystem::path> files;
  if (const auto here = drawn_.find(frame); here != drawn_.end()) files = here->second;
  loading_.start(
      [this, frame, known, files, changes = changes_](const StopSource&) -> BackgroundJob::Deliver {
        auto masks = std::make_shared<std::map<std::string, Image>>();
        std::optional<Error> error;
        for (const auto& [camera, mask] : known)
          if (mask) (*masks)[camera] = mask;
        for (const auto& [camera, file] : files) {
          if (known.contains(camera)) continue;
          Result<Image> mask = read_mask(file, HostPool::shared());
          mask ? static_cast<void>((*masks)[camera] = *mask) : static_cast<void>(error = mask.error());
        }
        return [this, frame, masks, error, changes] {
          if (frame != frame_) return;
          if (changes != changes_) return go_to(frame);  // masks were changed meanwhile
          masks_ = std::move(*masks);
          loaded_ = true;
          emit changed();
          if (error) emit failed(*error);
        };
      });
}

Image MaskStore::mask(const std::string& camera) const {
  const auto found = masks_.find(camera);
  return found == masks_.end() ? Image() : found->second;
}

void MaskStore::apply(MaskStep step) {
  for (const MaskChange& change : step) set(change);
  history_.add(std::move(step));
  write_unsaved();
  emit changed();
}

std::optional<int64_t> MaskStore::repeat(const std::optional<MaskStep>& step) {
  if (!step) return std::nullopt;
  for (const MaskChange& change : *step) set(change);
  write_unsaved();
  emit changed();
  return step->front().frame;
}

void MaskStore::set(const MaskChange& change) {
  unsaved_[{folder_, change.camera, change.frame}] = change.after;
  note(change);
}

void MaskStore::note(const MaskChange& change) {
  ++changes_;
  if (change.after) {
    drawn_[change.frame][change.camera] = mask_file(folder_, change.camera, change.frame);
  } else if (const auto here = drawn_.find(change.frame); here != drawn_.end()) {
    here->second.erase(change.camera);
    if (here->second.empty()) drawn_.erase(here);
  }
  if (change.frame != frame_ || !loaded_) return;
  if (change.after)
    masks_[change.camera] = change.after;
  else
    masks_.erase(change.camera);
}

MaskStore::Written MaskStore::write(const Files& files) {
  Written written;
  for (const auto& [file, mask] : files) {
    const Status done = mask ? write_mask(file.folder, file.camera, file.frame, mask)
                             : remove_mask(file.folder, file.camera, file.frame);
    if (done) continue;
    written.failed[file] = mask;
    written.error = done.error();
  }
  return written;
}

void MaskStore::write_unsaved() {
  if (!writing_.empty() || unsaved_.empty()) return;
  writing_.swap(unsaved_);
  saving_.start([this, files = writing_](const StopSource&) -> BackgroundJob::Deliver {
    return [this, written = write(files)] {
      writing_.clear();
      if (written.error) {
        unsaved_.insert(written.failed.begin(), written.failed.end());  // what is newer stays
        emit failed(*written.error);
        return;
      }
      write_unsaved();
      if (saved()) emit all_saved();
    };
  });
}

}  // namespace vantage::ui
