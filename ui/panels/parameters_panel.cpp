#include "ui/panels/parameters_panel.h"

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/parameter_editor.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/scroll_list.h"

namespace vantage::ui {
namespace {

constexpr int kRowSpacing = 6;

}  // namespace

ParametersPanel::ParametersPanel(QWidget* parent)
    : QWidget(parent),
      search_(new QLineEdit),
      more_(new QToolButton),
      empty_(new QLabel),
      hint_(text_label()),
      rows_(new ScrollList(kRowSpacing)) {
  setAccessibleName(tr("Parameters"));
  search_->setPlaceholderText(tr("Search parameters"));
  search_->setAccessibleName(tr("Search parameters"));
  search_->setClearButtonEnabled(true);
  more_->setText(tr("More"));
  more_->setCheckable(true);
  more_->setToolTip(tr("Show the expert parameters too"));
  more_->setAccessibleName(tr("More parameters"));
  empty_->setForegroundRole(QPalette::PlaceholderText);
  empty_->setWordWrap(true);
  auto* head = new QHBoxLayout;
  head->addWidget(search_, 1);
  head->addWidget(more_);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(8, 8, 4, 4);
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
    auto* heading = new QLabel(QString::fromStdString(table->display_name));
    QFont font = heading->font();
    font.setPointSizeF(font.pointSizeF() * 1.15);
    heading->setFont(font);
    heading->setContentsMargins(0, 10, 0, 2);
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

}  // namespace vantage::ui
