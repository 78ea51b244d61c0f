#include "ui/main_window/doubts/doubts_control.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

#include "core/results/results_paths.h"
#include "ui/main_window/people_control.h"
#include "ui/views/camera_grid.h"
#include "ui/views/scene_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
DoubtsPanel::DoubtsPanel(const std::vector<QAction*>& moves, const std::vector<QAction*>& answers,
                         QWidget* parent)
    : QWidget(parent), question_(text_label()), summary_(new QLabel), list_(new FoundList) {
  setAccessibleName(tr("Doubtful identities"));
  question_->setAccessibleName(tr("Question"));
  question_->setWordWrap(true);
  question_->setMinimumHeight(2 * fontMetrics().lineSpacing());
  question_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  summary_->setAccessibleName(tr("How many are in doubt"));
  list_->setAccessibleName(tr("In doubt"));
  list_->set_columns({{{tr("Time"), tr("The last frame before it")},
                       {tr("Who"), tr("People, by name or ID")},
                       {tr("Wrong"), tr("The probability that the tracks are wrong there, in percent")},
                       {tr("What"), tr("What the tracks cannot tell")}}});
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kApart, kApart);
  page->setSpacing(kTight);
  page->addLayout(button_row(moves));
  page->addWidget(question_);
  page->addLayout(button_row(answers));
  page->addWidget(list_, 1);
  page->addWidget(summary_);
  show_question({});
}

void DoubtsPanel::show_doubts(std::vector<FoundRow> rows, const QString& words) {
  list_->set_rows(std::move(rows), false);
  summary_->setText(words);
}

void DoubtsPanel::show_question(const QString& question) {
  question_->setText(question.isEmpty() ? tr("Go to a doubtful identity, play it, and say who is who.")
                                        : question);
}

namespace {

auto order_of(const Doubt& doubt) {
  return std::tuple(doubt.before.frame, doubt.person, doubt.other, doubt.kind);
}

}  // namespace

DoubtsControl::DoubtsControl(const WindowParts& parts) : Control(parts) {
  const auto listed = [this] {
    return unmet({{!state().live(), tr("IDs of live cameras start again each time: record them first.")},
                  {state().tracks() && !state().tracks()->paths.empty(),
                   tr("There are no tracks yet: analyse first.")},
                  {stale_ || !doubts_.empty(), tr("No identity is in doubt.")}});
  };
  const auto examined = [this] {
    return Need{looked_at().has_value(), tr("Go to a doubtful identity first (Shift+N).")};
  };
  const auto examining = [examined] { return unmet({examined()}); };
  QAction* next = add_action(
      {"next_doubt", "Next Doubtful Identit&y", "Shift+N",
       "Go to the next frame whose tracks may be wrong about who is who", false, "Next"},
      {Menu::edit_people}, [this] { go_on(1); }, listed);
  QAction* previous = add_action(
      {"previous_doubt", "Pre&vious Doubtful Identity", "Alt+Shift+N",
       "Go to the previous frame in which the tracks may be wrong", false, "Previous"},
      {Menu::edit_people}, [this] { go_on(-1); }, listed);
  QAction* right = add_action(
      {"doubt_right", "Tracks Are Ri&ght Here", "Shift+O",
       "Keep the tracks as they are, and remember that this was examined", false, "Right"},
      {Menu::edit_people}, [this] { give(DoubtAnswer::right); }, examining);
  other_ = add_action(
      {"doubt_other", "Tracks Are Wrong &Here", "Shift+X",
       "Exchange the IDs of people who passed each other; cut a track where another person came "
       "back; join two tracks of one person",
       false, "Swap"},
      {Menu::edit_people}, [this] { give(DoubtAnswer::other); }, examining);
  QAction* cut = add_action(
      {"doubt_cut", "No One Can Tell: &Cut", "Shift+K",
       "Give both people new IDs after it, since no one can tell who is who", false, "Cut"},
      {Menu::edit_people}, [this] { give(DoubtAnswer::cut); },
      [this, examined] {
        return unmet(
            {examined(),
             {at_ && at_->kind == DoubtKind::passage, tr("Only where two people passed each other.")}});
      });
  panel_ = new DoubtsPanel({previous, next}, {right, other_, cut});
  QAction* dock = add_dock({"doubts_dock", "&Doubtful Identities", "Ctrl+Alt+D",
                            "List the frames in which a person may continue under another person's ID"},
                           "find", tr("Doubtful IDs"), panel_);
  connect(panel_->list(), &FoundList::wanted, this, &DoubtsControl::go_to);
  connect(dock, &QAction::toggled, this, [this](bool on) {
    if (on && stale_) ask();
  });
}

void DoubtsControl::forget() {
  job_.stop();
  again_ = false, stale_ = true, go_when_found_ = 0;
  tracks_.reset();
  doubts_.clear();
  at_.reset();
  panel_->show_doubts({}, {});
  panel_->show_question({});
}

void DoubtsControl::refresh(Changes what) {
  if (what.testFlag(Change::tracks) || what.testFlag(Change::clock)) ask();
}

std::optional<Doubt> DoubtsControl::looked_at() const {
  const bool open = at_ && std::ranges::any_of(
                               doubts_, [this](const Doubt& one) { return order_of(one) == order_of(*at_); });
  return open ? at_ : std::nullopt;
}

// ---- finding them

