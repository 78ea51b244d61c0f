// The sound of an alarm, through Qt Multimedia: a chime of our own, or a WAV file that the user chose. It
// never blocks anything else: what cannot be played is reported by a signal.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QTemporaryFile>
#include <memory>

class QSoundEffect;

namespace vantage::ui {

struct AlarmTone {
  QString file;             // a WAV file, PCM; empty: our own
  int volume_percent = 70;  // 0 to 100, as loud as it is heard
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
  // Plays from the beginning, also while it sounds. A chosen file that cannot be played is reported, and our
  // own sounds.
  void play();

 signals:
  void started(const QString& file);  // on its way to the loudspeaker
  void failed(const QString& why);    // with what to do

 private:
  void load(const QString& file);
  void status_changed();
  QString own_file();

  AlarmTone tone_;
  std::unique_ptr<QTemporaryFile> own_;
  std::unique_ptr<QSoundEffect> effect_;
  QString loaded_;       // of the effect; empty: nothing
  bool wanted_ = false;  // to be played as soon as it is loaded
};

}  // namespace vantage::ui
