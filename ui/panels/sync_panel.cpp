#include "ui/panels/sync_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/base/clock.h"
#include "ui/widgets/curve_plot.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kShownSignal_s = 6;  // in each direction
constexpr double kNudges[] = {-1, -0.1, 0.1, 1};

QString offset_text(double offset_frames, double rate, const std::string& base) {
  return QString::fromStdString(describe_offset(offset_frames, rate, base));
}

QString delay_text(double delay_s, const std::string& base) {
  if (delay_s == 0) return QCoreApplication::translate("SyncPanel", "as its clock states");
  return (delay_s > 0 ? QCoreApplication::translate("SyncPanel", "%1 s behind %2")
                      : QCoreApplication::translate("SyncPanel", "%1 s ahead of %2"))
      .arg(std::abs(delay_s), 0, 'f', 3)
      .arg(QString::fromStdString(base));
}

// Reserves lines for later text of the label, so that buttons do not move under the mouse.
void reserve_lines(QLabel* label, int lines) {
  label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  label->setMinimumHeight(lines * label->fontMetrics().lineSpacing());
}

QPushButton* small_button(const QString& text, const QString& tip) {
  auto* button = new QPushButton(text);
  describe(button, tip, tip);
  button->setAutoDefault(false);
  button->setMinimumWidth(button->fontMetrics().horizontalAdvance(text) + 16);
  button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  return button;
}

// The line with most motion.
int busiest_line(const LineSignals& signals_of_lines) {
  std::vector<double> sums(static_cast<size_t>(signals_of_lines.lines), 0.0);
  for (int64_t t = 0; t < signals_of_lines.frames(); ++t)
    for (size_t r = 0; r < sums.size(); ++r) sums[r] += signals_of_lines.frame(t)[r];
  return static_cast<int>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

}  // namespace

SyncPanel::SyncPanel(QAction* find, QAction* undo, QWidget* card, QWidget* parent)
    : QWidget(parent),
      summary_(text_label()),
      list_(new QVBoxLayout),
      agreement_(text_label()),
      apply_all_(small_button(tr("Apply All"), tr("Apply the offsets that were found to every camera"))),
      use_marks_(
          small_button(tr("Use Marks"),
                       tr("Use the marked instants: one gives the offset, two far apart also the drift"))),
      clear_marks_(small_button(tr("Clear Marks"), tr("Clear the marked instants"))) {
  setAccessibleName(tr("Synchronisation"));
  summary_->setAccessibleName(tr("Summary of the synchronisation"));
  agreement_->setAccessibleName(tr("Agreement of the silhouettes"));
  auto* head = new QHBoxLayout;
  head->addWidget(summary_, 1);
  head->addWidget(text_button(find), 0, Qt::AlignTop);
  auto* hand = new QHBoxLayout;
  hand->addWidget(use_marks_);
  hand->addWidget(clear_marks_);
  hand->addStretch(1);
  auto* by_hand = new QWidget;
  by_hand->setLayout(hand);
  auto* cameras = new QWidget;
  cameras->setLayout(list_);
  for (QLayout* layout : {static_cast<QLayout*>(hand), static_cast<QLayout*>(list_)})
    layout->setContentsMargins(0, 0, 0, 0);
  list_->setSpacing(kApart);
  plots_ = make_plots();
  auto* rows = new ScrollList(kApart);
  for (QWidget* part : {card, cameras, by_hand, plots_, static_cast<QWidget*>(agreement_)})
    rows->append(part);
  auto* foot = new QHBoxLayout;
  foot->addWidget(apply_all_);
  foot->addWidget(text_button(undo));
  foot->addStretch(1);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kTight, kTight);
  page->addLayout(head);
  page->addWidget(rows, 1);
  page->addLayout(foot);
  connect(apply_all_, &QPushButton::clicked, this, [this] {
    std::vector<int> cameras;
    for (size_t c = 0; c < project_.cameras.size(); ++c) cameras.push_back(static_cast<int>(c));
    emit apply_requested(cameras);
  });
  connect(use_marks_, &QPushButton::clicked, this, &SyncPanel::marks_given);
  connect(clear_marks_, &QPushButton::clicked, this, [this] {
    for (auto& marks : marks_) marks.clear();
    refresh_rows();
  });
  clear();
}

