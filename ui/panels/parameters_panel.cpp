#include "ui/panels/parameters_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
ParametersPanel::ParametersPanel(QWidget* parent)
    : QWidget(parent),
      search_(new QLineEdit),
      more_(new QToolButton),
      empty_(new QLabel),
      hint_(text_label()),
      rows_(new ScrollList(kApart)) {
  setAccessibleName(tr("Parameters"));
  search_->setPlaceholderText(tr("Search parameters"));
  search_->setAccessibleName(tr("Search parameters"));
  search_->setClearButtonEnabled(true);
  more_->setText(tr("More"));
  more_->setCheckable(true);
  describe(more_, tr("More parameters"), tr("Show the expert parameters too"));
  empty_->setForegroundRole(QPalette::PlaceholderText);
  empty_->setWordWrap(true);
  auto* head = new QHBoxLayout;
  head->addWidget(search_, 1);
  head->addWidget(more_);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kTight, kTight);
  page->addLayout(head);
  page->addWidget(hint_);
  page->addWidget(empty_);
  page->addWidget(rows_, 1);
  connect(search_, &QLineEdit::textChanged, this, &ParametersPanel::filter);
  connect(more_, &QToolButton::toggled, this, &ParametersPanel::filter);
  filter();
}

void ParametersPanel::clear() {
  tables_.clear();
  build();
}

void ParametersPanel::set_parameters(const ParameterStore& parameters) {
  if (parameters.tables() != tables_) {
    tables_ = parameters.tables();
    build();
  }
  for (const Section& section : sections_)
    for (ParameterEditor* row : section.editors)
      if (const Result<double> value = parameters.get(row->stage(), row->description().name))
        row->set_value(*value);
}

void ParametersPanel::build() {
  rows_->clear();
  sections_.clear();
  for (const ParameterTable* table : tables_) {
    auto* heading = new QLabel(core_text(table->display_name));
    QFont font = heading->font();
    font.setBold(true);
    heading->setFont(font);
    heading->setContentsMargins(0, kApart, 0, kTight);
    rows_->append(heading);
    Section section{heading, {}};
    for (const ParameterDescription& entry : table->entries) {
      if (entry.choices.size() == 1) continue;  // nothing to choose
      auto* row = new ParameterEditor(table->stage, entry);
      connect(row, &ParameterEditor::edited, this,
              [this, row](double value) { emit edited(row->stage(), row->description().name, value); });
      connect(row, &ParameterEditor::reset_requested, this,
              [this, row] { emit reset_requested(row->stage(), row->description().name); });
      rows_->append(row);
      section.editors.push_back(row);
    }
    sections_.push_back(section);
  }
  filter();
}

void ParametersPanel::set_hint(const QStringList& words, const QString& hint) {
  hint_words_ = words;
  hint_->setText(hint);
  filter();
}

void ParametersPanel::search_for(const QString& words) {
  search_->setText(words);
}

void ParametersPanel::show_expert(bool on) {
  more_->setChecked(on);
}

void ParametersPanel::filter() {
  const QString search = search_->text().trimmed();
  bool any = false;
  for (const Section& section : sections_) {
    bool any_here = false;
    for (ParameterEditor* row : section.editors) {
      const bool level = more_->isChecked() || !search.isEmpty() || !row->description().expert;
      const bool shown = level && row->matches(search);
      row->setVisible(shown);
      any_here = any_here || shown;
    }
    section.heading->setVisible(any_here);
    any = any || any_here;
  }
  const bool hinted = std::any_of(hint_words_.begin(), hint_words_.end(), [&](const QString& word) {
    return search.size() > 2 && search.contains(word, Qt::CaseInsensitive);
  });
  hint_->setVisible(hinted && !tables_.empty());
  empty_->setText(tables_.empty() ? tr("Open a project to change its parameters.")
                                  : tr("No parameter matches."));
  empty_->setVisible(!any && !hint_->isVisibleTo(this));
}

ParameterEditor* ParametersPanel::editor(const std::string& stage, const std::string& name) const {
  for (const Section& section : sections_)
    for (ParameterEditor* row : section.editors)
      if (row->stage() == stage && row->description().name == name) return row;
  return nullptr;
}

