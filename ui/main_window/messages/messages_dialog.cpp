#include "ui/main_window/messages/messages_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/health_panel.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kListWidth = 230, kWidth = 800, kHeight = 600;

std::vector<std::string> rule_names(const Project& project) {
  std::vector<std::string> names;
  for (const FloorRule& rule : project.rules) names.push_back(rule.name);
  return names;
}

}  // namespace

MessagesDialog::MessagesDialog(const Project& project, const QString& place, QWidget* parent)
    : QDialog(parent),
      list_(new QListWidget),
      editor_(new TargetEditor(
          rule_names(project),
          QStringLiteral("vantage/") + QString::fromStdString(project.path.stem().string()), place)),
      nothing_(quiet_label(tr("Nothing is sent yet. Add a target: a broker (MQTT), a web server or a program "
                              "gets the events of rules and the health of cameras while live cameras run."))),
      answer_(text_label()),
      problem_(text_label()),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
  setWindowTitle(tr("Messages"));
  for (const PushTarget& target : project.push_targets) {
    EditedTarget& edited = targets_.emplace_back();
    edited.target = target;
    edited.former_name = target.name;
  }
  auto* columns = new QHBoxLayout;
  columns->setSpacing(kWide);
  columns->addWidget(make_list());
  columns->addWidget(make_fields(), 1);
  problem_->setAccessibleName(tr("What is missing"));
  problem_->setMinimumHeight(fontMetrics().lineSpacing());  // else the buttons would move
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kWide, kWide, kWide, kWide);
  page->setSpacing(kApart);
  page->addLayout(columns, 1);
  page->addWidget(problem_);
  page->addWidget(buttons_);
  make_buttons();
  connect(list_, &QListWidget::currentRowChanged, this, &MessagesDialog::show_row);
  connect(editor_, &TargetEditor::changed, this, [this] {
    if (row_ < 0) return;
    targets_[row_] = editor_->edited();
    show_rows();
    update_state();
  });
  show_rows();
  list_->setCurrentRow(targets_.empty() ? -1 : 0);
  update_state();
  resize(kWidth, kHeight);
}

QWidget* MessagesDialog::make_list() {
  auto* side = new QWidget;
  side->setFixedWidth(kListWidth);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  describe(list_, tr("Targets"), tr("Where messages go"));
  list_->setWordWrap(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  add_ = new QToolButton;
  add_->setText(tr("A&dd"));
  describe(add_, tr("Add"), tr("Add a broker, a web server or a program"));
  add_->setPopupMode(QToolButton::InstantPopup);
  auto* kinds = new QMenu(add_);
  for (const PushKind kind : {PushKind::mqtt, PushKind::webhook, PushKind::command})
    kinds->addAction(push_kind_text(kind), this, [this, kind] { add_target(kind); });
  add_->setMenu(kinds);
  remove_ = new QPushButton(tr("&Remove"));
  remove_->setToolTip(tr("Remove the chosen target; messages that wait for it stay on the disk"));
  discard_ = new QPushButton(tr("Discard Waitin&g"));
  discard_->setToolTip(tr("Delete the messages that wait for the chosen target; it cannot be undone"));
  auto* row = new QHBoxLayout;
  row->addWidget(add_);
  row->addWidget(remove_);
  row->addStretch(1);
  column->addWidget(list_, 1);
  column->addLayout(row);
  column->addWidget(discard_);
  return side;
}

QWidget* MessagesDialog::make_fields() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  fields_ = new QWidget;
  auto* inside = new QVBoxLayout(fields_);
  inside->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(editor_);
  inside->addWidget(scroll, 1);
  test_ = new QPushButton(tr("Send &Test"));
  test_->setToolTip(tr("Send one test message with what is written here, and say what comes back"));
  answer_->setAccessibleName(tr("What came back"));
  answer_->setMinimumHeight(2 * fontMetrics().lineSpacing());
  answer_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  auto* row = new QHBoxLayout;
  row->addWidget(test_, 0, Qt::AlignTop);
  row->addWidget(answer_, 1);
  inside->addLayout(row);
  nothing_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  column->addWidget(nothing_, 1);
  column->addWidget(fields_, 1);
  return page;
}

void MessagesDialog::make_buttons() {
  buttons_->button(QDialogButtonBox::Ok)
      ->setToolTip(tr("Keep all targets in the project; Undo restores them"));
  for (QPushButton* button : findChildren<QPushButton*>()) button->setAutoDefault(false);
  buttons_->button(QDialogButtonBox::Ok)->setDefault(true);
  connect(remove_, &QPushButton::clicked, this, &MessagesDialog::remove_target);
  connect(discard_, &QPushButton::clicked, this, [this] { emit discard_wanted(targets_[row_].former_name); });
  connect(test_, &QPushButton::clicked, this, [this] {
    if (testing_)
      emit test_stopped();
    else
      emit test_wanted(targets_[row_]);
  });
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons_, &QDialogButtonBox::accepted, this, [this] {
    if (check()) emit chosen(targets_);
  });
}

// "broker", "broker-2"
std::string MessagesDialog::free_name(PushKind kind) const {
  const std::string base = kind == PushKind::mqtt      ? "broker"
                           : kind == PushKind::webhook ? "webhook"
                                                       : "program";
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(targets_, [&](const EditedTarget& one) { return one.target.name == name; });
  };
  std::string name = base;
  for (int number = 2; taken(name); ++number) name = base + "-" + std::to_string(number);
  return name;
}