QWidget* SyncPanel::make_plots() {
  auto* plots = new QWidget;
  pair_ = new QComboBox;
  describe(pair_, tr("Pair of cameras"), tr("The pair of cameras whose likelihood and lines are shown"));
  line_ = new QSlider(Qt::Horizontal);
  describe(line_, tr("Epipolar line"), tr("Which epipolar line's signals are shown"));
  show_lines_ = new QCheckBox(tr("Lines in the pictures"));
  show_lines_->setToolTip(tr("Draw the pair's epipolar lines into both pictures, the chosen one bright"));
  curve_ = new CurvePlot(tr("Agreement over the offset"));
  before_ = new CurvePlot(tr("The line's signals with the project's offsets"));
  after_ = new CurvePlot(tr("The line's signals with the offsets found"));
  for (CurvePlot* plot : {curve_, before_, after_}) {
    plot->setToolTip(plot->accessibleName());
    plot->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    plot->set_axis(tr("frame"), {});
  }
  curve_->set_axis(tr("frames"), {});
  auto* choice = new QHBoxLayout;
  choice->addWidget(pair_, 1);
  choice->addWidget(show_lines_);
  auto* column = new QVBoxLayout(plots);
  column->setContentsMargins(0, kApart, 0, 0);
  column->addLayout(choice);
  column->addWidget(curve_);
  column->addWidget(line_);
  column->addWidget(before_);
  column->addWidget(after_);
  connect(pair_, &QComboBox::currentIndexChanged, this, [this] {
    refresh_plots();
    emit lines_changed();
  });
  connect(line_, &QSlider::valueChanged, this, [this] {
    refresh_signals();
    emit lines_changed();
  });
  connect(show_lines_, &QCheckBox::toggled, this, &SyncPanel::lines_changed);
  return plots;
}

void SyncPanel::clear() {
  project_ = {};
  found_.reset();
  moment_.clear();
  marks_.clear();
  agreement_->clear();
  build_rows();
  show_running(false);
  refresh_pairs();
}

void SyncPanel::set_project(const Project& project, double base_frame_rate) {
  const bool same = project.cameras.size() == project_.cameras.size();
  project_ = project;
  base_rate_ = effective_frame_rate(0, base_frame_rate);
  if (!same) {
    marks_.assign(project.cameras.size(), {});
    build_rows();
  }
  refresh_rows();
  refresh_plots();
}

void SyncPanel::show_running(bool running) {
  running_ = running;
  if (running) summary_->setText(tr("Comparing the cameras' pictures …"));
  if (!running) refresh_rows();
}

void SyncPanel::show_problem(const QString& text) {
  show_running(false);
  summary_->setText(text);
}

void SyncPanel::show_alignment(std::shared_ptr<const Alignment> found) {
  found_ = std::move(found);
  busiest_of_ = nullptr;
  agreement_->clear();
  show_running(false);
  refresh_pairs();
}

void SyncPanel::show_agreement(const OffsetAgreement& agreement) {
  QString text = tr("Share of the silhouettes explained by the cameras together, before and after:");
  for (size_t c = 0; c < agreement.before.size() && c < project_.cameras.size(); ++c)
    text += tr("\n%1   %2 %   %3 %")
                .arg(QString::fromStdString(project_.cameras[c].name))
                .arg(100 * agreement.before[c], 0, 'f', 0)
                .arg(100 * agreement.after[c], 0, 'f', 0);
  agreement_->setText(text);
}

void SyncPanel::set_instant(const std::vector<int64_t>& camera_frames) {
  moment_ = camera_frames;
  refresh_signals();
}

// ---- cameras

void SyncPanel::build_rows() {
  delete_widgets(list_);
  rows_.clear();
  for (size_t c = 0; c < project_.cameras.size(); ++c) list_->addWidget(make_row(static_cast<int>(c)));
}

