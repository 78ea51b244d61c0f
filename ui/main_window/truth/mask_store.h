// The masks drawn for the open project: those of the frame that is shown, which files there are, and the
// steps that can be undone. Files are read and written off the GUI thread; what was changed is on the disk
// soon after, whatever the program does then.
#pragma once

#include <QObject>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/metrics/masks/mask_history.h"
#include "core/results/drawn_masks.h"
#include "ui/platform/background_job.h"

namespace vantage::ui {

class MaskStore final : public QObject {
  Q_OBJECT
 public:
  explicit MaskStore(QObject* parent = nullptr) : QObject(parent) {}
  ~MaskStore() override;  // writes what was not written yet

  // Empty: closes. What was not written yet still is.
  void open(const std::filesystem::path& folder);
  // Reads the folder again: another program wrote it.
  void read_again();
  const std::filesystem::path& folder() const { return folder_; }

  // Which masks there are, by what was painted, also where it is not on the disk yet.
  const DrawnMasks& drawn() const { return drawn_; }
  void go_to(int64_t frame);
  int64_t frame() const { return frame_; }
  bool loaded() const { return loaded_; }                               // the masks of the frame are known
  const std::map<std::string, Image>& masks() const { return masks_; }  // of the frame, by camera
  Image mask(const std::string& camera) const;                          // empty: none

  // Changes masks, of any frame, as one step. A file that cannot be written is tried again with the next one,
  // and at the end.
  void apply(MaskStep step);
  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  // The frame of the step; nothing: there is none.
  std::optional<int64_t> undo() { return repeat(history_.undo()); }
  std::optional<int64_t> redo() { return repeat(history_.redo()); }
  bool saved() const { return unsaved_.empty() && writing_.empty(); }

 signals:
  void changed();  // masks, or which there are
  void all_saved();
  void failed(const vantage::Error& error);

 private:
  struct File {
    std::filesystem::path folder;
    std::string camera;
    int64_t frame = 0;
    auto operator<=>(const File&) const = default;
  };
  using Files = std::map<File, Image>;  // empty: it is to be removed
  struct Written {
    Files failed;
    std::optional<Error> error;
  };
  static Written write(const Files& files);
  std::optional<int64_t> repeat(const std::optional<MaskStep>& step);
  void set(const MaskChange& change);
  void note(const MaskChange& change);
  void write_unsaved();

  std::filesystem::path folder_;
  DrawnMasks drawn_;
  int64_t frame_ = -1;
  bool listed_ = false, loaded_ = false;
  std::map<std::string, Image> masks_;
  MaskHistory history_;
  int64_t changes_ = 0;  // so many masks were changed so far
  Files unsaved_, writing_;
  BackgroundJob listing_, loading_, saving_;
};

}  // namespace vantage::ui
