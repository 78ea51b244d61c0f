#include "ui/main_window/preferences_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>
#include <QVariant>
#include <algorithm>
#include <cmath>

#include "ui/widgets/form.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr char kChoose[] = "choose";  // of the sounds' list: another file

}  // namespace

PreferencesDialog::PreferencesDialog(const Preferences& preferences, const QStringList& gpus, QWidget* parent)
    : QDialog(parent), alarm_text_(new QLabel) {
  setWindowTitle(tr("Preferences"));
  auto* form = new Form;
  // Typed numbers count when they are complete.
  const auto completed = [](auto* field) {
    field->setKeyboardTracking(false);
    return field;
  };
  theme_ = form->add_choice(tr("&Theme"), tr("Colours of the window"));
  theme_->addItem(tr("follow the system"), static_cast<int>(Theme::system));
  theme_->addItem(tr("light"), static_cast<int>(Theme::light));
  theme_->addItem(tr("dark"), static_cast<int>(Theme::dark));
  language_ =
      form->add_choice(tr("Lang&uage"), tr("Language of the window, and of its numbers and dates; files and "
                                           "command lines are the same in every language"));
  language_->addItem(tr("follow the system"), static_cast<int>(Language::system));
  language_->addItem(QStringLiteral("English"), static_cast<int>(Language::english));
  language_->addItem(QStringLiteral("Deutsch"), static_cast<int>(Language::german));
  trail_ = form->add(tr("Len&gth of trails"), tr("How long a trail is drawn behind each person"),
                     completed(number_field(kShortest_s, kLongestTrail_s, kShortest_s, 1, tr(" s"))));
  offsets_ = form->add_choice(
      tr("A camera out of &step"),
      tr("What to do when an analysis is certain that a camera is out of step with the others"));
  offsets_->addItem(tr("notify me"), static_cast<int>(OffsetWatch::propose));
  offsets_->addItem(tr("correct it"), static_cast<int>(OffsetWatch::apply));
  offsets_->addItem(tr("do not watch"), static_cast<int>(OffsetWatch::off));
  autosave_ =
      form->add(tr("&Back up unsaved changes after"),
                tr("Time after the last change; the backup is offered if the program closes unexpectedly"),
                completed(number_field(kShortest_s, kLongestAutosave_s, kShortest_s, 1, tr(" s"))));
  alarm_ = new QComboBox;
  form->add_row(tr("Soun&d of alarms"),
                tr("Sound for a new event of live cameras: the built-in one, or a WAV file"), alarm_);
  volume_ = described(number_field(0, 100, 0, tr(" %"), 10), tr("Volume of alarms"),
                      tr("Loudness of alarms, in % of the maximum"));
  form->watch(volume_);
  form->addRow(QString(), alarm_fields());
  cache_ =
      form->add(tr("Memory for &results"), tr("Analysed frames kept in memory, to return to them at once"),
                completed(number_field(0, kLargestMemory_mib, 0, tr(" MiB"), 256)));
  replay_ = form->add(
      tr("Memory for re&plays"),
      tr("Background models and tracks kept for replays: more memory makes distant frames appear faster"),
      completed(number_field(kSmallestReplay_mib, kLargestMemory_mib, kSmallestReplay_mib, tr(" MiB"), 256)));
  backend_ = form->add_choice(
      tr("&Analyse on"), tr("Takes effect at the next start; --backend on the command line overrides it"));
  add_backends(preferences.backend, gpus);
  QLabel* later =
      quiet_label(tr("“Analyse on” takes effect with the next start, “Language” when this dialog is closed, "
                     "everything else at once."));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::RestoreDefaults | QDialogButtonBox::Close);
  buttons->button(QDialogButtonBox::RestoreDefaults)->setToolTip(tr("Reset every preference"));
  buttons->button(QDialogButtonBox::RestoreDefaults)->setAutoDefault(false);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
    show_values({});
    report();
  });
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kPage, kWide, kPage, kWide);
  page->setSpacing(kWide);
  page->addLayout(form);
  page->addWidget(later);
  page->addStretch(1);
  page->addWidget(buttons);
  show_values(preferences);
  connect(form, &Form::changed, this, &PreferencesDialog::report);
  connect(alarm_, &QComboBox::activated, this, [this](int row) {
    QString file = alarm_->itemData(row).toString();
    if (file == kChoose)
      file = QFileDialog::getOpenFileName(this, tr("Sound of Alarms"), QString(),
                                          tr("WAV sounds (*.wav);;All files (*)"));
    if (file.isEmpty() && row > 0) file = alarm_file_;
    choose_alarm(file);
    report();
  });
}

void PreferencesDialog::add_backends(const QString& preferred, const QStringList& gpus) {
  backend_->addItem(tr("the GPU where there is one"), "auto");
  backend_->addItem(tr("the CPU"), "cpu");
  if (gpus.size() < 2) backend_->addItem(tr("the GPU"), "cuda");
  for (int i = 0; gpus.size() > 1 && i < gpus.size(); ++i)
    backend_->addItem(tr("GPU %1, %2").arg(i).arg(gpus[i]), i == 0 ? "cuda" : QString("cuda:%1").arg(i));
  // A device that is not here now stays preferred until another is chosen.
  if (backend_->findData(preferred) < 0)
    backend_->addItem(tr("%1, not available now").arg(preferred), preferred);
}

