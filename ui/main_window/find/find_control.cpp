#include "ui/main_window/find/find_control.h"

#include <algorithm>
#include <utility>

#include "core/project/recording_clock.h"
#include "ui/main_window/floor_control.h"
#include "ui/main_window/moment_pictures.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/time_axis.h"

namespace vantage::ui {
namespace {

constexpr size_t kMaxFoundPictures = 60;

template <typename Shape>
std::vector<std::string> names_of(const std::vector<Shape>& shapes) {
  std::vector<std::string> names;
  for (const Shape& shape : shapes) names.push_back(shape.name);
  return names;
}

tl::unexpected<Error> not_askable(const QString& what) {
  return fail(ErrorKind::invalid_argument, what.toStdString());
}

}  // namespace

FindControl::FindControl(const WindowParts& parts) : Control(parts) {
  const auto some = [this] { return unmet({{!found_.empty(), tr("Nothing was found.")}}); };
  QAction* next = add_action(
      {"next_found", "Next Fo&und", "Ctrl+PgDown", "Go to the next result of the search", false, "Next"},
      {Menu::playback, "next_event"}, [this] { panel_->list()->go_on(1); }, some);
  QAction* previous = add_action(
      {"previous_found", "Pre&vious Found", "Ctrl+PgUp", "Go to the previous result of the search", false,
       "Previous"},
      {Menu::playback, "next_found"}, [this] { panel_->list()->go_on(-1); }, some);
  panel_ = new FindPanel({previous, next});
  QAction* dock =
      add_dock({"find", "&Find", "Ctrl+F", "Find who was in a place, crossed a line or met whom, and when"},
               "events", tr("Find"), panel_);
  connect(panel_, &FindPanel::asked, this, &FindControl::ask);
  connect(panel_, &FindPanel::draw_wanted, this, &FindControl::draw);
  connect(panel_->list(), &FoundList::wanted, this, &FindControl::go_to);
  connect(dock, &QAction::toggled, this, [this](bool on) {
    show_place();
    if (!on) return;
    if (stale_) ask();
    QMetaObject::invokeMethod(panel_, &FindPanel::focus_first, Qt::QueuedConnection);
  });
}

void FindControl::restore(const QSettings& settings) {
  panel_->restore(settings);
}

void FindControl::save(QSettings& settings) const {
  panel_->save(settings);
}

void FindControl::forget() {
  job_.stop();
  fetching_.stop();
  again_ = false;
  tracks_.reset();
  index_.reset();
  found_.clear();
  drawn_zone_.clear(), drawn_line_.clear();
  panel_->forget();
}

void FindControl::refresh(Changes what) {
  if (what.testFlag(Change::project) && state().open()) take_project();
  if (what.testFlag(Change::clock) || what.testFlag(Change::other_project))
    panel_->show_moment_hint(typed_times(state().clock()));
  if (what.testFlag(Change::tracks) || what.testFlag(Change::clock)) ask();
}

void FindControl::take_project() {
  if (!state().project_change().floor) return;
  panel_->show_places(names_of(project().zones), names_of(project().lines));
  ask();
}

// ---- the question

Result<TypedTime> FindControl::time_of(const QString& text, int64_t otherwise) const {
  if (text.isEmpty()) return TypedTime{0, otherwise, {}};
  const TracksRef tracks = state().tracks();
  return parse_time(plain_time(text), tracks ? tracks->frame_rate : state().frame_rate(), state().clock());
}

Result<std::vector<int64_t>> FindControl::people_of(const QString& text) const {
  std::vector<int64_t> people;
  for (const QString& word : text.split(',', Qt::SkipEmptyParts)) {
    if (word.trimmed().isEmpty()) continue;
    VANTAGE_ASSIGN(const std::vector<int64_t> called,
                   people_called(word.trimmed().toStdString(), state().tracks()->names));
    people.insert(people.end(), called.begin(), called.end());
  }
  return people;
}

Result<FindQuestion> FindControl::question() const {
  const TypedQuestion typed = panel_->typed();
  FindQuestion question;
  question.kind = typed.kind;
  question.way = typed.way;
  question.closer_m = typed.closer_m;
  if (typed.kind == FindKind::visits) {
    const auto known = std::ranges::find(project().zones, typed.place, &FloorZone::name);
    if (!typed.place.empty() && known != project().zones.end())
      question.zone = *known;
    else if (!drawn_zone_.empty())
      question.zone = {tr("drawn here").toStdString(), drawn_zone_};
    else
      return not_askable(tr("Draw the place in a view, or choose a zone."));
  }
  if (typed.kind == FindKind::crossings) {
    const auto known = std::ranges::find(project().lines, typed.place, &FloorLine::name);
    if (!typed.place.empty() && known != project().lines.end())
      question.line = *known;
    else if (!drawn_line_.empty())
      question.line = {tr("drawn here").toStdString(), drawn_line_[0], drawn_line_[1]};
    else
      return not_askable(tr("Draw the line in a view, or choose one."));
  }
  FindFilter& filter = question.filter;
  VANTAGE_ASSIGN(const TypedTime from, time_of(typed.from, INT64_MIN));
  VANTAGE_ASSIGN(const TypedTime to, time_of(typed.to, INT64_MAX));
  filter.first_frame = from.frame, filter.last_frame = to.frame;
  if (state().live())
    filter.first_frame = std::max(filter.first_frame, state().first_frame());  // can be shown
  if (filter.last_frame < filter.first_frame) return not_askable(tr("To lies before From."));
  filter.min_s = typed.longer_s;
  filter.taller_m = typed.taller_m, filter.shorter_m = typed.shorter_m;
  VANTAGE_ASSIGN(filter.people, people_of(typed.people));
  return question;
}

// A dock that is not visible costs nothing.
void FindControl::ask() {
  show_place();
  stale_ = true;
  again_ = job_.running();
  if (again_ || !dock_shown() || !state().open()) return;
  stale_ = false;
  fetching_.stop();
  const TracksRef tracks = state().tracks();
  if (!tracks || tracks->paths.empty()) {
    show({});
    return panel_->show_problem(tr("There are no tracks yet: analyse first."));
  }
  const Result<FindQuestion> asked = question();
  if (!asked) {
    show({index_, {}});
    return panel_->show_problem(QString::fromStdString(asked.error().message()));
  }
  job_.start([this, tracks, asked = *asked,
              index = tracks == tracks_ ? index_ : nullptr](const StopSource&) -> BackgroundJob::Deliver {
    Answer answer{index ? index : std::make_shared<const TrackIndex>(tracks->paths, tracks->frame_rate), {}};
    answer.moments = vantage::answer(*answer.index, asked);
    return [this, tracks, answer = std::move(answer)] {
      tracks_ = tracks, index_ = answer.index;
      if (std::exchange(again_, false)) return ask();
      show(answer);
    };
  });
}

void FindControl::draw(bool zone) {
  if (parts().floor)
    parts().floor->draw_for(zone ? tr("place to search") : tr("line to search"), zone,
                            [this, zone](const std::vector<Eigen::Vector2d>& corners_m) {
                              (zone ? drawn_zone_ : drawn_line_) = corners_m;
                              panel_->set_drawn(zone, true);
                              ask();
                            });
}

// The drawn place, in every view, while it is what is searched.
void FindControl::show_place() {
  if (!parts().floor) return;
  const TypedQuestion typed = panel_->typed();
  const bool zone = typed.kind == FindKind::visits, line = typed.kind == FindKind::crossings;
  const auto& corners = zone ? drawn_zone_ : drawn_line_;
  std::optional<MarkedShape> shape;
  if (dock_shown() && (zone || line) && typed.place.empty() && !corners.empty())
    shape = MarkedShape{tr("searched"), corners, zone, true, false, false};
  parts().floor->show_also(std::move(shape));
}

// ---- the answer

QString FindControl::name_of(int64_t person) const {
  const PersonNames& names = tracks_->names;
  const auto named = names.find(person);
  return named == names.end()
             ? tr("person %1").arg(person)
             : QStringLiteral("%1 (%2)").arg(QString::fromStdString(named->second)).arg(person);
}

FoundRow FindControl::row_of(const FoundMoment& moment) const {
  const FrameTimes times{tracks_->frame_rate, state().clock()};
  FoundRow row;
  // The day above the time of day.
  row.time = times.text(moment.first_frame);
  if (const qsizetype day = row.time.lastIndexOf(' '); day >= 0) row.time[day] = QLatin1Char('\n');
  row.who = name_of(moment.person);
  if (moment.other > 0) row.who = tr("%1 and\n%2").arg(row.who, name_of(moment.other));
  const double seconds = times.seconds(moment.last_frame) - times.seconds(moment.first_frame);
  row.length = moment.to_left ? (*moment.to_left ? tr("to the left") : tr("to the right"))
                              : tr("%1 s").arg(seconds, 0, 'f', 1);
  row.where = tr("%1, %2 m").arg(moment.x_m, 0, 'f', 1).arg(moment.y_m, 0, 'f', 1);
  row.tip = tr("%1 to %2, frames %3 to %4")
                .arg(times.text(moment.first_frame), times.text(moment.last_frame))
                .arg(moment.first_frame)
                .arg(moment.last_frame);
  if (moment.other == 0) row.tip += tr("; %1 m tall").arg(moment.height_m, 0, 'f', 2);
  return row;
}

// The reading of a time that has two, behind what was found.
QString FindControl::how_times_were_read() const {
  const TypedQuestion typed = panel_->typed();
  for (const QString& text : {typed.from, typed.to})
    if (const Result<TypedTime> time = time_of(text, 0); time && !time->note.empty())
      return QLatin1Char(' ') + QString::fromStdString(time->note);
  return {};
}

void FindControl::show(const Answer& answer) {
  found_ = answer.moments;
  std::vector<FoundRow> rows;
  for (const FoundMoment& moment : found_) rows.push_back(row_of(moment));
  const bool pictured =
      !found_.empty() && !state().live() && project().has_pictures() && project().calibrated();
  if (answer.index)
    panel_->show_found(
        std::move(rows), pictured,
        tr("%1 found, of %2 people.").arg(found_.size()).arg(answer.index->people()) + how_times_were_read());
  update_availability();
  if (pictured) fetch_pictures();
}

// Pictures are read of the first ones only: each is a seek in every video.
void FindControl::fetch_pictures() {
  std::vector<Moment> moments;
  for (const FoundMoment& moment : found_) {
    if (moments.size() == kMaxFoundPictures) break;
    moments.push_back({moment.first_frame, moment.x_m, moment.y_m});
  }
  fetching_.start([this, moments, project = project()](const StopSource& stop) -> BackgroundJob::Deliver {
    auto pictures = std::make_shared<std::vector<std::pair<size_t, QImage>>>();
    read_pictures(project, moments, stop,
                  [&](size_t i, QImage picture) { pictures->emplace_back(i, std::move(picture)); });
    return [this, pictures] {
      for (const auto& [i, picture] : *pictures) panel_->list()->set_picture(static_cast<int>(i), picture);
    };
  });
}

void FindControl::go_to(int row) {
  if (row < 0 || row >= static_cast<int>(found_.size())) return;
  const FoundMoment& moment = found_[row];
  emit seek_requested(moment.first_frame);
  const Eigen::Vector3d place(moment.x_m, moment.y_m, 0);
  parts().cameras->set_pointed(place);
  parts().scene->set_pointed(place);
}

}  // namespace vantage::ui
