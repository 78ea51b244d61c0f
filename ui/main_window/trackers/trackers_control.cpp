#include "ui/main_window/trackers/trackers_control.h"

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <functional>

#include "core/display/lanes.h"
#include "core/project/variants.h"
#include "ui/main_window/overlay_control.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

// A switch is marked for so long.
constexpr double kSwitch_s = 1;

ComparedTracker tracker_of(const std::vector<PersonPath>& paths, const StoredResults& results, int side,
                           const TrackerDifferences& differences) {
  ComparedTracker tracker{lanes_of(paths, known_frames(results)), std::nullopt, {}};
  for (const TrackerSwitch& one : differences.switches)
    if (one.tracker == side) tracker.switches.push_back(one);
  return tracker;
}

// The present position of the person of the switch.
Eigen::Vector3d place_now(const TrackerSwitch& one, const std::vector<TwiceFollowed>& people) {
  for (const TwiceFollowed& person : people)
    if ((one.tracker == 0 ? person.second : person.first) == one.followed) return {person.x_m, person.y_m, 0};
  return {one.x_m, one.y_m, 0};
}

}  // namespace

Result<TrackersControl::Compared> TrackersControl::compare_both(
    const Project& project, const std::filesystem::path& truth_file,
    const std::array<ComparedMethod, 2>& methods) {
  VANTAGE_ASSIGN(const StoredResults results, read_results(project.results_folder()));
  GroundTruth truth = ground_truth_of(project.truth);
  if (!truth_file.empty()) {
    VANTAGE_ASSIGN(truth, read_ground_truth(truth_file));
  }
  std::array<std::vector<PersonPath>, 2> paths;
  for (size_t side = 0; side < 2; ++side) {
    VANTAGE_ASSIGN(paths[side], follow_again(results, methods[side], project));
  }
  Compared both;
  both.frame_rate = results.frame_rate;
  both.in_use = both.of_results = project.parameters;
  both.drawn = project.truth;
  // Results of long ago name none.
  if (const auto of = parameters_of_results(project.results_folder(), default_parameters()))
    both.of_results = of->parameters;
  both.differences = compare_paths(paths[0], paths[1]);
  const std::vector<int64_t> known = known_frames(results);
  for (size_t side = 0; side < 2; ++side) {
    both.trackers[side] = tracker_of(paths[side], results, static_cast<int>(side), both.differences);
    if (truth.empty()) continue;
    VANTAGE_ASSIGN(both.trackers[side].metrics, measure_paths(paths[side], {known, known}, truth));
  }
  return both;
}

TrackersControl::TrackersControl(const WindowParts& parts) : Control(parts) {
  const auto results = [this] { return unmet({{analysed(), tr("Analyse first.")}}); };
  QAction* compare = add_action(
      {"compare_trackers", "&Compare Trackers", "Ctrl+F4",
       "Track the people of the results again, with both trackers", false, "Compare"},
      {Menu::analysis, "record", true}, [this] { this->compare(); }, results);
  draw_ = add_switch(
      {"draw_trackers", "&Draw Both Trackers", "Shift+F4",
       "Show both trackers in every view: the second dashed, differences in orange"},
      {Menu::analysis, "compare_trackers"},
      [this](bool on) {
        if (on && !compared_ && analysed()) this->compare();
        draw();
      },
      results);
  QAction* load = add_action(
      {"load_truth", "Load Ground &Truth…", "Ctrl+Shift+F4",
       "Load true tracks on the floor (tracks.csv) and evaluate both trackers against them"},
      {Menu::analysis, "draw_trackers"}, [this] { ask_for_truth(); }, results);
  panel_ = new TrackersPanel({compare, draw_, load});
  add_dock({"trackers_dock", "&Trackers", "F4",
            "Compare two trackers, with standard metrics where ground truth is loaded"},
           "floor_dock", tr("Trackers"), panel_, DockArea::bottom);
  for (int side = 0; side < 2; ++side) panel_->lanes(side)->share(parts.timeline->axis());
  connect(panel_, &TrackersPanel::seek_requested, this, &TrackersControl::seek_requested);
  connect(panel_, &TrackersPanel::methods_changed, this, [this] {
    if (analysed()) this->compare();
  });
}

void TrackersControl::refresh(Changes what) {
  for (int side = 0; side < 2; ++side) {
    if (what & (Change::clock | Change::frame_rate | Change::other_project))
      panel_->lanes(side)->set_times(state().times());
    if (what.testFlag(Change::frame)) panel_->lanes(side)->set_frame(state().shown()->result->frame);
  }
  if (what.testFlag(Change::frame)) draw();
  if (what.testFlag(Change::project)) mark_outdated();
  if (!what.testFlag(Change::tracks)) return;
  drop_comparison();
  if (analysed() && draw_->isChecked()) compare();
}

// Another run, or other repairs: what was compared is of older results.
void TrackersControl::drop_comparison() {
  job_.stop();
  compared_.reset();
  panel_->clear();
  draw();
}

