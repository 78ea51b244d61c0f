#include "ui/main_window/trackers/trackers_panel.h"

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <functional>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

struct Measure {
  const char* name;
  const char* tip;
  std::function<QString(const TrackingMetrics&)> text;
};

QString share(double value) {
  return QString::number(value, 'f', 3);
}

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all = {
      {"IDF1", "F1 score of detections with the correct identity",
       [](const TrackingMetrics& m) { return share(m.identity.idf1); }},
      {"HOTA", "detection and association together, over all thresholds",
       [](const TrackingMetrics& m) { return share(m.hota.hota); }},
      {"MOTA", "1 minus the share of misses, false positives and ID switches",
       [](const TrackingMetrics& m) { return share(m.clear.mota); }},
      {"MODA", "the same without ID switches", [](const TrackingMetrics& m) { return share(m.clear.moda); }},
      {"OSPA", "optimal sub-pattern assignment, mean over frames, cut off at 0.5 m",
       [](const TrackingMetrics& m) { return share(m.sets.ospa_m) + QStringLiteral(" m"); }},
      {"GOSPA", "generalised optimal sub-pattern assignment, mean over frames, cut off at 0.5 m",
       [](const TrackingMetrics& m) { return share(m.sets.gospa_m) + QStringLiteral(" m"); }},
      {"switches", "a true person continues under another ID",
       [](const TrackingMetrics& m) { return QString::number(m.clear.switches); }},
      {"fragments", "a true person is lost and found again",
       [](const TrackingMetrics& m) { return QString::number(m.clear.fragments); }},
      {"missed", "true people in a frame who were missed",
       [](const TrackingMetrics& m) { return QString::number(m.clear.false_negatives); }},
      {"false", "people reported where no one stands",
       [](const TrackingMetrics& m) { return QString::number(m.clear.false_positives); }},
      {"tracked", "true people tracked in more than 80 % of their frames",
       [](const TrackingMetrics& m) {
         return QStringLiteral("%1 / %2").arg(m.clear.mostly_tracked).arg(m.true_identities);
       }},
  };
  return all;
}

// Frames of truth and of the rows compared with it count from 1.
std::vector<LaneMark> switches_of(const ComparedTracker& tracker) {
  std::vector<LaneMark> marks;
  if (!tracker.metrics)
    for (const TrackerSwitch& one : tracker.switches)
      marks.push_back({one.after, one.frame,
                       QCoreApplication::translate("TrackersPanel", "the other's %1 was %2 before frame %3")
                           .arg(one.followed)
                           .arg(one.before)
                           .arg(one.frame)});
  if (tracker.metrics)
    for (const TrackSwitch& one : tracker.metrics->clear.all_switches)
      marks.push_back({one.after, one.frame - 1,
                       QCoreApplication::translate("TrackersPanel", "true person %1 was %2 before frame %3")
                           .arg(one.true_id)
                           .arg(one.before)
                           .arg(one.frame - 1)});
  return marks;
}

}  // namespace

TrackersPanel::TrackersPanel(const std::vector<QAction*>& commands, QWidget* parent)
    : QWidget(parent),
      table_(new QTableWidget(2, static_cast<int>(measures().size()) + 1)),
      words_(new QLabel),
      outdated_(new QLabel) {
  setAccessibleName(tr("Trackers"));
  auto* head = new QHBoxLayout;
  auto* sides = new QHBoxLayout;
  sides->setSpacing(2);
  for (int side = 0; side < 2; ++side) {
    auto& method = methods_[static_cast<size_t>(side)] = new QComboBox;
    for (const ComparedMethod each : kComparedMethods)
      method->addItem(tr(std::string(compared_name(each)).c_str()));
    method->setAccessibleName(side == 0 ? tr("First tracker") : tr("Second tracker"));
    method->setToolTip(tr("Tracker for the people of the results"));
    connect(method, &QComboBox::activated, this, &TrackersPanel::methods_changed);
    auto& lanes = lanes_[static_cast<size_t>(side)] =
        new TrackLanes(side == 0 ? tr("Lanes of the first tracker") : tr("Lanes of the second tracker"),
                       tr("Not compared yet."));
    connect(lanes, &TrackLanes::seek_requested, this, &TrackersPanel::seek_requested);
    auto* column = new QVBoxLayout;
    column->addWidget(method);
    column->addWidget(lanes, 1);
    sides->addLayout(column, 1);
  }
  methods_[0]->setCurrentIndex(static_cast<int>(ComparedMethod::greedy));
  methods_[1]->setCurrentIndex(static_cast<int>(ComparedMethod::graph));
  for (QAction* command : commands) head->addWidget(text_button(command));
  head->addWidget(words_, 1);
  words_->setWordWrap(true);
  words_->setAccessibleName(tr("Comparison"));
  table_->setAccessibleName(tr("Measures of both trackers"));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
  table_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  table_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(4, 4, 4, 4);
  page->addLayout(head);
  page->addLayout(sides, 1);
  outdated_->setWordWrap(true);
  outdated_->setAccessibleName(tr("Out of date"));
  page->addWidget(outdated_);
  page->addWidget(table_);
  clear();
}

std::array<ComparedMethod, 2> TrackersPanel::methods() const {
  return {kComparedMethods[static_cast<size_t>(methods_[0]->currentIndex())],
          kComparedMethods[static_cast<size_t>(methods_[1]->currentIndex())]};
}

void TrackersPanel::choose(int side, ComparedMethod method) {
  methods_[static_cast<size_t>(side)]->setCurrentIndex(static_cast<int>(method));
  emit methods_changed();
}

void TrackersPanel::show_comparison(const std::array<ComparedTracker, 2>& trackers) {
  QStringList columns = {tr("people")};
  for (const Measure& measure : measures()) columns << tr(measure.name);
  table_->setHorizontalHeaderLabels(columns);
  const auto put = [&](int side, int column, const QString& text, const QString& tip) {
    auto* item = new QTableWidgetItem(text);
    item->setTextAlignment(Qt::AlignCenter);
    item->setToolTip(tip);
    table_->setItem(side, column, item);
  };
  QStringList names;
  for (int side = 0; side < 2; ++side) {
    const ComparedTracker& tracker = trackers[static_cast<size_t>(side)];
    lanes(side)->set_lanes(tracker.lanes, switches_of(tracker));
    names << methods_[static_cast<size_t>(side)]->currentText();
    put(side, 0, QString::number(tracker.lanes.size()), tr("followed"));
    for (size_t i = 0; i < measures().size(); ++i)
      put(side, static_cast<int>(i) + 1,
          tracker.metrics ? measures()[i].text(*tracker.metrics) : QString("\u2013"), tr(measures()[i].tip));
  }
  table_->setVerticalHeaderLabels(names);
  table_->setVisible(true);
}

void TrackersPanel::show_text(const QString& words) {
  words_->setText(words);
  words_->setVisible(!words.isEmpty());
}

void TrackersPanel::set_outdated(const QString& why) {
  outdated_->setText(why);
  outdated_->setVisible(!why.isEmpty());
  table_->setEnabled(why.isEmpty());
}

void TrackersPanel::clear() {
  set_outdated({});
  for (TrackLanes* each : lanes_) each->set_lanes({}, {});
  table_->setVisible(false);
  show_text(tr("Compare tracks the people of the results again, with both trackers."));
}

}  // namespace vantage::ui