void MessagesDialog::add_target(PushKind kind) {
  EditedTarget added;
  added.target.name = free_name(kind);
  added.target.kind = kind;
  added.allowed = true;  // the user of this machine adds it
  added.secret_kept = false;
  targets_.push_back(added);
  show_rows();
  list_->setCurrentRow(static_cast<int>(targets_.size()) - 1);
  editor_->focus_name();
  update_state();
}

void MessagesDialog::remove_target() {
  if (row_ < 0) return;
  const int removed = row_;
  targets_.erase(targets_.begin() + removed);
  row_ = -1;
  show_rows();
  const int next = std::min(removed, static_cast<int>(targets_.size()) - 1);
  list_->setCurrentRow(next);
  show_row(next);
}

void MessagesDialog::show_row(int row) {
  if (row_ != row && testing_) emit test_stopped();
  row_ = row < static_cast<int>(targets_.size()) ? row : -1;
  answer_->clear();
  if (row_ >= 0) editor_->show_target(targets_[row_]);
  update_state();
}

QString MessagesDialog::row_text(const EditedTarget& edited) const {
  const QString name = QString::fromStdString(edited.target.name);
  if (!edited.allowed) return name + '\n' + tr("not allowed on this machine");
  if (const auto state = states_.find(edited.former_name); state != states_.end())
    return name + '\n' + push_state_text(state->second).words;
  const auto known = known_.find(edited.former_name);
  if (known == known_.end()) return name + '\n' + push_kind_text(edited.target.kind);
  PushState state;
  state.waiting = known->second.waiting, state.problem = known->second.problem;
  return name + '\n' + push_state_text(state).words;
}

void MessagesDialog::show_rows() {
  const QSignalBlocker quiet(list_);
  while (list_->count() > static_cast<int>(targets_.size())) delete list_->takeItem(list_->count() - 1);
  while (list_->count() < static_cast<int>(targets_.size())) list_->addItem(QString());
  for (int i = 0; i < list_->count(); ++i) {
    const QString text = row_text(targets_[i]);
    if (list_->item(i)->text() != text) list_->item(i)->setText(text);
  }
}

void MessagesDialog::offer_known(const std::vector<KnownTarget>& known) {
  for (const KnownTarget& one : known) {
    const bool again = known_.contains(one.name);
    known_[one.name] = one;
    if (again) continue;
    for (EditedTarget& edited : targets_)
      if (edited.former_name == one.name) {
        edited.was_allowed = one.allowed;
        edited.allowed = edited.allowed || one.allowed;
      }
  }
  show_rows();
  if (row_ >= 0) editor_->show_target(targets_[row_]);
  update_state();
}

void MessagesDialog::offer_secrets(const std::vector<std::string>& kept) {
  for (EditedTarget& edited : targets_)
    edited.secret_kept = std::ranges::find(kept, edited.former_name) != kept.end();
  if (row_ >= 0) editor_->show_secret_kept(*targets_[row_].secret_kept);
}

void MessagesDialog::show_states(const std::vector<PushState>& states) {
  std::map<std::string, PushState> by_name;
  for (const PushState& state : states) by_name[state.target] = state;
  if (by_name == states_) return;
  states_ = std::move(by_name);
  show_rows();
  update_state();
}

void MessagesDialog::show_testing(const QString& where) {
  testing_ = true;
  answer_->setText(tr("Sending to %1 …").arg(where));
  update_state();
}

void MessagesDialog::show_answer(const QString& answer, bool failed) {
  testing_ = false;
  answer_->setText(failed ? tr("Not sent: %1").arg(answer) : answer);
  update_state();
}

void MessagesDialog::show_applying(bool applying) {
  applying_ = applying;
  update_state();
}

Status MessagesDialog::check() const {
  std::vector<PushTarget> all;
  for (const EditedTarget& edited : targets_) all.push_back(edited.target);
  return check_push_targets(all);
}

void MessagesDialog::update_state() {
  const bool chosen = row_ >= 0;
  const EditedTarget* edited = chosen ? &targets_[row_] : nullptr;
  nothing_->setVisible(!chosen);
  fields_->setVisible(chosen);
  fields_->setEnabled(!applying_);
  list_->setEnabled(!applying_);
  add_->setEnabled(!applying_);
  remove_->setEnabled(chosen && !applying_);
  int64_t waiting = 0;
  if (chosen) {
    if (const auto known = known_.find(edited->former_name); known != known_.end())
      waiting = known->second.waiting;
    if (const auto state = states_.find(edited->former_name); state != states_.end())
      waiting = state->second.waiting;
  }
  discard_->setEnabled(waiting > 0 && !applying_);
  const Status right = check();
  problem_->setText(right ? QString() : QString::fromStdString(right.error().message()));
  const Status own = chosen ? check_push_target(edited->target) : Status();
  const bool sendable = chosen && own && edited->allowed;
  test_->setText(testing_ ? tr("Stop &Test") : tr("Send &Test"));
  test_->setEnabled(testing_ || (sendable && !applying_));
  const QString tip = tr("Send one test message with what is written here, and say what comes back");
  const QString why_not = chosen && own && !edited->allowed ? tr("Allow it on this machine first.")
                          : chosen && !own                  ? tr("Something is missing.")
                                                            : QString();
  test_->setToolTip(why_not.isEmpty() ? tip : tip + '\n' + why_not);
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(right.has_value() && !applying_);
}

}  // namespace vantage::ui
