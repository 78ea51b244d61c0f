#include "ui/platform/alarm_sound.h"

#include <QAudio>
#include <QAudioDevice>
#include <QDataStream>
#include <QDir>
#include <QFileInfo>
#include <QMediaDevices>
#include <QSoundEffect>
#include <QUrl>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace vantage::ui {
namespace {

constexpr int kRate_hz = 44100;
constexpr double kNote_s = 0.3, kFirst_hz = 1046.5, kSecond_hz = 784;  // C6, G5

// A struck, decaying note; smooth edges avoid clicks.
double note(double time_s, double frequency_hz) {
  if (time_s < 0) return 0;
  const double attack = std::min(1.0, time_s / 0.005), decay = std::exp(-time_s / 0.09);
  const double phase = 2 * std::numbers::pi * frequency_hz * time_s;
  return attack * decay * (0.8 * std::sin(phase) + 0.2 * std::sin(2 * phase));
}

}  // namespace

QByteArray chime_wave() {
  const int samples = static_cast<int>(2 * kNote_s * kRate_hz);
  QByteArray wave;
  QDataStream out(&wave, QIODevice::WriteOnly);
  out.setByteOrder(QDataStream::LittleEndian);
  const quint32 data_bytes = static_cast<quint32>(samples) * 2;
  out.writeRawData("RIFF", 4);
  out << quint32(36 + data_bytes);
  out.writeRawData("WAVEfmt ", 8);
  out << quint32(16) << quint16(1) << quint16(1) << quint32(kRate_hz) << quint32(2 * kRate_hz) << quint16(2)
      << quint16(16);
  out.writeRawData("data", 4);
  out << data_bytes;
  for (int i = 0; i < samples; ++i) {
    const double time_s = static_cast<double>(i) / kRate_hz;
    const double end = std::min(1.0, (2 * kNote_s - time_s) / 0.02);
    const double value = end * (note(time_s, kFirst_hz) + note(time_s - kNote_s, kSecond_hz));
    out << static_cast<qint16>(std::lround(std::clamp(0.8 * value, -1.0, 1.0) * 32767));
  }
  return wave;
}

AlarmSound::AlarmSound(QObject* parent) : QObject(parent) {}
AlarmSound::~AlarmSound() = default;

void AlarmSound::set_tone(const AlarmTone& tone) {
  tone_ = tone;
}

QString AlarmSound::own_file() {
  if (own_ && QFileInfo::exists(own_->fileName())) return own_->fileName();
  own_ = std::make_unique<QTemporaryFile>(QDir::temp().filePath("vantage-alarm-XXXXXX.wav"));
  const QByteArray wave = chime_wave();
  if (own_->open() && own_->write(wave) == wave.size() && own_->flush()) {
    own_->close();
    return own_->fileName();
  }
  own_.reset();
  return {};
}

// A missing file is reported before a device is searched for: it can be fixed on every machine.
void AlarmSound::play() {
  QString file = tone_.file;
  if (!file.isEmpty() && !QFileInfo(file).isReadable()) {
    emit failed(tr("The alarm sound cannot be read: %1. Choose another one in the preferences.").arg(file));
    file.clear();
  }
  if (QMediaDevices::defaultAudioOutput().isNull())
    return emit failed(tr("This machine has no audio output: alarms are silent."));
  if (file.isEmpty()) file = own_file();
  if (file.isEmpty())
    return emit failed(
        tr("The alarm sound cannot be written to %1: alarms are silent.").arg(QDir::tempPath()));
  load(file);
  const auto volume = QAudio::convertVolume(static_cast<float>(tone_.volume_percent) / 100,
                                            QAudio::LogarithmicVolumeScale, QAudio::LinearVolumeScale);
  effect_->setVolume(volume);
  wanted_ = true;
  status_changed();
}

void AlarmSound::load(const QString& file) {
  if (effect_ && loaded_ == file && effect_->status() != QSoundEffect::Error) return;
  effect_ = std::make_unique<QSoundEffect>();
  loaded_ = file;
  connect(effect_.get(), &QSoundEffect::statusChanged, this, &AlarmSound::status_changed);
  effect_->setSource(QUrl::fromLocalFile(file));
}

void AlarmSound::status_changed() {
  if (!wanted_ || !effect_) return;
  if (effect_->status() == QSoundEffect::Ready) {
    wanted_ = false;
    effect_->play();
    emit started(loaded_);
  } else if (effect_->status() == QSoundEffect::Error) {
    wanted_ = false;
    const bool own = own_ && loaded_ == own_->fileName();
    emit failed(
        own ? tr("The audio output does not play: alarms are silent.")
            : tr("This sound cannot be played: %1. Choose a WAV file in the preferences.").arg(loaded_));
    if (own) return;
    const QString instead = own_file();
    if (instead.isEmpty()) return;
    // Deferred: the failed effect is still reporting.
    QMetaObject::invokeMethod(
        this,
        [this, instead] {
          load(instead);
          wanted_ = true;
          status_changed();
        },
        Qt::QueuedConnection);
  }
}

}  // namespace vantage::ui
