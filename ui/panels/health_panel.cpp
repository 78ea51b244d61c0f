#include "ui/panels/health_panel.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <deque>

#include "core/base/clock.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr const char* kOverloaded = "overloaded";
constexpr int kHealthMark = 18, kStripHeight = 22;
constexpr size_t kStripSeconds = 120, kRecentSeconds = 10;
constexpr qint64 kSampleMs = 1000;

struct StripSample {
  CameraStanding standing = CameraStanding::good;
  double share = 0;  // share of the declared rate
};

// The last two minutes; the right end is now.
class HealthStrip final : public QWidget {
 public:
  HealthStrip() {
    setFixedHeight(kStripHeight);
    setToolTip(QObject::tr("Pictures of the last two minutes, as a share of the declared rate"));
  }
  void add(const StripSample& sample) {
    samples_.push_back(sample);
    if (samples_.size() > kStripSeconds) samples_.pop_front();
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    const double step = static_cast<double>(width()) / static_cast<double>(kStripSeconds);
    double x = width() - step * static_cast<double>(samples_.size());
    for (const StripSample& sample : samples_) {
      const bool away = sample.standing == CameraStanding::away;
      const double share = away ? 1 : std::clamp(sample.share, 0.0, 1.0);
      const QRectF bar(x, height() * (1 - share), step + 0.5, height() * share);
      const QColor color = sample.standing == CameraStanding::good ? QColor(kForegroundOverlay)
                                                                   : color_of(sample.standing, palette());
      painter.fillRect(bar, away ? QBrush(color, Qt::BDiagPattern) : QBrush(color));
      x += step;
    }
  }

 private:
  std::deque<StripSample> samples_;
};

}  // namespace

class HealthCard final : public QWidget {
 public:
  HealthCard()
      : mark_(new QLabel),
        name_(text_label()),
        figures_(quiet_label()),
        sentence_(text_label()),
        right_view_(new QPushButton(QObject::tr("This View Is Ri&ght…"))),
        strip_(new HealthStrip) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kApart);
    mark_->setFixedWidth(kHealthMark + 2);
    row->addWidget(mark_, 0, Qt::AlignTop);
    QFont bold = name_->font();
    bold.setBold(true);
    name_->setFont(bold);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(kTight);
    for (QWidget* part : std::initializer_list<QWidget*>{name_, sentence_, right_view_, strip_, figures_})
      texts->addWidget(part);
    texts->setAlignment(right_view_, Qt::AlignLeft);
    right_view_->setToolTip(QObject::tr(
        "Keep what this camera shows now as the view of its calibration, replacing the previous one"));
    row->addLayout(texts, 1);
  }

  void show_camera(const CameraHealth& health, const CameraState& state) {
    const QString name = QString::fromStdString(health.name);
    name_->setText(QStringLiteral("%1   %2").arg(name, state.words));
    figures_->setText(health_figures(health).join('\n'));
    sentence_->setText(state.sentence);
    sentence_->setVisible(!state.sentence.isEmpty());
    right_view_->setVisible(health.turned);
    right_view_->setAccessibleName(QObject::tr("The view of %1 is right").arg(name));
    mark_->setPixmap(colored_pixmap(icon_of(state.standing), color_of(state.standing, palette()), kHealthMark,
                                    devicePixelRatioF()));
    mark_->setToolTip(state.words);
    setAccessibleName(QStringLiteral("%1: %2. %3").arg(name, state.words, state.sentence));
  }
  void add_sample(const CameraHealth& health, const CameraState& state) {
    strip_->add(
        {state.standing, health.declared_rate > 0 ? health.delivered_rate / health.declared_rate : 0});
  }
  QPushButton* right_view() const { return right_view_; }

 private:
  QLabel *mark_, *name_, *figures_, *sentence_;
  QPushButton* right_view_;
  HealthStrip* strip_;
};

