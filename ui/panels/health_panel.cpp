#include "ui/panels/health_panel.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <deque>

#include "ui/widgets/colors.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/scroll_list.h"

namespace vantage::ui {
namespace {

constexpr int kHealthMark = 18, kStripHeight = 22;
constexpr size_t kStripSeconds = 120, kRecentSeconds = 10;
constexpr qint64 kSampleMs = 1000;

struct StripSample {
  CameraStanding standing = CameraStanding::good;
  double share = 0;  // of the declared rate
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
    row->setSpacing(8);
    mark_->setFixedWidth(kHealthMark + 2);
    row->addWidget(mark_, 0, Qt::AlignTop);
    QFont bold = name_->font();
    bold.setBold(true);
    name_->setFont(bold);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(3);
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
    row->setSpacing(8);
    mark_->setFixedWidth(kHealthMark + 2);
    row->addWidget(mark_, 0, Qt::AlignTop);
    QFont bold = name_->font();
    bold.setBold(true);
    name_->setFont(bold);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(3);
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

HealthPanel::HealthPanel(QWidget* parent)
    : QWidget(parent),
      summary_(text_label()),
      rows_(new ScrollList(12)),
      push_title_(quiet_label(tr("Messages"))) {
  rows_->append(push_title_);
  push_title_->hide();
  setAccessibleName(tr("Health of the live cameras"));
  summary_->setAccessibleName(tr("All cameras"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(8, 8, 4, 4);
  page->addWidget(summary_);
  page->addWidget(rows_, 1);
  clear();
}

void HealthPanel::clear() {
  make_cards(0);
  show_push({});
  states_.clear();
  counts_.clear();
  last_sample_ms_ = 0;
  summary_->setText(tr("No live cameras. Their state is shown here while they are watched."));
}

QString HealthPanel::summary() const {
  return summary_->text();
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
  states_.resize(health.cameras.size());
  for (size_t i = 0; i < health.cameras.size(); ++i) {
    const CameraHealth& h = health.cameras[i];
    const RecentFaults& before = counts_[i].front();
    const RecentFaults recent{h.decode_errors - before.decode_errors, h.late - before.late,
                              h.reconnections - before.reconnections};
    states_[i] = camera_state(h, recent, health.bound_ms);
    if (sample) cards_[i]->add_sample(h, states_[i]);
    cards_[i]->show_camera(h, states_[i]);
  }
  if (sample) last_sample_ms_ = now;
  summary_->setText(live_summary(health));
  rows_->settle();
}

}  // namespace vantage::ui