QWidget* SyncPanel::make_row(int camera) {
  const QString name = QString::fromStdString(project_.cameras[camera].name);
  auto* widget = new QWidget;
  auto* column = new QVBoxLayout(widget);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kTight);
  Row row{text_label(), quiet_label(), quiet_label()};
  row.found->setAccessibleName(tr("Offset of %1").arg(name));
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(kTight);
  if (camera > 0) {
    row.apply = small_button(tr("Apply"), tr("Apply the offset found for %1").arg(name));
    connect(row.apply, &QPushButton::clicked, this, [this, camera] { emit apply_requested({0, camera}); });
    buttons->addWidget(row.apply);
    for (const double frames : kNudges) {
      const QString text =
          (frames > 0 ? QStringLiteral("+") : QStringLiteral("\u2212")) + QString::number(std::abs(frames));
      QPushButton* nudge = small_button(text, tr("Move %1 by %2 frames").arg(name, text));
      connect(nudge, &QPushButton::clicked, this, [this, camera, frames] { emit nudged(camera, frames); });
      buttons->addWidget(nudge);
    }
  }
  QPushButton* here =
      small_button(tr("Mark"), tr("Mark what %1 shows now: the same instant in every camera").arg(name));
  connect(here, &QPushButton::clicked, this, [this, camera] { mark(camera); });
  here->setVisible(!project_.live());  // its frames do not come again
  if (row.apply) row.apply->setVisible(!project_.live());
  buttons->addWidget(here);
  buttons->addStretch(1);
  if (camera > 0) reserve_lines(row.project, 2);
  QSizePolicy kept = row.marks->sizePolicy();
  kept.setRetainSizeWhenHidden(true);
  row.marks->setSizePolicy(kept);
  for (QLabel* label : {row.found, row.project, row.marks}) column->addWidget(label);
  column->addLayout(buttons);
  rows_.push_back(row);
  return widget;
}

const CameraAlignment* SyncPanel::found(size_t camera) const {
  return found_ && camera < found_->estimate.cameras.size() ? &found_->estimate.cameras[camera] : nullptr;
}

// A rate that only the camera's file states is known once something was found.
double SyncPanel::rate_of(size_t camera) const {
  const double found_rate = found_ && camera < found_->frame_rates.size() ? found_->frame_rates[camera] : 0;
  return effective_frame_rate(project_.cameras[camera].frame_rate, found_rate, base_rate_);
}

QString SyncPanel::found_text(size_t camera) const {
  if (camera == 0) return tr("the reference for the others");
  const CameraAlignment* found = this->found(camera);
  if (!found) return project_.live() ? tr("watched while running") : tr("not searched yet");
  if (!found->offset_frames) return tr("cannot tell: %1").arg(QString::fromStdString(found->reason));
  QString text = offset_text(*found->offset_frames, rate_of(camera), project_.cameras.front().name) +
                 tr("; confidence %1, \u00b1%2 frames")
                     .arg(found->confidence, 0, 'f', 2)
                     .arg(found->sigma_frames, 0, 'f', 2);
  if (found->drift_ppm != 0) text += tr(", drift %1 ppm").arg(found->drift_ppm, 0, 'f', 0);
  for (const OffsetChange& change : found->changes)
    text += tr(", %1 frames %2 at frame %3")
                .arg(std::abs(change.frames))
                .arg(change.frames < 0 ? tr("lost") : tr("gained"))
                .arg(change.base_frame);
  if (const auto& vouched = found->vouched)
    text += vouched->begin < vouched->end
                ? tr("; cannot tell whether frames were lost before frame %1 or behind %2")
                      .arg(vouched->begin)
                      .arg(vouched->end - 1)
                : tr("; cannot tell whether frames were lost");
  return text;
}

