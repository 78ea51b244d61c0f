#include "ui/platform/video_probe.h"

#include <QMetaObject>

#include "core/display/color_conversion.h"

namespace vantage::ui {
namespace {

constexpr int kThreads = 2;

}  // namespace

QImage to_image(const Picture& picture) {
  if (!picture) return {};
  const PictureFormat& format = picture.format();
  const RgbFromYcbcr conversion = rgb_from_ycbcr(format.range, format.matrix);
  const bool planar = format.layout == PictureLayout::i420;
  const ImageView<const uint8_t> luma = picture.plane(0), first = picture.plane(1),
                                 second = picture.plane(planar ? 2 : 1);
  QImage image(format.width, format.height, QImage::Format_RGB32);
  for (int y = 0; y < format.height; ++y) {
    auto* row = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < format.width; ++x) {
      const int cx = planar ? x / 2 : x / 2 * 2;
      const uint8_t cb = first.at(cx, y / 2), cr = planar ? second.at(cx, y / 2) : second.at(cx + 1, y / 2);
      const auto component = [&](int i) { return rgb_component(conversion, i, luma.at(x, y), cb, cr); };
      row[x] = qRgb(component(0), component(1), component(2));
    }
  }
  return image;
}

VideoProbe::VideoProbe(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(kThreads);
}

VideoProbe::~VideoProbe() {
  stop_.request_stop();
  pool_.clear();
  pool_.waitForDone();
}

void VideoProbe::start(std::function<void()> work) {
  ++running_count_;
  pool_.start([this, work = std::move(work)] {
    work();
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (--running_count_ == 0) emit idle();
        },
        Qt::QueuedConnection);
  });
}

void VideoProbe::start(const QString& path) {
  start([this, path] {
    VideoOpenOptions options;
    options.stop = stop_;
    examine(path, open_video(path.toStdString(), options), {});
  });
}

void VideoProbe::start(const FileGroup& files) {
  start([this, files] {
    const std::string path = files.video();
    ProbedVideo video;
    Result<JoinedFiles> joined = join_files(files, 0, stop_);
    if (!joined) return examine(QString::fromStdString(path), fail(std::move(joined).error()), {});
    VideoOpenOptions options;
    options.stop = stop_;
    auto source = open_file_list(joined->list, path, options);
    video.joined = std::move(*joined);
    examine(QString::fromStdString(path), std::move(source), std::move(video));
  });
}

void VideoProbe::report(const QString& path, const ProbedVideo& video) {
  QMetaObject::invokeMethod(this, [this, path, video] { emit probed(path, video); }, Qt::QueuedConnection);
}

void VideoProbe::examine(const QString& path, Result<std::unique_ptr<VideoSource>> source,
                         ProbedVideo video) {
  if (!source) {
    video.error = QString::fromStdString(source.error().message());
    return report(path, video);
  }
  video.info = (*source)->info();
  const Result<DecodedFrame> frame = (*source)->read();
  if (frame && frame->picture)
    video.thumbnail =
        to_image(frame->picture)
            .scaled(kThumbnailWidth, kThumbnailHeight, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  report(path, video);
  if (const Result<int64_t> count = (*source)->wait_for_frame_count(stop_)) {
    video.info.frame_count = *count;
    video.info.frame_count_exact = true;
    report(path, video);
  }
}

}  // namespace vantage::ui
