// Examines videos off the GUI thread: size, rate, first picture, then the exact number of frames. Several
// files of one camera are put in order first.
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/threads.h"
#include "core/image/picture.h"
#include "core/project/camera_files.h"
#include "core/video/video_source.h"

namespace vantage::ui {

struct ProbedVideo {
  VideoInfo info;
  QImage thumbnail;  // at most kThumbnailWidth wide; null where the first frame cannot be decoded
  QString error;     // why the file is not a readable video; empty: it is
  std::optional<JoinedFiles> joined;  // of several files
};

inline constexpr int kThumbnailWidth = 192, kThumbnailHeight = 144;

// A picture in host memory as people see it.
QImage to_image(const Picture& picture);

class VideoProbe final : public QObject {
  Q_OBJECT
 public:
  explicit VideoProbe(QObject* parent = nullptr);
  ~VideoProbe() override;  // stops work in progress

  // As for open_video(). Probing the same path twice answers twice.
  void start(const QString& path);
  // Several files of one camera, answered under FileGroup::video().
  void start(const FileGroup& files);
  int running_count() const { return running_count_; }

 signals:
  // Emitted once the file is open, and again once its frames are counted.
  void probed(const QString& path, const vantage::ui::ProbedVideo& video);
  void idle();  // nothing is in progress any more

 private:
  void start(std::function<void()> work);
  void examine(const QString& path, Result<std::unique_ptr<VideoSource>> source, ProbedVideo video);
  void report(const QString& path, const ProbedVideo& video);

  QThreadPool pool_;
  StopSource stop_;
  int running_count_ = 0;
};

}  // namespace vantage::ui