// A dock that is not visible costs nothing.
void DoubtsControl::ask() {
  stale_ = true;
  again_ = job_.running();
  if (again_ || !(dock_shown() || go_when_found_ != 0) || !state().open()) return;
  stale_ = false;
  const TracksRef tracks = state().tracks();
  if (!tracks || tracks->paths.empty() || state().live()) {
    tracks_ = tracks;
    show({});
    return panel_->show_doubts({}, tr("There are no tracks yet: analyse first."));
  }
  job_.start([this, tracks, repairs = project().repairs,
              folder = project().results_folder()](const StopSource&) -> BackgroundJob::Deliver {
    Found found;
    const Result<std::vector<PersonReturn>> returns = read_returns(folder);
    found.all = doubtful_identities(TrackIndex(tracks->paths, tracks->frame_rate),
                                    tracks->frames.empty() ? 0 : tracks->frames.back(), kMinDoubt,
                                    returns.value_or(std::vector<PersonReturn>()));
    found.open = unanswered(found.all, tracks->paths, repairs);
    return [this, tracks, found = std::move(found), why = returns ? "" : returns.error().message()] {
      if (!why.empty()) parts().messages->post({Severity::failed, QString::fromStdString(why)});
      tracks_ = tracks;
      if (std::exchange(again_, false)) return ask();
      show(found);
    };
  });
}

void DoubtsControl::show(const Found& found) {
  doubts_ = found.open;
  std::vector<FoundRow> rows;
  for (const Doubt& doubt : doubts_) rows.push_back(row_of(doubt));
  panel_->show_doubts(std::move(rows), tr("%1 in doubt, %2 answered, of %3 people")
                                           .arg(doubts_.size())
                                           .arg(found.all.size() - found.open.size())
                                           .arg(tracks_ ? tracks_->paths.size() : 0));
  panel_->show_question(looked_at() ? question_of(*at_) : QString());
  if (looked_at())
    panel_->list()->selectRow(
        static_cast<int>(std::ranges::lower_bound(doubts_, order_of(*at_), {},
                                                  [](const Doubt& one) { return order_of(one); }) -
                         doubts_.begin()));
  update_availability();
  if (const int by = std::exchange(go_when_found_, 0)) go_on(by);
}

QString DoubtsControl::who(int64_t person) const {
  const auto named = tracks_->names.find(person);
  return named == tracks_->names.end() ? QString::number(person) : QString::fromStdString(named->second);
}

FoundRow DoubtsControl::row_of(const Doubt& doubt) const {
  const FrameTimes times{tracks_->frame_rate, state().clock()};
  FoundRow row;
  row.time = times.text(doubt.before.frame);
  row.who = doubt.other > 0 ? tr("%1 and %2").arg(who(doubt.person), who(doubt.other)) : who(doubt.person);
  row.length = tr("%1 %").arg(100 * doubt.wrong, 0, 'f', 0);
  row.where = doubt.kind == DoubtKind::passage ? tr("swapped?")
              : doubt.kind == DoubtKind::gap   ? tr("another?")
                                               : tr("the same?");
  row.tip = question_of(doubt);
  return row;
}

QString DoubtsControl::question_of(const Doubt& doubt) const {
  const std::string question = vantage::question_of(doubt, who(doubt.person).toStdString(),
                                                    who(doubt.other).toStdString(), tracks_->frame_rate);
  return tr("%1 (%2 %)").arg(QString::fromStdString(question)).arg(100 * doubt.wrong, 0, 'f', 0);
}

// ---- going through them

void DoubtsControl::go_on(int by) {
  if (stale_ || job_.running()) {
    go_when_found_ = by;
    emit dock_wanted();
    if (!job_.running()) ask();
    return;
  }
  // The search starts at the doubt that was examined last, also where it was answered meanwhile.
  int row = by > 0 ? 0 : static_cast<int>(doubts_.size()) - 1;
  if (at_) {
    const auto [first, last] =
        std::ranges::equal_range(doubts_, order_of(*at_), {}, [](const Doubt& one) { return order_of(one); });
    row = static_cast<int>((by > 0 ? last : first) - doubts_.begin()) - (by > 0 ? 0 : 1);
    const int count = static_cast<int>(doubts_.size());
    if (count > 0) row = (row + count) % count;
  }
  go_to(row);
}

void DoubtsControl::go_to(int row) {
  if (row < 0 || row >= static_cast<int>(doubts_.size())) return;
  const Doubt& doubt = doubts_[row];
  at_ = doubt;
  panel_->list()->selectRow(row);
  panel_->list()->scrollTo(panel_->list()->model()->index(row, 0));
  panel_->show_question(question_of(doubt));
  name_answers();
  emit seek_requested(doubt.before.frame);
  if (parts().people) parts().people->choose({doubt.person, doubt.other});
  const Eigen::Vector3d place(doubt.before.x_m, doubt.before.y_m, 0);
  parts().cameras->set_pointed(place);
  parts().scene->set_pointed(place);
  update_availability();
}

// The kind of doubt decides what mends it.
void DoubtsControl::name_answers() {
  other_->setIconText(at_->kind == DoubtKind::passage ? tr("Swap")
                      : at_->kind == DoubtKind::gap   ? tr("Another")
                                                      : tr("Join"));
}

// Each is one step of undo.
void DoubtsControl::give(DoubtAnswer answer) {
  const std::optional<Doubt> doubt = looked_at();
  if (!doubt || !tracks_) return;
  std::vector<IdentityRepair> repairs;
  for (const IntendedRepair& meant : repairs_for(*doubt, answer)) {
    const std::string why = why_not(apply_repairs(tracks_->paths, repairs).paths, meant);
    if (!why.empty())
      return parts().messages->post(
          {Severity::failed, tr("This repair does not apply: %1.").arg(QString::fromStdString(why))});
    repairs.push_back(meant.repair);
  }
  post(command::Edit{"answer to doubt " + std::to_string(doubt->before.frame) + " " +
                         std::to_string(doubt->person) + " " + std::to_string(doubt->other),
                     [repairs](Project& project) {
                       project.repairs.insert(project.repairs.end(), repairs.begin(), repairs.end());
                     }});
}

}  // namespace vantage::ui
