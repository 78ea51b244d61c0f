#include "ui/platform/local_camera.h"

#include <QCamera>
#include <QCameraDevice>
#include <QCoreApplication>
#include <QMediaCaptureSession>
#include <QMediaDevices>
#include <QMetaEnum>
#include <QThread>
#include <QVideoSink>
#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>

#include "core/base/hash.h"
#include "core/video/working_colors.h"

namespace vantage::ui {
namespace {

constexpr double kSilent_s = 5, kStart_s = 10;
constexpr size_t kMaxWaiting = 4;

struct Wanted {
  QString id;
  int width_px = 0, height_px = 0;
  double rate = 0;
};

Wanted read_device(const std::string& device) {
  Wanted wanted;
  const QString text = QString::fromStdString(device);
  const qsizetype mark = text.lastIndexOf('?');
  wanted.id = text.left(mark);
  if (mark < 0) return wanted;
  const QStringList size = text.mid(mark + 1).section('@', 0, 0).split('x');
  wanted.width_px = size.value(0).toInt(), wanted.height_px = size.value(1).toInt();
  wanted.rate = text.mid(mark + 1).section('@', 1, 1).toDouble();
  return wanted;
}

QString pixels_of(QVideoFrameFormat::PixelFormat format) {
  return QVideoFrameFormat::pixelFormatToString(format);
}

bool is_planar_420(QVideoFrameFormat::PixelFormat format) {
  return format == QVideoFrameFormat::Format_NV12 || format == QVideoFrameFormat::Format_YUV420P;
}

// The frame's colours by Qt; unknown ones as core/video treats untagged video.
PictureFormat format_of(const QVideoFrame& frame, PictureLayout layout) {
  PictureFormat format;
  format.layout = layout;
  format.width = frame.width(), format.height = frame.height();
  format = working_format(format);
  if (frame.surfaceFormat().colorRange() == QVideoFrameFormat::ColorRange_Full)
    format.range = ColorRange::full;
  switch (frame.surfaceFormat().colorSpace()) {
    case QVideoFrameFormat::ColorSpace_BT601:
      format.matrix = ColorMatrix::bt601;
      break;
    case QVideoFrameFormat::ColorSpace_BT709:
      format.matrix = ColorMatrix::bt709;
      break;
    case QVideoFrameFormat::ColorSpace_BT2020:
      format.matrix = ColorMatrix::bt2020;
      break;
    default:
      break;
  }
  return format;
}

// As VideoInfo::conversion.
std::string conversion_of(const QVideoFrame& frame) {
  if (is_planar_420(frame.pixelFormat())) return color_conversion(format_of(frame, PictureLayout::i420));
  return pixels_of(frame.pixelFormat()).toStdString() + " to yuv420p";
}

// Between the GUI thread, which owns the camera, and the reading one.
struct Mailbox {
  std::mutex mutex;
  std::condition_variable changed;
  struct Waiting {
    QVideoFrame frame;
    int64_t arrival_ns = 0;
  };
  std::deque<Waiting> frames;  // the oldest is dropped when they are not fetched
  int64_t left_out = 0;
  std::optional<Error> error;
  void fail_with(Error why) {
    const std::lock_guard lock(mutex);
    error = std::move(why);
    changed.notify_all();
  }
};

// On the GUI thread only.
class Device final : public QObject {
 public:
  Device(const Wanted& wanted, std::shared_ptr<Mailbox> mailbox) : mailbox_(std::move(mailbox)) {
    const auto devices = QMediaDevices::videoInputs();
    const auto device = std::find_if(devices.begin(), devices.end(), [&](const QCameraDevice& d) {
      return QString::fromUtf8(d.id()) == wanted.id;
    });
    if (device == devices.end()) {
      mailbox_->fail_with({ErrorKind::not_found, "this camera is not connected to the machine",
                           "device://" + wanted.id.toStdString(), "Plug it in."});
      return;
    }
    camera_ = new QCamera(*device, this);
    for (const QCameraFormat& format : device->videoFormats())
      if (format.resolution() == QSize(wanted.width_px, wanted.height_px) &&
          (wanted.rate <= 0 || std::abs(format.maxFrameRate() - wanted.rate) < 0.5)) {
        camera_->setCameraFormat(format);
        break;
      }
    connect(camera_, &QCamera::errorOccurred, this, [this](QCamera::Error, const QString& text) {
      mailbox_->fail_with({ErrorKind::io,
                           "the camera reports: " + text.toStdString(),
                           {},
                           "Another program may be using it."});
    });
    connect(&sink_, &QVideoSink::videoFrameChanged, this, [this](const QVideoFrame& frame) { put(frame); });
    session_.setCamera(camera_);
    session_.setVideoSink(&sink_);
    camera_->start();
  }

