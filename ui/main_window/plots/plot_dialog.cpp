#include "ui/main_window/plots/plot_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/widgets/form.h"
#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

constexpr int kPlotListHeight = 240, kPlotDialogWidth = 600;

}  // namespace

PlotDialog::PlotDialog(const QString& title, const std::vector<std::string>& figures, NameOf name_of,
                       const PlotSpec& spec, QWidget* parent)
    : QDialog(parent),
      name_of_(std::move(name_of)),
      list_(described(
          new QListWidget, tr("Figures"),
          tr("Space, or a click on the box, chooses a figure; in a scatter plot the first lies along "
             "x"))),
      shown_(quiet_label()),
      problem_(text_label()),
      in_range_(described(new QCheckBox(tr("Only the marked &range")), tr("Only the marked range"),
                          tr("Only frames between I and O count; all where no range is marked"))),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)),
      chosen_(spec.figures) {
  setWindowTitle(title);
  auto* form = new Form;
  kind_ =
      form->add_choice(tr("&Kind"), tr("Over time, how often each value occurs, or one figure over another"));
  for (const ScalarPlotKind kind : kScalarPlotKinds) kind_->addItem(plot_kind_text(kind));
  kind_->setCurrentIndex(static_cast<int>(spec.kind));
  search_ = form->add_line(tr("&Search"), tr("Shows the figures that have all these words"));
  search_->setClearButtonEnabled(true);
  search_->setPlaceholderText(tr("Part of a name or of what it means"));
  list_->setMinimumHeight(kPlotListHeight);
  form->addRow(list_);
  form->addRow(shown_);
  shown_->setAccessibleName(tr("Chosen figures"));
  problem_->setAccessibleName(tr("What is missing"));
  bins_ = form->add(tr("&Bins"), tr("Number of bins of a histogram; 0: by the number of values"),
                    number_field(0, kMaxBins, spec.bins));
  bins_->setSpecialValueText(tr("by the number of values"));
  in_range_->setChecked(spec.in_range);
  form->addRow(in_range_);
  buttons_->button(QDialogButtonBox::Ok)->setText(tr("&Plot"));
  buttons_->button(QDialogButtonBox::Ok)->setToolTip(tr("Draw it in the Plots dock"));
  auto* page = new QVBoxLayout(this);
  page->addLayout(form);
  page->addWidget(problem_);
  page->addWidget(buttons_);
  resize(kPlotDialogWidth, sizeHint().height());
  connect(kind_, &QComboBox::currentIndexChanged, this, &PlotDialog::update_state);
  connect(search_, &QLineEdit::textChanged, this, &PlotDialog::search);
  connect(list_, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) { take(*item); });
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons_, &QDialogButtonBox::accepted, this, [this] {
    if (!problem().isEmpty()) return;
    emit accepted_with(this->spec());
    accept();
  });
  search_->setFocus();
  offer(figures);
  update_state();
}

void PlotDialog::offer(const std::vector<std::string>& figures) {
  if (figures == offered_) return;
  offered_ = figures;
  const QSignalBlocker blocked(list_);
  const QListWidgetItem* current = list_->currentItem();
  const QString before = current ? current->data(Qt::UserRole).toString() : QString();
  list_->clear();
  for (const std::string& figure : figures) add_figure(figure);
  for (const std::string& figure : chosen_)
    if (std::ranges::find(figures, figure) == figures.end()) add_figure(figure);
  for (int row = 0; row < list_->count(); ++row)
    if (list_->item(row)->data(Qt::UserRole).toString() == before) list_->setCurrentRow(row);
  search();
}

void PlotDialog::add_figure(const std::string& figure) {
  const auto kind = scalar_kind(figure);
  QString words = QString::fromStdString(figure);
  if (kind && (*kind)->of == ScalarOf::person)
    if (const QString name = name_of_(words.section(':', 1).toLongLong()); !name.isEmpty())
      words += QStringLiteral(" (%1)").arg(name);
  QString meaning;
  if (kind) {
    meaning = QString::fromUtf8((*kind)->meaning.data(), static_cast<qsizetype>((*kind)->meaning.size()));
    if (!(*kind)->unit.empty())
      meaning += QStringLiteral(", ") +
                 QString::fromUtf8((*kind)->unit.data(), static_cast<qsizetype>((*kind)->unit.size()));
    words += QStringLiteral(": ") + meaning;
  }
  add_ticked(list_, words, std::ranges::find(chosen_, figure) != chosen_.end(),
             QString::fromStdString(figure));
  list_->item(list_->count() - 1)->setToolTip(words);
}

// Chosen figures stay in the list.
void PlotDialog::search() {
  const QStringList words = search_->text().split(' ', Qt::SkipEmptyParts);
  for (int row = 0; row < list_->count(); ++row) {
    QListWidgetItem* item = list_->item(row);
    const bool fits = std::ranges::all_of(
        words, [&](const QString& word) { return item->text().contains(word, Qt::CaseInsensitive); });
    item->setHidden(!fits && item->checkState() != Qt::Checked);
  }
}

void PlotDialog::take(const QListWidgetItem& item) {
  const std::string figure = item.data(Qt::UserRole).toString().toStdString();
  std::erase(chosen_, figure);
  if (item.checkState() == Qt::Checked) chosen_.push_back(figure);
  update_state();
}

PlotSpec PlotDialog::spec() const {
  PlotSpec spec;
  spec.kind = kScalarPlotKinds[kind_->currentIndex()];
  spec.figures = chosen_;
  if (spec.kind == ScalarPlotKind::histogram) spec.bins = bins_->value();
  if (spec.kind != ScalarPlotKind::time) spec.in_range = in_range_->isChecked();
  return spec;
}

QString PlotDialog::problem() const {
  return why_no_plot(spec());
}

void PlotDialog::update_state() {
  const ScalarPlotKind kind = spec().kind;
  bins_->setEnabled(kind == ScalarPlotKind::histogram);
  in_range_->setEnabled(kind != ScalarPlotKind::time);
  QStringList names;
  for (const std::string& figure : chosen_) names << QString::fromStdString(figure);
  shown_->setText(names.isEmpty() ? tr("Nothing is chosen.")
                  : kind == ScalarPlotKind::scatter && names.size() == 2
                      ? tr("Chosen: %1 along x, %2 along y").arg(names[0], names[1])
                      : tr("Chosen: %1").arg(names.join(QStringLiteral(", "))));
  problem_->setText(problem());
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(problem().isEmpty());
}

}  // namespace vantage::ui