namespace {

constexpr int kSliderSteps = 1000;

// Synonyms in searches, one list each.
constexpr const char* kSynonyms[] = {
    "agreement vote consensus carving.threshold",
    "volume hull voxel carving shell",
    "noise sigma grain",
    "shadow dark shade",
    "opening erosion speck morphology",
    "closing dilation hole morphology",
    "background scene absorption learning",
    "person people pedestrian somebody",
    "box detection bounding",
    "joint keypoint pose skeleton",
    "identity id track tracker",
    "lost gap keep occlusion",
    "switch gate rejoin",
    "speed velocity motion",
    "score confidence probability",
    "height tall child",
    "head face",
    "colour color appearance clothes",
    "distance radius",
};

// Including the word itself.
QStringList synonyms_of(const QString& word) {
  QStringList meant = {word};
  if (word.size() < 2) return meant;
  for (const char* list : kSynonyms) {
    const QStringList words = QString::fromLatin1(list).split(' ');
    if (!words.contains(word, Qt::CaseInsensitive)) continue;
    for (const QString& one : words)
      if (one.size() > 2) meant += one;  // "id" is part of too many words
  }
  return meant;
}

// Digits that resolve a thousandth of the range (or, on a logarithmic scale, of the minimum).
int decimals_for(const ParameterDescription& d) {
  if (d.type == ParameterType::integer) return 0;
  const double finest = d.logarithmic && d.minimum > 0 ? d.minimum : (d.maximum - d.minimum) / 100;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(std::max(finest, 1e-9)))), 1, 8);
}

}  // namespace

ParameterEditor::ParameterEditor(std::string stage, const ParameterDescription& description, QWidget* parent)
    : QWidget(parent),
      stage_(std::move(stage)),
      description_(description),
      value_(description.default_value),
      name_(new QLabel),
      reset_(new QToolButton) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, kTight, 0, kTight);
  rows->setSpacing(kTight);
  auto* head = new QHBoxLayout;
  head->addWidget(name_, 1);
  head->addWidget(reset_);
  rows->addLayout(head);
  auto* body = new QWidget;
  rows->addWidget(body);
  if (description_.type == ParameterType::boolean)
    make_check();
  else if (description_.type == ParameterType::choice)
    make_choice();
  else
    make_number(body);
  if (check_ || choice_) {
    rows->removeWidget(body);
    delete body;
    rows->addWidget(check_ ? static_cast<QWidget*>(check_) : choice_);
  }
  reset_->setAutoRaise(true);
  reset_->setIconSize({14, 14});
  reset_->setFixedSize(22, 20);
  QSizePolicy keeps_room = reset_->sizePolicy();
  keeps_room.setRetainSizeWhenHidden(true);
  reset_->setSizePolicy(keeps_room);
  describe(
      reset_, tr("Reset %1").arg(core_text(description_.display_name)),
      tr("Reset to %1")
          .arg(QString::fromStdString(ParameterStore::to_text(description_, description_.default_value))));
  connect(reset_, &QToolButton::clicked, this, &ParameterEditor::reset_requested);
  setToolTip(tooltip());
  set_value(description_.default_value);
}

QString ParameterEditor::tooltip() const {
  QString text = core_text(description_.help);
  const QString id = QString::fromStdString(stage_ + "." + description_.name);
  text += QStringLiteral("\n") + id;
  if (description_.type == ParameterType::real || description_.type == ParameterType::integer)
    text += tr(", %1 to %2").arg(description_.minimum).arg(description_.maximum);
  if (description_.relearns) text += tr("\nA change makes the stage learn again.");
  return text;
}

void ParameterEditor::make_number(QWidget* row) {
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  slider_ = new QSlider(Qt::Horizontal);
  number_ = new DecimalField;
  layout->addWidget(slider_, 1);
  layout->addWidget(number_);
  const bool whole = description_.type == ParameterType::integer;
  slider_->setRange(0, kSliderSteps);
  number_->setDecimals(decimals_for(description_));
  number_->setRange(description_.minimum, description_.maximum);
  number_->setSingleStep(whole ? 1 : std::pow(10, -std::min(number_->decimals(), 2)));
  number_->setKeyboardTracking(false);
  if (description_.logarithmic) number_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  if (!description_.unit.empty()) number_->setSuffix(" " + core_text(description_.unit));
  number_->setFixedWidth(112);
  const QString name = core_text(description_.display_name);
  slider_->setAccessibleName(name);
  number_->setAccessibleName(name);
  number_->setObjectName(QString::fromStdString(stage_ + "." + description_.name));
  slider_->setFocusPolicy(Qt::TabFocus);
  connect(slider_, &QSlider::valueChanged, this, [this](int position) { edit(slider_value(position)); });
  connect(number_, &QDoubleSpinBox::valueChanged, this, [this](double value) { edit(value); });
}