// Loudness and a test, and what came of it.
QWidget* PreferencesDialog::alarm_fields() {
  auto* test = described(new QPushButton(tr("T&est")), tr("Test the sound of alarms"),
                         tr("Play the sound of alarms once, this loud"));
  test->setAutoDefault(false);
  alarm_text_->setWordWrap(true);
  alarm_text_->setAccessibleName(tr("Result of the sound test"));
  connect(test, &QPushButton::clicked, this, &PreferencesDialog::test_alarm);
  connect(&sound_, &AlarmSound::failed, alarm_text_, &QLabel::setText);
  connect(&sound_, &AlarmSound::started, this, [this](const QString& file) {
    if (alarm_file_.isEmpty() || file == alarm_file_) alarm_text_->setText(tr("The sound plays."));
  });
  auto* fields = new QWidget;
  auto* line = new QHBoxLayout;
  line->addWidget(volume_);
  line->addWidget(test);
  line->addStretch(1);
  auto* lines = new QVBoxLayout(fields);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->addLayout(line);
  lines->addWidget(alarm_text_);
  return fields;
}

void PreferencesDialog::choose_alarm(const QString& file) {
  alarm_file_ = file;
  alarm_->clear();
  alarm_->addItem(tr("built-in chime"), QString());
  if (!file.isEmpty()) alarm_->addItem(QFileInfo(file).fileName(), file);
  alarm_->addItem(tr("choose a file…"), QString(kChoose));
  alarm_->setCurrentIndex(file.isEmpty() ? 0 : 1);
  alarm_->setItemData(alarm_->currentIndex(), file, Qt::ToolTipRole);
}

void PreferencesDialog::test_alarm() {
  alarm_text_->clear();
  sound_.set_tone(preferences().alarm);
  sound_.play();
}

void PreferencesDialog::show_values(const Preferences& p) {
  showing_ = true;
  theme_->setCurrentIndex(theme_->findData(static_cast<int>(p.theme)));
  language_->setCurrentIndex(language_->findData(static_cast<int>(p.language)));
  backend_->setCurrentIndex(std::max(0, backend_->findData(p.backend)));
  offsets_->setCurrentIndex(offsets_->findData(static_cast<int>(p.offset_watch)));
  cache_->setValue(p.cache_mib);
  replay_->setValue(p.replay_mib);
  trail_->setValue(p.trail_s);
  autosave_->setValue(p.autosave_s);
  choose_alarm(p.alarm.file);
  volume_->setValue(p.alarm.volume_percent);
  showing_ = false;
}

Preferences PreferencesDialog::preferences() const {
  Preferences p;
  p.theme = static_cast<Theme>(theme_->currentData().toInt());
  p.language = static_cast<Language>(language_->currentData().toInt());
  p.backend = backend_->currentData().toString();
  p.offset_watch = static_cast<OffsetWatch>(offsets_->currentData().toInt());
  p.cache_mib = cache_->value();
  p.replay_mib = replay_->value();
  p.trail_s = trail_->value();
  p.autosave_s = autosave_->value();
  p.alarm = {alarm_file_, volume_->value()};
  return p;
}

void PreferencesDialog::report() {
  if (!showing_) emit changed(preferences());
}

namespace {

double seconds_in(const QVariant& value, double max_s, double otherwise) {
  bool read = false;
  const double seconds = value.toDouble(&read);
  return read && std::isfinite(seconds) ? std::clamp(seconds, kShortest_s, max_s) : otherwise;
}

// A stored value of an enumeration whose values are 0 to `last`.
template <typename Choice>
Choice choice_in(const QVariant& value, Choice last, Choice otherwise) {
  bool read = false;
  const int choice = value.toInt(&read);
  return read && choice >= 0 && choice <= static_cast<int>(last) ? static_cast<Choice>(choice) : otherwise;
}

}  // namespace

Preferences stored_preferences() {
  const QSettings settings;
  const Preferences none;
  Preferences p;
  p.theme = choice_in(settings.value("theme"), Theme::dark, none.theme);
  p.language = choice_in(settings.value("language"), Language::german, none.language);
  p.backend = settings.value("backend", none.backend).toString();
  p.cache_mib = std::clamp(settings.value("cache_mib", none.cache_mib).toInt(), 0, kLargestMemory_mib);
  p.replay_mib = std::clamp(settings.value("replay_mib", none.replay_mib).toInt(), kSmallestReplay_mib,
                            kLargestMemory_mib);
  p.trail_s = seconds_in(settings.value("trail_s"), kLongestTrail_s, none.trail_s);
  p.autosave_s = seconds_in(settings.value("autosave_s"), kLongestAutosave_s, none.autosave_s);
  p.offset_watch = choice_in(settings.value("offset_watch"), OffsetWatch::apply, none.offset_watch);
  p.alarm.file = settings.value("alarm_file", none.alarm.file).toString();
  p.alarm.volume_percent =
      std::clamp(settings.value("alarm_volume", none.alarm.volume_percent).toInt(), 0, 100);
  return p;
}

void store_preferences(const Preferences& p) {
  QSettings settings;
  settings.setValue("theme", static_cast<int>(p.theme));
  settings.setValue("language", static_cast<int>(p.language));
  settings.setValue("backend", p.backend);
  settings.setValue("cache_mib", p.cache_mib);
  settings.setValue("replay_mib", p.replay_mib);
  settings.setValue("trail_s", p.trail_s);
  settings.setValue("autosave_s", p.autosave_s);
  settings.setValue("offset_watch", static_cast<int>(p.offset_watch));
  settings.setValue("alarm_file", p.alarm.file);
  settings.setValue("alarm_volume", p.alarm.volume_percent);
}

SessionLimits limits_of(const Preferences& p) {
  return {static_cast<size_t>(p.cache_mib) << 20, static_cast<size_t>(p.replay_mib) << 20, p.trail_s};
}

}  // namespace vantage::ui