// A target of messages.
class PushCard final : public QWidget {
 public:
  PushCard() : mark_(new QLabel), name_(text_label()), sentence_(text_label()), figures_(quiet_label()) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kApart);
    mark_->setFixedWidth(kHealthMark + 2);
    row->addWidget(mark_, 0, Qt::AlignTop);
    QFont bold = name_->font();
    bold.setBold(true);
    name_->setFont(bold);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(kTight);
    for (QLabel* part : {name_, sentence_, figures_}) texts->addWidget(part);
    row->addLayout(texts, 1);
  }

  void show_target(const PushState& push) {
    const CameraState state = push_state_text(push);
    const QString name = QString::fromStdString(push.target);
    name_->setText(QStringLiteral("%1   %2").arg(name, state.words));
    sentence_->setText(state.sentence);
    sentence_->setVisible(!state.sentence.isEmpty());
    QStringList figures = {QString::fromStdString(push.destination)};
    if (push.failures > 0) figures << QObject::tr("%1 attempts failed").arg(push.failures);
    if (!push.last_answer.empty())
      figures << QObject::tr("last: %1").arg(QString::fromStdString(push.last_answer));
    figures_->setText(figures.join(QStringLiteral(" \u00b7 ")));
    mark_->setPixmap(colored_pixmap(icon_of(state.standing), color_of(state.standing, palette()), kHealthMark,
                                    devicePixelRatioF()));
    mark_->setToolTip(state.words);
    setAccessibleName(QStringLiteral("%1: %2. %3").arg(name, state.words, state.sentence));
  }

 private:
  QLabel *mark_, *name_, *sentence_, *figures_;
};