// The first as people always are, the second dashed around them, and switches for a short time.
void TrackersControl::draw() {
  if (!compared_ || !state().shown() || !draw_->isChecked())
    return parts().overlays->set_trackers(std::nullopt);
  MarkedTrackers marked;
  const int64_t frame = state().shown()->result->frame;
  const auto& frames = compared_->differences.frames;
  const auto now = frames.find(frame);
  const std::vector<TwiceFollowed> people = now == frames.end() ? std::vector<TwiceFollowed>() : now->second;
  for (const TwiceFollowed& person : people) {
    const Eigen::Vector3d place(person.x_m, person.y_m, 0);
    marked.first.push_back({person.first, place, person.height_m});
    if (person.second > 0) marked.second.push_back({{person.second, place, person.height_m}, person.differs});
  }
  const auto moment = static_cast<int64_t>(kSwitch_s * compared_->frame_rate);
  for (const TrackerSwitch& one : compared_->differences.switches)
    if (one.frame <= frame && frame < one.frame + moment)
      marked.switches.push_back(
          {place_now(one, people), tr("%1: %2 \u2192 %3")
                                       .arg(one.tracker == 0 ? tr("first") : tr("second"))
                                       .arg(one.before)
                                       .arg(one.after)});
  parts().overlays->set_trackers(std::move(marked));
}

void TrackersControl::forget() {
  truth_.clear();
  drop_comparison();
}

void TrackersControl::ask_for_truth() {
  const QString folder = QString::fromStdString(project().path.parent_path().string());
  const QString file = QFileDialog::getOpenFileName(panel_, tr("Load Ground Truth"), folder,
                                                    tr("Tracks on the floor (*.csv);;All files (*)"));
  if (!file.isEmpty()) load_truth(file);
}

void TrackersControl::load_truth(const QString& file) {
  truth_ = file.toStdString();
  compare();
}

void TrackersControl::compare() {
  panel_->show_text(tr("Tracking everybody with both \u2026"));
  job_.start([this, project = project(), truth = truth_,
              methods = panel_->methods()](const StopSource&) -> BackgroundJob::Deliver {
    return [this, both = std::make_shared<Result<Compared>>(compare_both(project, truth, methods))] {
      if (!*both) return panel_->show_text(QString::fromStdString(both->error().message()));
      show(**both);
    };
  });
}

void TrackersControl::show(const Compared& compared) {
  compared_ = std::make_shared<const Compared>(compared);
  const TrackerDifferences& d = compared.differences;
  const QString differ = tr("They differ in %1 of %2 person-frames, with %3 ID switches.")
                             .arg(d.differing)
                             .arg(d.followed)
                             .arg(d.switches.size());
  panel_->show_text(
      differ + QStringLiteral(" ") +
      (!compared.trackers[0].metrics ? tr("Draw truth (Shift+T) or load it (tracks.csv) to measure them.")
       : truth_.empty()
           ? tr("Against the truth drawn here, within 0.5 m.")
           : tr("Against %1, within 0.5 m.").arg(QString::fromStdString(truth_.filename().string()))));
  panel_->show_comparison(compared.trackers);
  mark_outdated();
  draw();
}

// A changed parameter, or drawn ground truth, leaves what was measured before, which must not be taken for
// its own.
void TrackersControl::mark_outdated() {
  if (!compared_ || !state().open()) return;
  if (truth_.empty() && compared_->drawn != project().truth)
    return panel_->set_outdated(tr("\u25b2 Out of date: the ground truth has changed since. Compare again."));
  auto changed = parameter_differences(compared_->of_results, project().parameters);
  const auto is_trackers = [](const ParameterDifference& one) {
    return one.stage == "tracking" || one.stage == "paths";
  };
  std::erase_if(changed, is_trackers);
  auto since = parameter_differences(compared_->in_use, project().parameters);
  std::erase_if(since, std::not_fn(is_trackers));
  changed.insert(changed.end(), since.begin(), since.end());
  panel_->set_outdated(changed.empty()
                           ? QString()
                           : tr("\u25b2 Out of date: %1 has changed since. Analyse and compare again.")
                                 .arg(QString::fromStdString(changed.front().key())));
}

namespace {

struct Measure {
  const char* name;
  const char* tip;
  std::function<QString(const TrackingMetrics&)> text;
};

QString share(double value) {
  return number_text(value, 'f', 3);
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
  sides->setSpacing(kTight);
  for (int side = 0; side < 2; ++side) {
    auto& method = methods_[static_cast<size_t>(side)] = new QComboBox;
    for (const ComparedMethod each : kComparedMethods)
      method->addItem(tr(std::string(compared_name(each)).c_str()));
    describe(method, side == 0 ? tr("First tracker") : tr("Second tracker"),
             tr("Tracker for the people of the results"));
    connect(method, &QComboBox::activated, this, &TrackersPanel::methods_changed);
    auto& lanes = lanes_[static_cast<size_t>(side)] =
        new TrackLanes(side == 0 ? tr("Lanes of the first tracker") : tr("Lanes of the second tracker"),
                       tr("The people of this tracker appear here after Compare (Ctrl+F4)."));
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
  page->setContentsMargins(kTight, kTight, kTight, kTight);
  page->addLayout(head);
  page->addLayout(sides, 1);
  outdated_->setWordWrap(true);
  outdated_->setAccessibleName(tr("Out of date"));
  page->addWidget(outdated_);
  page->addWidget(table_);
  clear();
}

std::array<ComparedMethod, 2> TrackersPanel::methods() const {
  return {kComparedMethods[methods_[0]->currentIndex()], kComparedMethods[methods_[1]->currentIndex()]};
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
    put_cell(table_, side, column, text, tip)->setTextAlignment(Qt::AlignCenter);
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