QString SyncPanel::project_text(size_t camera) const {
  const ProjectCamera &base = project_.cameras.front(), &own = project_.cameras[camera];
  if (project_.live())
    return tr("now in the project: %1").arg(delay_text(own.live_delay_s - base.live_delay_s, base.name));
  return tr("now in the project: %1%2")
      .arg(offset_text(own.offset_frames, rate_of(camera), base.name),
           own.offset_confirmed ? tr(", confirmed") : QString());
}

void SyncPanel::refresh_row(size_t camera) {
  const Row& row = rows_[camera];
  const CameraAlignment* found = this->found(camera);
  row.found->setText(QString::fromStdString(project_.cameras[camera].name) + QStringLiteral("  ") +
                     found_text(camera));
  row.project->setVisible(camera > 0);
  row.project->setText(project_text(camera));
  QStringList marked;
  for (const int64_t frame : marks_[camera]) marked << QString::number(frame);
  row.marks->setVisible(!marked.isEmpty());
  row.marks->setText(tr("marked: frame %1").arg(marked.join(", ")));
  if (row.apply) row.apply->setEnabled(found && found->offset_frames);
}

QString SyncPanel::summary_text() const {
  if (project_.live())
    return tr(
        "Live cameras are aligned by their clocks. A camera that shows another instant nevertheless is "
        "listed here after some 10 s.");
  if (!found_)
    return tr("When did each camera start? Find it from what they show, or mark the same instant in each.");
  QString text = tr("From %1, %2 frames of each camera")
                     .arg(found_->method == "lines"   ? tr("epipolar lines")
                          : found_->method == "sound" ? tr("sound")
                                                      : tr("motion"))
                     .arg(found_->frames);
  for (const std::string& note : found_->notes) text += "\n" + QString::fromStdString(note);
  return text;
}

void SyncPanel::refresh_rows() {
  bool any_found = false, any_marks = false, usable = false;
  for (size_t c = 0; c < rows_.size(); ++c) {
    refresh_row(c);
    any_found = any_found || (c > 0 && found(c) && found(c)->offset_frames);
    any_marks = any_marks || !marks_[c].empty();
    usable = usable || (c > 0 && !marks(static_cast<int>(c)).empty());
  }
  apply_all_->setEnabled(any_found);
  clear_marks_->setEnabled(any_marks);
  use_marks_->setEnabled(usable);
  for (QPushButton* button : {apply_all_, use_marks_, clear_marks_}) button->setVisible(!project_.live());
  if (!running_) summary_->setText(summary_text());
}

void SyncPanel::mark(int camera) {
  const auto c = static_cast<size_t>(camera);
  if (c >= moment_.size() || moment_[c] < 0) return;
  marks_[c].push_back(moment_[c]);
  refresh_rows();
}

std::vector<MarkedInstant> SyncPanel::marks(int camera) const {
  std::vector<MarkedInstant> out;
  if (marks_.empty()) return out;
  const auto& own = marks_[camera];
  for (size_t i = 0; i < std::min(own.size(), marks_[0].size()); ++i)
    out.push_back({static_cast<double>(marks_[0][i]), static_cast<double>(own[i])});
  return out;
}

// ---- pairs and lines

int SyncPanel::shown_pair() const {
  return found_ && pair_->currentIndex() < static_cast<int>(found_->estimate.pairs.size())
             ? pair_->currentIndex()
             : -1;
}
int SyncPanel::shown_line() const {
  return line_->value();
}
bool SyncPanel::shows_lines() const {
  return show_lines_->isChecked();
}

void SyncPanel::refresh_pairs() {
  const QSignalBlocker blocker(pair_);
  const int before = pair_->currentIndex();
  pair_->clear();
  if (found_)
    for (const PairEstimate& pair : found_->estimate.pairs)
      pair_->addItem(tr("%1 and %2")
                         .arg(QString::fromStdString(project_.cameras[pair.first].name),
                              QString::fromStdString(project_.cameras[pair.second].name)));
  pair_->setCurrentIndex(std::clamp(before, pair_->count() > 0 ? 0 : -1, pair_->count() - 1));
  plots_->setVisible(found_ != nullptr);
  refresh_plots();
  emit lines_changed();
}

