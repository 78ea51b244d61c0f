#include "ui/main_window/serve_dialog.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

constexpr int kMaxPort = 65535, kTextWidth = 420;

}  // namespace

std::string ServeSettings::address() const {
  const std::string name = host.trimmed().toStdString();
  const bool bare_ipv6 = name.find(':') != std::string::npos && !name.starts_with('[');
  return (bare_ipv6 ? "[" + name + "]" : name) + ":" + std::to_string(port);
}

ServeSettings stored_serve_settings() {
  const QSettings settings;
  const ServeSettings defaults;
  return {settings.value("serve/address", defaults.host).toString(),
          settings.value("serve/port", defaults.port).toInt(),
          settings.value("serve/on", false).toBool(),
          settings.value("serve/certificate").toString(),
          settings.value("serve/key").toString(),
          settings.value("serve/pictures", false).toBool()};
}

void store_serve_settings(const ServeSettings& choice) {
  QSettings settings;
  settings.setValue("serve/address", choice.host);
  settings.setValue("serve/port", choice.port);
  settings.setValue("serve/on", choice.on);
  settings.setValue("serve/certificate", choice.certificate);
  settings.setValue("serve/key", choice.key);
  settings.setValue("serve/pictures", choice.pictures);
}

ServeDialog::ServeDialog(const ResultService& service, const ServeSettings& settings, const QString& position,
                         QWidget* parent)
    : QDialog(parent),
      service_(service),
      host_(new QComboBox),
      port_(new QSpinBox),
      token_(new QLineEdit),
      mark_token_(new QLineEdit),
      serve_(new QCheckBox(tr("&Serve this project's results"))),
      pictures_(new QCheckBox(tr("Serve the cameras' p&ictures and clips, too"))),
      problem_(new QLabel),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
  setWindowTitle(tr("Serve Results"));
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(18);
  form->setVerticalSpacing(10);
  host_->setEditable(true);
  host_->addItems({"127.0.0.1", "0.0.0.0"});
  host_->setEditText(settings.host);
  port_->setRange(0, kMaxPort);
  port_->setSpecialValueText(tr("any free port"));
  port_->setValue(settings.port);
  for (QLineEdit* token : {token_, mark_token_}) token->setEchoMode(QLineEdit::Password);
  add_field(form, tr("&Address"),
            tr("127.0.0.1: programs on this machine only; 0.0.0.0: every machine that can reach this one"),
            host_);
  add_field(form, tr("&Port"), tr("The port number; 0 takes a free one"), port_);
  add_field(form, tr("&Token"),
            tr("What clients send as 'Authorization: Bearer TOKEN'; kept in %1").arg(position), token_);
  add_field(form, tr("Token to &mark"),
            tr("A second token: clients that send it can also mark events as seen, false alarm or exported, "
               "with a note; empty: no one can; kept in %1")
                .arg(position),
            mark_token_);
  mark_token_->setPlaceholderText(tr("no one marks events"));
  certificate_ = add_file(form, tr("&Certificate"),
                          tr("PEM file with this machine's certificate: results are then served encrypted, "
                             "at https://; empty: not encrypted"),
                          settings.certificate);
  key_ = add_file(form, tr("Private &key"),
                  tr("PEM file with the certificate's private key, without a password"), settings.key);
  serve_->setChecked(true);
  serve_->setToolTip(tr("Over HTTP, for as long as a project is open"));
  serve_->setAccessibleName(tr("Serve this project's results"));
  pictures_->setChecked(settings.pictures);
  pictures_->setToolTip(
      tr("The newest picture of each camera during a run or with live cameras, and clips of a span. They "
         "show people; numbers and masks do not"));
  pictures_->setAccessibleName(tr("Serve the cameras' pictures and clips, too"));
  auto* words =
      new QLabel(tr("Other programs read status, frames, tracks and pictures here, and a browser shows a "
                    "page: results on disk, a run in progress, and live cameras."));
  words->setForegroundRole(QPalette::PlaceholderText);
  for (QLabel* label : {words, problem_}) {
    label->setWordWrap(true);
    label->setMinimumWidth(kTextWidth);
  }
  problem_->setAccessibleName(tr("What is missing"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(24, 20, 24, 16);
  page->setSpacing(14);
  page->addWidget(words);
  page->addWidget(serve_);
  page->addLayout(form);
  page->addWidget(pictures_);
  page->addWidget(problem_);
  page->addStretch(1);
  page->addWidget(buttons_);
  connect(host_, &QComboBox::editTextChanged, this, &ServeDialog::update_state);
  for (const QLineEdit* token : {token_, mark_token_})
    connect(token, &QLineEdit::textChanged, this, &ServeDialog::update_state);
  connect(serve_, &QCheckBox::toggled, this, &ServeDialog::update_state);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons_, &QDialogButtonBox::accepted, this, [this] {
    emit chosen(this->settings(), {token_->text(), mark_token_->text()});
    accept();
  });
  update_state();
}

QLineEdit* ServeDialog::add_file(QFormLayout* form, const QString& name, const QString& tip,
                                 const QString& file) {
  auto* field = new QLineEdit(file);
  add_field(form, name, tip, field);
  field->setPlaceholderText(tr("none"));
  const QString title = tr("Choose %1").arg(field->accessibleName());
  QAction* choose =
      field->addAction(style()->standardIcon(QStyle::SP_DialogOpenButton), QLineEdit::TrailingPosition);
  choose->setText(title);
  choose->setToolTip(title);
  connect(choose, &QAction::triggered, this, [this, field, title] {
    const QString chosen =
        QFileDialog::getOpenFileName(this, title, QFileInfo(field->text()).absolutePath(),
                                     tr("PEM files (*.pem *.crt *.cer *.key);;All files (*)"));
    if (!chosen.isEmpty()) field->setText(chosen);
  });
  connect(field, &QLineEdit::textChanged, this, &ServeDialog::update_state);
  return field;
}

void ServeDialog::offer_tokens(const ServeTokens& tokens) {
  if (token_->text().isEmpty()) token_->setText(tokens.read);
  if (mark_token_->text().isEmpty()) mark_token_->setText(tokens.mark);
}

QString ServeDialog::problem() const {
  return problem_->text();
}

ServeSettings ServeDialog::settings() const {
  return {host_->currentText().trimmed(), port_->value(),         serve_->isChecked(),
          certificate_->text().trimmed(), key_->text().trimmed(), pictures_->isChecked()};
}

QString ServeDialog::missing() const {
  const ServeSettings choice = settings();
  const Result<bool> others = service_.reaches_others(choice.address());
  if (!others) return QString::fromStdString(others.error().message());
  if (*others && token_->text().isEmpty())
    return tr("Other machines can reach this address. Set a token that they have to send.");
  if (!token_->text().isEmpty() && token_->text() == mark_token_->text())
    return tr("The two tokens are the same. Choose another one to mark with.");
  if (choice.certificate.isEmpty() != choice.key.isEmpty())
    return tr("A certificate and its private key belong together. Choose both files, or none.");
  for (const QString& file : {choice.certificate, choice.key})
    if (!file.isEmpty() && !QFileInfo(file).isFile()) return tr("There is no file %1.").arg(file);
  return {};
}

void ServeDialog::update_state() {
  const QString problem = serve_->isChecked() ? missing() : QString();
  problem_->setText(problem);
  pictures_->setEnabled(serve_->isChecked());
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty());
}

}  // namespace vantage::ui
