#include "ui/main_window/messages/target_editor.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QListWidget>
#include <QPlainTextEdit>
#include <algorithm>

#include "ui/widgets/form.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr int kTargetFieldWidth = 320, kArgumentLines = 2, kRulesShown = 3;

// One a line; an argument may be empty.
std::vector<std::string> lines_of(const QString& text) {
  std::vector<std::string> lines;
  if (text.isEmpty()) return lines;
  for (const QString& line : text.split('\n')) lines.push_back(line.toStdString());
  return lines;
}

QString text_of(const std::vector<std::string>& lines) {
  QStringList texts;
  for (const std::string& line : lines) texts << QString::fromStdString(line);
  return texts.join('\n');
}

}  // namespace

QString push_kind_text(PushKind kind) {
  switch (kind) {
    case PushKind::mqtt:
      return QObject::tr("Broker (MQTT 5)");
    case PushKind::webhook:
      return QObject::tr("Web server (webhook)");
    case PushKind::command:
      return QObject::tr("Program");
  }
  return {};
}

TargetEditor::TargetEditor(const std::vector<std::string>& rules, const QString& base, const QString& place,
                           QWidget* parent)
    : QWidget(parent), rules_(rules), place_(place), form_(new Form(this, kTight)) {
  name_ = add_line(tr("&Name"),
                   tr("Letters, digits, '-' and '_', at most 64; unique among the project's targets"));
  kind_ = add(tr("&Kind"), tr("What receives the messages"), new QComboBox);
  for (const PushKind kind : {PushKind::mqtt, PushKind::webhook, PushKind::command})
    kind_->addItem(push_kind_text(kind));
  add_destination();
  topic_->setPlaceholderText(base);
  user_ = add_line(tr("&User"), tr("User name at the broker; it is kept with the password"));
  password_ = add_line(tr("Pass&word"), {});
  password_->setEchoMode(QLineEdit::Password);
  add_contents();
  connect(kind_, &QComboBox::currentIndexChanged, this, [this] {
    if (!showing_) show_kind();
  });
  connect(form_, &Form::changed, this, &TargetEditor::take);
  show_kind();
}

// Where messages go.
void TargetEditor::add_destination() {
  address_ = add_line(tr("&Address"), {});
  program_ = add_file(tr("&Program"), tr("Absolute path; started once for each message, without a shell"),
                      tr("All files (*)"));
  arguments_ = add(tr("Argu&ments"), tr("Arguments of the program, one a line, passed as they are"),
                   new QPlainTextEdit);
  arguments_->setTabChangesFocus(true);
  arguments_->setFixedHeight(kArgumentLines * fontMetrics().lineSpacing() + 14);
  topic_ = add_line(tr("To&pic"), tr("What all topics begin with: words with '/' between them"));
  discovery_ = add_line(tr("Ho&me Assistant"),
                        tr("The prefix under which Home Assistant finds rules and cameras by itself, as a "
                           "rule homeassistant; empty: it does not"));
  discovery_->setPlaceholderText(tr("not announced"));
  ca_ = add_file(tr("Auth&orities"),
                 tr("PEM file of the authorities to trust for encryption, in place of the machine's; for a "
                    "certificate of your own"),
                 tr("PEM files (*.pem *.crt *.cer);;All files (*)"));
  ca_->setPlaceholderText(tr("this machine's"));
  limit_ = add(tr("Wa&it"), tr("For one attempt, in seconds (1 to 600); then it is tried again"),
               number_field(kMinPushLimit_s, kMaxPushLimit_s, kMinPushLimit_s, 1, tr(" s")));
}