void SyncPanel::refresh_plots() {
  const int pair = shown_pair();
  if (pair < 0) return;
  const bool has_lines = found_->compared != nullptr &&
                         static_cast<size_t>(pair) < found_->compared->pairs.size() &&
                         found_->compared->pairs[pair].a.lines > 0;
  for (QWidget* widget : std::initializer_list<QWidget*>{line_, show_lines_, before_, after_})
    widget->setVisible(has_lines);
  if (has_lines) {
    const LineSignals& first = found_->compared->pairs[pair].a;
    const QSignalBlocker blocker(line_);
    line_->setRange(0, first.lines - 1);
    if (busiest_of_ != &first) line_->setValue(busiest_line(first));
    busiest_of_ = &first;
  }
  refresh_curve(found_->estimate.pairs[pair]);
  refresh_signals();
}

double SyncPanel::project_lag(const PairEstimate& pair) const {
  const auto at_base_rate = [&](int camera) {
    const auto c = static_cast<size_t>(camera);
    return project_.cameras[c].offset_frames * found_->frame_rates[0] / found_->frame_rates[c];
  };
  return at_base_rate(pair.second) - at_base_rate(pair.first);
}

void SyncPanel::refresh_curve(const PairEstimate& pair) {
  Curve curve;
  curve.name = tr("agreement");
  for (size_t i = 0; i < pair.curve.size(); ++i)
    curve.points.push_back({pair.curve_lag + static_cast<double>(i), pair.curve[i]});
  curve_->set_curves(curve.points.empty() ? std::vector<Curve>{} : std::vector{curve}, tr("No curve."));
  std::vector<CurveMark> marks = {{project_lag(pair), tr("now"), {}, Qt::DashLine}};
  if (pair.offset_frames)
    marks.push_back(
        {*pair.offset_frames, tr("found %1").arg(*pair.offset_frames, 0, 'f', 1), QColor(kDoubtful)});
  curve_->set_marks(std::move(marks));
}

void SyncPanel::refresh_signals() {
  const int index = shown_pair();
  if (index < 0 || line_->isHidden() || moment_.empty()) return;
  const PairEstimate& estimate = found_->estimate.pairs[index];
  const PairSignals& lines_of_pair = found_->compared->pairs[index];
  const auto first = static_cast<size_t>(lines_of_pair.first);
  const double shown =
      static_cast<double>(first < moment_.size() ? std::max<int64_t>(moment_[first], 0) : 0) *
      found_->frame_rates[0] / found_->frame_rates[first];
  const double middle = shown - static_cast<double>(found_->first_frame);
  const double reach = kShownSignal_s * base_rate_;
  const auto line_of = [&](const LineSignals& from, double shift, int camera, Qt::PenStyle style) {
    Curve line;
    line.name = QString::fromStdString(project_.cameras[camera].name);
    line.color = camera_color(camera);
    line.style = style;
    const auto begin = static_cast<int64_t>(std::max(0.0, middle - reach + shift));
    const auto end = std::min(from.frames(), static_cast<int64_t>(std::max(0.0, middle + reach + shift)));
    for (int64_t t = begin; t < end; ++t)
      line.points.push_back({static_cast<double>(t) - shift + static_cast<double>(found_->first_frame),
                             from.frame(t)[line_->value()]});
    return line;
  };
  const auto show = [&](CurvePlot* plot, double lag, const QString& text) {
    plot->set_range({{shown - reach, shown + reach}});
    plot->set_curves({line_of(lines_of_pair.a, 0, lines_of_pair.first, Qt::SolidLine),
                      line_of(lines_of_pair.b, lag, lines_of_pair.second, Qt::DashLine)},
                     tr("No signals."));
    plot->set_marks({{shown, text, {}}});
  };
  show(before_, project_lag(estimate), tr("now"));
  show(after_, estimate.offset_frames.value_or(project_lag(estimate)), tr("found"));
}

}  // namespace vantage::ui
