// The sound of an alarm, through Qt Multimedia: our own chime, or the user's WAV file. Never blocks; a signal
// reports errors.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QTemporaryFile>
#include <memory>

class QSoundEffect;

namespace vantage::ui {

struct AlarmTone {
  QString file;             // a WAV file, PCM; empty: our own
  int volume_percent = 70;  // 0 to 100, perceived loudness
  bool operator==(const AlarmTone&) const = default;
};

// Our own, two falling notes of 0.6 s, as a WAV file: mono, 16 bits, 44.1 kHz.
QByteArray chime_wave();

class AlarmSound final : public QObject {
  Q_OBJECT
 public:
  explicit AlarmSound(QObject* parent = nullptr);
  ~AlarmSound() override;

  void set_tone(const AlarmTone& tone);
  const AlarmTone& tone() const { return tone_; }
  // Plays from the beginning, also while it sounds. If the user's file cannot be played this is reported, and
  // our own sounds.
  void play();

 signals:
  void started(const QString& file);  // passed to the loudspeaker
  void failed(const QString& why);    // with what to do

 private:
  void load(const QString& file);
  void status_changed();
  QString own_file();

  AlarmTone tone_;
  std::unique_ptr<QTemporaryFile> own_;
  std::unique_ptr<QSoundEffect> effect_;
  QString loaded_;       // file of the effect; empty: none
  bool wanted_ = false;  // to be played once it is loaded
};

}  // namespace vantage::ui