 private:
  void put(const QVideoFrame& frame) {
    const std::lock_guard lock(mailbox_->mutex);
    mailbox_->frames.push_back({frame, trace_now_ns()});
    if (mailbox_->frames.size() > kMaxWaiting) {
      mailbox_->frames.pop_front();
      ++mailbox_->left_out;
    }
    mailbox_->changed.notify_all();
  }

  std::shared_ptr<Mailbox> mailbox_;
  QCamera* camera_ = nullptr;
  QMediaCaptureSession session_;
  QVideoSink sink_;
};

class LocalCameraSource final : public VideoSource {
 public:
  LocalCameraSource(std::string device, const VideoOpenOptions& options)
      : device_name_(std::move(device)), options_(options), mailbox_(std::make_shared<Mailbox>()) {}
  ~LocalCameraSource() override {
    QMetaObject::invokeMethod(
        QCoreApplication::instance(), [holder = holder_] { delete holder->device; }, Qt::QueuedConnection);
  }

  Status open() {
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [holder = holder_, wanted = read_device(device_name_), mailbox = mailbox_] {
          holder->device = new Device(wanted, mailbox);
        },
        Qt::QueuedConnection);
    VANTAGE_ASSIGN(first_, fetch(kStart_s));
    info_.codec = pixels_of(first_->frame.pixelFormat()).toStdString();
    info_.decoder = "Qt Multimedia";
    info_.pixel_format = info_.codec;
    info_.width_px = first_->frame.width(), info_.height_px = first_->frame.height();
    info_.conversion = conversion_of(first_->frame);
    info_.content_hash = content_hash();
    return {};
  }

  VideoInfo info() const override { return info_; }
  Result<DecodedFrame> read() override {
    Mailbox::Waiting waiting;
    if (first_) {
      waiting = std::move(*first_);
      first_.reset();
    } else {
      VANTAGE_ASSIGN(waiting, fetch(kSilent_s));
    }
    if (options_.width_px > 0 && waiting.frame.size() != QSize(options_.width_px, options_.height_px))
      return fail(ErrorKind::invalid_argument, "the camera's pictures have another size than its calibration",
                  "device://" + device_name_, "Choose the calibrated format, or calibrate the camera again.");
    DecodedFrame out;
    out.index = next_++;
    out.arrival_ns = waiting.arrival_ns;
    VANTAGE_ASSIGN(out.picture,
                   picture_of(waiting.frame, options_.pool ? *options_.pool : HostPool::shared()));
    bytes_ += static_cast<int64_t>(out.picture.size_bytes());
    return out;
  }
  Status seek(int64_t) override { return cannot("go back"); }
  Result<int64_t> wait_for_frame_count(const StopSource&) override { return cannot("be counted"); }
  std::vector<std::pair<int64_t, std::string>> problems() const override { return {}; }
  uint64_t content_hash() const override { return Hasher().add(device_name_).value(); }
  StreamCounters counters() const override {
    StreamCounters counters;
    counters.packets = next_, counters.bytes = bytes_;
    return counters;
  }

 private:
  struct Holder {
    Device* device = nullptr;  // used only on the GUI thread
  };
  static tl::unexpected<Error> cannot(const char* what) {
    return fail(ErrorKind::unsupported, std::string("a camera at this machine cannot ") + what);
  }

  Result<Mailbox::Waiting> fetch(double limit_s) {
    const int64_t limit_ns = trace_now_ns() + static_cast<int64_t>(limit_s * 1e9);
    std::unique_lock lock(mailbox_->mutex);
    while (mailbox_->frames.empty()) {
      if (options_.stop.stop_requested()) return fail(ErrorKind::cancelled, "reading was stopped");
      if (mailbox_->error) return fail(*mailbox_->error);
      if (trace_now_ns() > limit_ns)
        return fail(ErrorKind::io, "the camera delivers no pictures", "device://" + device_name_,
                    "Another program may be using it; unplug it and plug it in again.");
      mailbox_->changed.wait_for(lock, std::chrono::milliseconds(100));
    }
    Mailbox::Waiting waiting = std::move(mailbox_->frames.front());
    mailbox_->frames.pop_front();
    return waiting;
  }