// The kinds of messages, and leave to send any.
void TargetEditor::add_contents() {
  events_ = form_->add_check(tr("&Events of rules"), tr("A message when an event begins, and when it ends"));
  pictures_ = form_->add_check(tr("Picture&s of events"),
                               tr("With the picture of the nearest camera that sees the place (JPEG, at most "
                                  "1280 px wide)"));
  health_ = form_->add_check(
      tr("Healt&h of cameras"),
      tr("A message when something is wrong with a camera for 3 s, and when all is well again"));
  only_ = add(tr("Only ru&les"), tr("Rules whose events are sent; none checked: all rules. Space checks"),
              new QListWidget);
  allow_ = form_->add_check(tr("Allow on this ma&chine"),
                            tr("Kept for you on this machine, not in the project; can be withdrawn here"));
  allow_words_ = quiet_label();
  form_->addRow(QString(), allow_words_);
}

template <typename Field>
Field* TargetEditor::add(const QString& name, const QString& tip, Field* field) {
  field->setMinimumWidth(kTargetFieldWidth);
  return form_->add(name, tip, field);
}

QLineEdit* TargetEditor::add_line(const QString& name, const QString& tip) {
  return add(name, tip, new QLineEdit);
}

QLineEdit* TargetEditor::add_file(const QString& name, const QString& tip, const QString& kinds) {
  QLineEdit* line = add_line(name, tip);
  const QString title = tr("Choose %1").arg(line->accessibleName());
  add_chooser(line, title, [this, title, kinds](const QString& now) {
    return QFileDialog::getOpenFileName(this, title, QFileInfo(now).absolutePath(), kinds);
  });
  return line;
}

void TargetEditor::focus_name() {
  name_->setFocus();
  name_->selectAll();
}

void TargetEditor::show_target(const EditedTarget& edited) {
  showing_ = true;
  edited_ = edited;
  const PushTarget& target = edited.target;
  name_->setText(QString::fromStdString(target.name));
  kind_->setCurrentIndex(static_cast<int>(target.kind));
  address_->setText(QString::fromStdString(target.address));
  program_->setText(target.command.empty() ? QString() : QString::fromStdString(target.command.front()));
  shown_arguments_.assign(target.command.begin() + (target.command.empty() ? 0 : 1), target.command.end());
  shown_text_ = text_of(shown_arguments_);
  arguments_->setPlainText(shown_text_);
  topic_->setText(QString::fromStdString(target.topic));
  discovery_->setText(QString::fromStdString(target.discovery));
  ca_->setText(QString::fromStdString(target.ca));
  limit_->setValue(target.limit_s);
  user_->setText(edited.typed_secret ? QString::fromStdString(edited.typed_secret->user) : QString());
  password_->setText(edited.typed_secret ? QString::fromStdString(edited.typed_secret->password) : QString());
  events_->setChecked(target.events);
  pictures_->setChecked(target.pictures);
  health_->setChecked(target.health);
  allow_->setChecked(edited.allowed);
  show_rules();
  show_kind();
  showing_ = false;
}

// Also those that the project no longer has: a target that waits for one of these would else be silent for no
// visible reason.
void TargetEditor::show_rules() {
  std::vector<std::string> names = rules_;
  for (const std::string& rule : edited_.target.rules)
    if (std::ranges::find(names, rule) == names.end()) names.push_back(rule);
  only_->clear();
  for (size_t i = 0; i < names.size(); ++i) {
    const QString name = QString::fromStdString(names[i]);
    const bool ticked = std::ranges::find(edited_.target.rules, names[i]) != edited_.target.rules.end();
    add_ticked(only_, i < rules_.size() ? name : tr("%1 (not in the project)").arg(name), ticked, name);
  }
  set_rows_shown(only_, std::clamp(only_->count(), 1, kRulesShown));
}