HealthPanel::HealthPanel(QAction* add_camera, QWidget* parent)
    : QWidget(parent),
      machine_mark_(new QLabel),
      machine_text_(text_label()),
      summary_(text_label()),
      add_(text_button(add_camera)),
      rows_(new ScrollList(kWide)),
      push_title_(quiet_label(tr("Messages"))) {
  rows_->append(push_title_);
  push_title_->hide();
  setAccessibleName(tr("Health of the live cameras"));
  summary_->setAccessibleName(tr("All cameras"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kTight, kTight);
  auto* machine = new QHBoxLayout;
  machine->setSpacing(kApart);
  machine->addWidget(machine_mark_, 0, Qt::AlignTop);
  machine->addWidget(machine_text_, 1);
  machine_text_->setAccessibleName(tr("This machine"));
  page->addLayout(machine);
  page->addWidget(summary_);
  page->addWidget(add_, 0, Qt::AlignLeft);
  page->addWidget(rows_, 1);
  clear();
}

void HealthPanel::show_machine(const CameraState& state) {
  machine_ = state;
  machine_text_->setText(state.sentence);
  machine_mark_->setPixmap(colored_pixmap(icon_of(state.standing), color_of(state.standing, palette()),
                                          kHealthMark, devicePixelRatioF()));
  for (QLabel* part : {machine_mark_, machine_text_}) part->setVisible(!state.sentence.isEmpty());
}

void HealthPanel::clear() {
  make_cards(0);
  show_machine({});
  show_push({});
  states_.clear();
  counts_.clear();
  last_sample_ms_ = 0;
  summary_->setText(tr("No live cameras. Their state is shown here while they are watched."));
  add_->show();
}

void HealthPanel::make_cards(size_t cameras) {
  while (cards_.size() > cameras) {
    delete cards_.back();
    cards_.pop_back();
  }
  while (cards_.size() < cameras) {
    cards_.push_back(new HealthCard);
    connect(cards_.back()->right_view(), &QPushButton::clicked, this,
            [this, camera = static_cast<int>(cards_.size()) - 1] { emit view_accepted(camera); });
    // Above the messages.
    rows_->rows()->insertWidget(static_cast<int>(cards_.size()) - 1, cards_.back());
  }
}

void HealthPanel::show_push(const std::vector<PushState>& targets) {
  if (targets == push_) return;
  push_ = targets;
  push_title_->setVisible(!targets.empty());
  while (push_cards_.size() > targets.size()) {
    delete push_cards_.back();
    push_cards_.pop_back();
  }
  while (push_cards_.size() < targets.size()) {
    push_cards_.push_back(new PushCard);
    rows_->append(push_cards_.back());
  }
  for (size_t i = 0; i < targets.size(); ++i) push_cards_[i]->show_target(targets[i]);
  rows_->settle();
}

QStringList HealthPanel::push_texts() const {
  QStringList texts;
  for (const PushCard* card : push_cards_) texts << card->accessibleName();
  return texts;
}

// Counts of the last seconds are differences to what was counted then.
void HealthPanel::take_sample(const LiveHealth& health) {
  counts_.resize(health.cameras.size());
  for (size_t i = 0; i < counts_.size(); ++i) {
    const CameraHealth& h = health.cameras[i];
    counts_[i].push_back({h.decode_errors, h.late, h.reconnections});
    if (counts_[i].size() > kRecentSeconds) counts_[i].erase(counts_[i].begin());
  }
}

void HealthPanel::show_health(const LiveHealth& health) {
  make_cards(health.cameras.size());
  const qint64 now = QDateTime::currentMSecsSinceEpoch();
  const bool sample = now - last_sample_ms_ >= kSampleMs;
  if (sample || counts_.size() != health.cameras.size()) take_sample(health);
  std::vector<RecentFaults> recent;
  for (size_t i = 0; i < health.cameras.size(); ++i) {
    const CameraHealth& h = health.cameras[i];
    const RecentFaults& before = counts_[i].front();
    recent.push_back({h.decode_errors - before.decode_errors, h.late - before.late,
                      h.reconnections - before.reconnections});
  }
  show_machine(machine_state(health, recent));
  states_.resize(health.cameras.size());
  for (size_t i = 0; i < health.cameras.size(); ++i) {
    const CameraHealth& h = health.cameras[i];
    states_[i] = camera_state(h, recent[i], health.bound_ms, machine_.words == kOverloaded);
    states_[i].age_s = h.age_s;
    if (sample) cards_[i]->add_sample(h, states_[i]);
    cards_[i]->show_camera(h, states_[i]);
  }
  if (sample) last_sample_ms_ = now;
  summary_->setText(live_summary(health));
  add_->hide();
  rows_->settle();
}

namespace {

constexpr double kSilent_s = 1;       // maximum time without a picture that is not reported
constexpr double kPoorRate = 0.8;     // share of the declared rate
constexpr double kMuchOfBound = 0.5;  // jitter
constexpr int64_t kFewLate = 5;       // pictures in the last seconds
constexpr double kClockTold_s = 1;    // maximum clock error that is not reported
constexpr double kBusyShare = 0.9;    // share of the processors, above which pictures wait
constexpr double kIdGap_s = 0.3;      // maximum gap between examined sets at which IDs are reliable

QString tr(const char* text) {
  return QCoreApplication::translate("HealthText", text);
}

QString number(double value, int decimals) {
  return number_text(value, 'f', decimals);
}

bool is_slow(const CameraHealth& h) {
  return h.declared_rate > 0 && h.delivered_rate > 0 && h.delivered_rate < kPoorRate * h.declared_rate;
}

bool is_late(const CameraHealth& h, const RecentFaults& recent, double bound_ms) {
  return h.jitter_ms > kMuchOfBound * bound_ms || recent.late > kFewLate;
}

// Pictures that come, but too slowly or too late: those of a stream that stopped are no sign of this machine.
bool is_held_up(const CameraHealth& h, const RecentFaults& recent, double bound_ms) {
  return h.here && recent.reconnections == 0 && h.age_s <= kSilent_s &&
         (is_slow(h) || is_late(h, recent, bound_ms));
}

// The fault of a camera; empty: none.
QString missing_of(const CameraHealth& h, const RecentFaults& recent, double bound_ms) {
  const QString name = QString::fromStdString(h.name);
  if (!h.here) return tr("%1 is not connected").arg(name);
  if (recent.reconnections > 0) return tr("%1 reconnected %2 times").arg(name).arg(recent.reconnections);
  if (h.age_s > kSilent_s) return tr("%1 is silent").arg(name);
  if (is_slow(h))
    return tr("%1 brings %2 of %3 pictures a second")
        .arg(name, number(h.delivered_rate, 0), number(h.declared_rate, 0));
  if (is_late(h, recent, bound_ms)) return tr("%1 is late").arg(name);
  return {};
}

}  // namespace

CameraState machine_state(const LiveHealth& h, const std::vector<RecentFaults>& recent) {
  using enum CameraStanding;
  QStringList missing;
  bool held_up = false;
  for (size_t i = 0; i < h.cameras.size() && i < recent.size(); ++i) {
    if (const QString one = missing_of(h.cameras[i], recent[i], h.bound_ms); !one.isEmpty()) missing << one;
    held_up |= is_held_up(h.cameras[i], recent[i], h.bound_ms);
  }
  const bool thinned = h.thinning > 1, busy = h.processor_share >= kBusyShare;
  const QString load = number(100 * h.processor_share, 0);
  const double gap_s = h.rate > 0 ? h.thinning / h.rate : 0;
  QString analysed = tr("1 of %1 frame sets is analysed").arg(h.thinning);
  if (gap_s > kIdGap_s) analysed += tr(", one in %1 s, where IDs break").arg(number(gap_s, 1));
  const QString remedy =
      tr("Use smaller streams of the cameras, fewer stages (Timings shows which take long) or a faster "
         "machine.");
  if (busy && (thinned || held_up))
    return {doubtful, kOverloaded,
            tr("This machine is overloaded: its processors are %1 % busy, %2. %3")
                .arg(load, thinned ? analysed : tr("pictures are decoded too late"), remedy)};
  if (thinned)
    return {doubtful, tr("slow"),
            tr("The analysis is slower than the cameras: %1. %2").arg(analysed, remedy)};
  if (missing.isEmpty()) return {};
  const QString idle = h.processor_share < 0 || busy
                           ? QString()
                           : tr(" This machine is not the cause: its processors are %1 % busy.").arg(load);
  return {doubtful, tr("network"),
          tr("Pictures do not reach this machine: %1.%2 Check these cameras and the network.")
              .arg(missing.join(", "), idle)};
}

CameraState camera_state(const CameraHealth& h, const RecentFaults& recent, double bound_ms,
                         bool overloaded) {
  using enum CameraStanding;
  const QString network = overloaded ? tr("this machine is overloaded") : tr("check the network");
  const QString why = QString::fromStdString(h.state);
  if (!h.here)
    return {away, why.isEmpty() ? tr("connecting") : tr("not connected"),
            why.isEmpty() ? tr("No picture has arrived yet.") : why};
  if (!h.picture.empty()) return {doubtful, tr("picture"), QString::fromStdString(h.picture)};
  if (!h.detector.empty()) return {doubtful, tr("detector"), QString::fromStdString(h.detector)};
  if (h.age_s > kSilent_s)
    return {doubtful, tr("silent %1 s").arg(number(h.age_s, 0)),
            tr("Connected, but nothing has arrived for %1 s: %2.")
                .arg(number(h.age_s, 1), overloaded
                                             ? tr("the camera, its network or this overloaded machine stalls")
                                             : tr("the camera or its network stalls"))};
  if (recent.decode_errors > 0)
    return {doubtful, tr("damaged"),
            tr("%1 damaged pictures in the last seconds: data is lost on the way. Try rtsp:// (TCP), or a "
               "wired network.")
                .arg(recent.decode_errors)};
  if (is_slow(h))
    return {doubtful, tr("%1 of %2/s").arg(number(h.delivered_rate, 0), number(h.declared_rate, 0)),
            tr("Only %1 of %2 pictures a second arrive: %3.")
                .arg(number(h.delivered_rate, 1), number(h.declared_rate, 1),
                     overloaded ? network : tr("check the network and the camera's load"))};
  if (is_late(h, recent, bound_ms))
    return {doubtful, tr("late"),
            tr("Its pictures arrive %1 ms late on average, %2 too late for their frame set, which waits %3 "
               "ms: %4.")
                .arg(number(h.jitter_ms, 0))
                .arg(recent.late)
                .arg(number(bound_ms, 0), network)};
  if (h.clock_offset_s && std::abs(*h.clock_offset_s) > kClockTold_s)
    return {good, tr("good"),
            tr("Its clock is wrong by %1 s; arrival times are used. Set it by NTP.")
                .arg(number(*h.clock_offset_s, 1))};
  if (!h.certificate_checked.value_or(true))
    return {good, tr("unverified"),
            tr("Encrypted, but the camera's identity is not checked: add #ca=FILE or #sha256=FINGERPRINT to "
               "its rtsps:// address.")};
  return {good, tr("good"), {}};
}

QStringList health_figures(const CameraHealth& h) {
  const QString delivered = number(h.delivered_rate, 1);
  // Right after connecting, the declared rate is not known yet.
  QStringList first = {
      h.declared_rate > 0 ? tr("%1 of %2 pictures/s").arg(delivered, number(h.declared_rate, 1))
                          : tr("%1 pictures/s").arg(delivered),
      tr("%1 kbit/s").arg(number(h.bit_rate * 1e-3, 0)), tr("jitter %1 ms").arg(number(h.jitter_ms, 0))};
  if (h.age_s >= 0) first << tr("last %1 s ago").arg(number(h.age_s, h.age_s < 10 ? 1 : 0));
  QStringList second = {tr("%1 damaged").arg(h.decode_errors), tr("%1 left out").arg(h.left_out),
                        tr("%1 late").arg(h.late), tr("%1 reconnected").arg(h.reconnections)};
  if (h.clock_offset_s)
    second << tr("clock %1%2 s").arg(*h.clock_offset_s < 0 ? "" : "+").arg(number(*h.clock_offset_s, 3));
  if (h.correction_s != 0)
    second << tr("corrected by %1%2 s").arg(h.correction_s < 0 ? "" : "+").arg(number(h.correction_s, 3));
  if (h.certificate_checked)
    second << (*h.certificate_checked ? tr("certificate checked") : tr("certificate not checked"));
  second << (h.view_of_utc_s ? tr("view of %1").arg(QString::fromStdString(utc_date(*h.view_of_utc_s)))
                             : tr("view since this start"));
  return {first.join(QStringLiteral(" · ")), second.join(QStringLiteral(" · "))};
}

CameraState push_state_text(const PushState& push) {
  using enum CameraStanding;
  if (!push.allowed)
    return {
        doubtful, tr("not allowed"),
        tr("Nothing is sent to %1: it is not allowed on this machine. File \u25b8 Messages\u2026 allows it.")
            .arg(QString::fromStdString(push.destination))};
  QStringList figures;
  if (push.delivered > 0 || push.waiting == 0) figures << tr("%1 delivered").arg(push.delivered);
  if (push.waiting > 0) figures << tr("%1 waiting").arg(push.waiting);
  const QString words = figures.join(QStringLiteral(", "));
  if (push.problem.empty()) return {good, words, {}};
  return {push.failures > 0 ? away : doubtful, words, QString::fromStdString(push.problem)};
}

QString live_summary(const LiveHealth& h) {
  const auto here = std::count_if(h.cameras.begin(), h.cameras.end(),
                                  [](const CameraHealth& camera) { return camera.here; });
  QStringList lines = {tr("%1 of %2 cameras deliver. %3 frame sets/s, waiting up to %4 ms.")
                           .arg(here)
                           .arg(h.cameras.size())
                           .arg(number(h.rate, 2), number(h.bound_ms, 0))};
  if (h.delay_span_ms > 0)
    lines << tr("They wait %1 ms more for cameras with a longer delay.").arg(number(h.delay_span_ms, 0));
  if (h.analysed > 0)
    lines << tr("Results %1 ms after the last picture (95 % within %2 ms).")
                 .arg(number(h.latency_p50_ms, 0), number(h.latency_p95_ms, 0));
  if (h.code_p50_ms >= 0)
    lines << tr("By the time code in the pictures: results %1 ms after capture (95 % within %2 ms).")
                 .arg(number(h.code_p50_ms, 0), number(h.code_p95_ms, 0));
  lines << tr("%1 of %2 frame sets dropped, %3 incomplete.").arg(h.dropped).arg(h.sets).arg(h.incomplete);
  return lines.join('\n');
}

}  // namespace vantage::ui