  const std::string device_name_;
  const VideoOpenOptions options_;
  const std::shared_ptr<Mailbox> mailbox_;
  const std::shared_ptr<Holder> holder_ = std::make_shared<Holder>();
  std::optional<Mailbox::Waiting> first_;
  VideoInfo info_;
  int64_t next_ = 0, bytes_ = 0;
};

void copy_plane(const uint8_t* from, int step, ImageView<uint8_t> to) {
  for (int y = 0; y < to.height; ++y)
    std::memcpy(to.row(y), from + static_cast<ptrdiff_t>(y) * step, static_cast<size_t>(to.width));
}

uint8_t to_byte(double value) {
  return static_cast<uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
}

// Limited range: Y' = 16 + 219 (wR R + wG G + wB B), Cb = 128 + 112 (B - Y) / (1 - wB), Cr likewise, with the
// weights of the picture's matrix; chroma from the mean of four pixels.
void fill_from_rgb(const QImage& image, Picture& picture) {
  const bool hd = picture.format().matrix == ColorMatrix::bt709;
  const double of_red = hd ? 0.2126 : 0.299, of_blue = hd ? 0.0722 : 0.114, of_green = 1 - of_red - of_blue;
  const ImageView<uint8_t> luma = picture.writable_plane(0), blue = picture.writable_plane(1),
                           red = picture.writable_plane(2);
  const auto gray = [=](QRgb c) {
    return (of_red * qRed(c) + of_green * qGreen(c) + of_blue * qBlue(c)) / 255;
  };
  for (int y = 0; y < luma.height; ++y) {
    const auto* row = reinterpret_cast<const QRgb*>(image.constScanLine(y));
    for (int x = 0; x < luma.width; ++x) luma.at(x, y) = to_byte(16 + 219 * gray(row[x]));
  }
  for (int y = 0; y < blue.height; ++y)
    for (int x = 0; x < blue.width; ++x) {
      double cb = 0, cr = 0;
      for (int i = 0; i < 4; ++i) {
        const int px = std::min(2 * x + i % 2, luma.width - 1), py = std::min(2 * y + i / 2, luma.height - 1);
        const QRgb c = reinterpret_cast<const QRgb*>(image.constScanLine(py))[px];
        cb += (qBlue(c) / 255.0 - gray(c)) / (1 - of_blue), cr += (qRed(c) / 255.0 - gray(c)) / (1 - of_red);
      }
      blue.at(x, y) = to_byte(128 + 112 * cb / 4), red.at(x, y) = to_byte(128 + 112 * cr / 4);
    }
}

}  // namespace

std::vector<LocalCamera> local_cameras() {
  std::vector<LocalCamera> cameras;
  for (const QCameraDevice& device : QMediaDevices::videoInputs()) {
    LocalCamera camera{QString::fromUtf8(device.id()), device.description(), {}};
    for (const QCameraFormat& format : device.videoFormats()) {
      const LocalCameraFormat one{format.resolution().width(), format.resolution().height(),
                                  format.maxFrameRate(), pixels_of(format.pixelFormat())};
      if (std::find(camera.formats.begin(), camera.formats.end(), one) == camera.formats.end())
        camera.formats.push_back(one);
    }
    std::stable_sort(camera.formats.begin(), camera.formats.end(), [](const auto& a, const auto& b) {
      return a.width_px * a.height_px > b.width_px * b.height_px;
    });
    cameras.push_back(std::move(camera));
  }
  return cameras;
}

QString local_camera_address(const LocalCamera& camera, const LocalCameraFormat* format) {
  const QString address = QStringLiteral("device://") + camera.id;
  if (!format) return address;
  return address + QStringLiteral("?%1x%2@%3").arg(format->width_px).arg(format->height_px).arg(format->rate);
}

Result<std::unique_ptr<VideoSource>> open_local_camera(const std::string& device,
                                                       const VideoOpenOptions& options) {
  const QCoreApplication* app = QCoreApplication::instance();
  if (!app || QThread::currentThread() == app->thread())
    return fail(ErrorKind::unsupported, "a camera cannot be waited for on the GUI thread");
  auto source = std::make_unique<LocalCameraSource>(device, options);
  VANTAGE_TRY(source->open());
  return source;
}

Result<Picture> picture_of(const QVideoFrame& frame, BufferPool& pool) {
  const bool nv12 = frame.pixelFormat() == QVideoFrameFormat::Format_NV12;
  const bool copied = is_planar_420(frame.pixelFormat());
  PictureFormat format;
  format.width = frame.width(), format.height = frame.height();
  format = working_format(format);
  if (copied) format = format_of(frame, nv12 ? PictureLayout::nv12 : PictureLayout::i420);
  VANTAGE_ASSIGN(Picture picture, Picture::make(format, pool));
  QVideoFrame mapped = frame;
  if (copied && mapped.map(QVideoFrame::ReadOnly)) {
    for (int plane = 0; plane < picture.plane_count(); ++plane)
      copy_plane(mapped.bits(plane), mapped.bytesPerLine(plane), picture.writable_plane(plane));
    mapped.unmap();
    return in_working_colors(picture, pool);
  }
  const QImage image = frame.toImage().convertToFormat(QImage::Format_RGB32);
  if (copied || image.width() < format.width || image.height() < format.height)
    return fail(
        ErrorKind::unsupported,
        "the camera's pixel format (" + pixels_of(frame.pixelFormat()).toStdString() + ") cannot be read", {},
        "Choose another format of the camera.");
  fill_from_rgb(image, picture);
  return picture;
}

}  // namespace vantage::ui