void ParameterEditor::make_choice() {
  choice_ = new QComboBox(this);
  for (const std::string& choice : description_.choices) choice_->addItem(QString::fromStdString(choice));
  choice_->setAccessibleName(core_text(description_.display_name));
  connect(choice_, &QComboBox::activated, this, [this](int index) { edit(index); });
}

void ParameterEditor::make_check() {
  check_ = new QCheckBox(tr("on"), this);
  check_->setAccessibleName(core_text(description_.display_name));
  connect(check_, &QCheckBox::toggled, this, [this](bool on) { edit(on ? 1 : 0); });
}

int ParameterEditor::slider_position(double value) const {
  const ParameterDescription& d = description_;
  const bool log = d.logarithmic && d.minimum > 0;
  const double share = log ? std::log(value / d.minimum) / std::log(d.maximum / d.minimum)
                           : (value - d.minimum) / (d.maximum - d.minimum);
  return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kSliderSteps));
}

double ParameterEditor::slider_value(int position) const {
  const ParameterDescription& d = description_;
  const double share = static_cast<double>(position) / kSliderSteps;
  const bool log = d.logarithmic && d.minimum > 0;
  const double value =
      log ? d.minimum * std::pow(d.maximum / d.minimum, share) : d.minimum + share * (d.maximum - d.minimum);
  const double grain = std::pow(10, number_->decimals());
  return std::clamp(std::round(value * grain) / grain, d.minimum, d.maximum);
}

void ParameterEditor::edit(double value) {
  if (value == value_) return;
  value_ = value;
  if (number_) {
    const QSignalBlocker quiet_number(number_), quiet_slider(slider_);
    number_->setValue(value);
    if (!slider_->isSliderDown()) slider_->setValue(slider_position(value));
  }
  show_changed();
  emit edited(value);
}

void ParameterEditor::set_value(double value) {
  if (slider_ && slider_->isSliderDown()) return;
  value_ = value;
  if (number_) {
    const QSignalBlocker quiet_number(number_), quiet_slider(slider_);
    number_->setValue(value);
    slider_->setValue(slider_position(value));
  }
  if (choice_) choice_->setCurrentIndex(static_cast<int>(value));
  if (check_) {
    const QSignalBlocker quiet(check_);
    check_->setChecked(value != 0);
  }
  show_changed();
}

void ParameterEditor::show_changed() {
  const bool changed = value_ != description_.default_value;
  const QString name = core_text(description_.display_name);
  QFont font = name_->font();
  font.setBold(changed);
  name_->setFont(font);
  name_->setText(changed ? name + QStringLiteral(" \u2022") : name);
  if (changed && reset_->icon().isNull()) reset_->setIcon(themed_icon("reset", palette()));
  reset_->setVisible(changed);
}

// Every word, or one of its synonyms, in key, name, unit or help.
bool ParameterEditor::matches(const QString& search) const {
  QString all = QString::fromStdString(stage_ + "." + description_.name + " " + description_.display_name +
                                       " " + description_.help + " ") +
                core_text(description_.display_name) + " " + core_text(description_.help);
  for (const std::string& choice : description_.choices) all += " " + QString::fromStdString(choice);
  const QStringList words = search.split(' ', Qt::SkipEmptyParts);
  return std::all_of(words.begin(), words.end(), [&](const QString& word) {
    const QStringList meant = synonyms_of(word);
    return std::any_of(meant.begin(), meant.end(),
                       [&](const QString& one) { return all.contains(one, Qt::CaseInsensitive); });
  });
}

void ParameterEditor::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && !reset_->icon().isNull())
    reset_->setIcon(themed_icon("reset", palette()));
  QWidget::changeEvent(event);
}

}  // namespace vantage::ui
