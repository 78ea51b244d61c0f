// Looks into video files off the GUI thread: size, rate, first picture, then the exact number of frames.
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include "core/base/threads.h"
#include "core/image/picture.h"
#include "core/video/video_source.h"

namespace vantage::ui {

struct ProbedVideo {
  VideoInfo info;
  QImage thumbnail;  // at most kThumbnailWidth wide; null where the first frame does not decode
  QString error;     // not empty: the file is no video that can be read; says why
};

inline constexpr int kThumbnailWidth = 192, kThumbnailHeight = 144;

// A picture in host memory as people see it.
QImage to_image(const Picture& picture);

class VideoProbe final : public QObject {
  Q_OBJECT
 public:
  explicit VideoProbe(QObject* parent = nullptr);
  ~VideoProbe() override;  // stops what is in progress

  // As open_video() takes it. Probing the same path twice answers twice.
  void start(const QString& path);
  int running_count() const { return running_count_; }

 signals:
  // First as soon as the file is open, then again once its frames are counted.
  void probed(const QString& path, const vantage::ui::ProbedVideo& video);
  void idle();  // nothing is in progress any more

 private:
  void run(const QString& path);
  void report(const QString& path, const ProbedVideo& video);

  QThreadPool pool_;
  StopSource stop_;
  int running_count_ = 0;
};

}  // namespace vantage::ui
