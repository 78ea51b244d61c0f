// The frame sets kept of a board that is shown to live cameras, as files that find_boards() finds the same
// corners in: a folder of numbered PNG pictures for each camera, in step.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/video/frame_set.h"

namespace vantage {

class BoardPictureFiles {
 public:
  // Makes FOLDER/NAME for each camera, by camera_file_names(). Errors: io; invalid_argument where one holds
  // files already.
  static Result<BoardPictureFiles> make(const std::filesystem::path& folder,
                                        const std::vector<std::string>& cameras);

  // The pictures as the files give them back, luma alone: limited to 16..235, as PNG has a full range of its
  // own that pictures are converted from. A search of these finds what one of the files does.
  static Result<FrameSet> as_written(const FrameSet& frames);
  // Set `number`, counted from 0, of as_written() pictures in host memory. A camera without a picture gets a
  // grey one, so that the folders stay in step; sizes_px: of its pictures.
  struct Size {
    int width_px = 0, height_px = 0;
  };
  Status write(int64_t number, const FrameSet& frames, const std::vector<Size>& sizes_px) const;
  const std::vector<std::filesystem::path>& folders() const { return folders_; }

 private:
  std::vector<std::filesystem::path> folders_;  // by camera
};

}  // namespace vantage