void TargetEditor::show_kind() {
  const auto kind = static_cast<PushKind>(kind_->currentIndex());
  const bool mqtt = kind == PushKind::mqtt, command = kind == PushKind::command;
  for (QWidget* of_mqtt :
       {static_cast<QWidget*>(topic_), static_cast<QWidget*>(discovery_), static_cast<QWidget*>(user_)})
    form_->setRowVisible(of_mqtt, mqtt);
  for (QWidget* of_command : {static_cast<QWidget*>(program_), static_cast<QWidget*>(arguments_)})
    form_->setRowVisible(of_command, command);
  for (QLineEdit* of_servers : {address_, ca_, password_}) form_->setRowVisible(of_servers, !command);
  const QString address =
      mqtt ? tr("mqtt://HOST:PORT, or mqtts:// for an encrypted connection; without a port 1883 or 8883. "
                "Never with a password")
           : tr("http://… or https://…: gets each message as JSON by POST. Never with a password");
  address_->setToolTip(address);
  address_->setAccessibleDescription(address);
  address_->setPlaceholderText(mqtt ? QStringLiteral("mqtt://192.168.1.5")
                                    : QStringLiteral("https://desk.example/hook"));
  auto* label = qobject_cast<QLabel*>(form_->labelForField(password_));
  label->setText(mqtt ? tr("Pass&word") : tr("Signing ke&y"));
  password_->setAccessibleName(label->text().remove('&'));
  const QString secret =
      mqtt ? tr("Password at the broker; kept in %1, never in the project").arg(place_)
           : tr("Key by which each request is signed (HMAC-SHA256), so that the server knows "
                "whom it comes from; kept in %1, never in the project")
                 .arg(place_);
  password_->setToolTip(secret);
  password_->setAccessibleDescription(secret);
  show_secret_hint();
}

void TargetEditor::show_secret_kept(bool kept) {
  edited_.secret_kept = kept;
  show_secret_hint();
}

void TargetEditor::show_secret_hint() {
  const bool kept = edited_.secret_kept.value_or(false);
  const QString unchanged = tr("kept as it is unless you type another");
  password_->setPlaceholderText(kept ? unchanged : tr("none"));
  user_->setPlaceholderText(kept ? unchanged : tr("none"));
  const PushTarget& target = edited_.target;
  const QString where = QString::fromStdString(destination_text(target));
  QString what = target.kind == PushKind::command
                     ? tr("If you allow it, Vantage starts %1 on this machine for each message.").arg(where)
                     : tr("If you allow it, Vantage sends messages%1 from this machine to %2.")
                           .arg(target.events && target.pictures ? tr(" with pictures") : QString(), where);
  if (where.isEmpty()) what = tr("Say first where messages go.");
  allow_words_->setText(what + ' ' + tr("Projects may come from others: allow only what you know."));
}

void TargetEditor::take() {
  if (showing_) return;
  PushTarget& target = edited_.target;
  target.name = name_->text().trimmed().toStdString();
  target.kind = static_cast<PushKind>(kind_->currentIndex());
  const bool mqtt = target.kind == PushKind::mqtt, command = target.kind == PushKind::command;
  target.address = command ? std::string() : address_->text().trimmed().toStdString();
  target.ca = command ? std::string() : ca_->text().trimmed().toStdString();
  target.topic = mqtt ? topic_->text().trimmed().toStdString() : std::string();
  target.discovery = mqtt ? discovery_->text().trimmed().toStdString() : std::string();
  target.command.clear();
  if (command && !program_->text().trimmed().isEmpty()) {
    target.command.push_back(program_->text().trimmed().toStdString());
    const QString text = arguments_->toPlainText();
    const std::vector<std::string> arguments = text == shown_text_ ? shown_arguments_ : lines_of(text);
    target.command.insert(target.command.end(), arguments.begin(), arguments.end());
  }
  target.limit_s = limit_->value();
  target.events = events_->isChecked(), target.pictures = pictures_->isChecked();
  target.health = health_->isChecked();
  target.rules.clear();
  for (int i = 0; i < only_->count(); ++i)
    if (only_->item(i)->checkState() == Qt::Checked)
      target.rules.push_back(only_->item(i)->data(Qt::UserRole).toString().toStdString());
  edited_.allowed = allow_->isChecked();
  edited_.typed_secret.reset();
  if (!command && !password_->text().isEmpty())
    edited_.typed_secret =
        Credentials{mqtt ? user_->text().toStdString() : std::string(), password_->text().toStdString()};
  show_secret_hint();
  emit changed();
}

}  // namespace vantage::ui
