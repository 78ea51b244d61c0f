#include "ui/main_window/variants/variants_control.h"

#include <QAction>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <cctype>
#include <utility>

#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

ShownVariant shown_variant(const std::filesystem::path& project, Variant variant) {
  const std::filesystem::path folder = variant_results(project, variant.name);
  ShownVariant shown{std::move(variant), std::nullopt, false};
  const Result<ParametersOfResults> of = parameters_of_results(folder, default_parameters());
  if (!of) return shown;  // nothing is kept under its name
  shown.frames = of->frames;
  shown.results_current = parameter_differences(of->parameters, shown.variant.parameters).empty();
  return shown;
}

// A name that a variant can have, of a folder's.
std::string name_of_folder(const QString& folder) {
  std::string name = std::filesystem::path(folder.toStdString()).stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != '_') c = ' ';
  return name.substr(0, 60);
}

}  // namespace

VariantsControl::VariantsControl(const WindowParts& parts) : Control(parts) {
  const auto stored = [this] {
    return Need{has_file(), tr("Save the project first: variants are stored next to it.")};
  };
  const auto saved = [stored] { return unmet({stored()}); };
  const auto chosen = [this, stored] {
    return unmet({stored(), {panel_->chosen() != nullptr, tr("Choose a variant first.")}});
  };
  QAction* keep = add_action(
      {"keep_variant", "&Keep as Variant", "Shift+F6",
       "Keep the parameters in use under the name that is typed", false, "Keep"},
      {Menu::edit, nullptr, true}, [this] { this->keep(); }, saved);
  QAction* keep_results = add_action(
      {"keep_results", "Keep Resu&lts", "Ctrl+F2",
       "Keep the project's results, with the parameters that they were made with, under the name that is "
       "typed: the next analysis leaves them alone, and can be compared with them",
       false, "Keep Results"},
      {Menu::edit, "keep_variant"}, [this] { keep_with_results(); },
      [this, stored] {
        return unmet({stored(),
                      {state().tracks() && !state().tracks()->frames.empty(), tr("Analyse first.")},
                      idle()});
      });
  QAction* use = add_action(
      {"use_variant", "&Use Variant", "Ctrl+Shift+F6",
       "Give the project the chosen variant's parameters; can be undone", false, "Use"},
      {Menu::edit, "keep_variant"}, [this] { this->use(); }, chosen);
  QAction* of_results = add_action(
      {"variant_of_results", "Variant of &Results\u2026", "Ctrl+Shift+F2",
       "Keep the parameters that old results were made with", false, "Of Results\u2026"},
      {Menu::edit, "use_variant"}, [this] { ask_for_results(); }, saved);
  QAction* remove = add_action(
      {"remove_variant", "Re&move Variant\u2026", "Ctrl+Shift+F3",
       "Remove the chosen variant, and the results kept under its name", false, "Remove\u2026"},
      {Menu::edit, "variant_of_results"}, [this] { ask_to_remove(); }, chosen);
  panel_ = new VariantsPanel({keep, keep_results, use, of_results, remove});
  add_dock({"variants_dock", "&Variants", "Ctrl+F6", "Show the variants of the parameters"}, "parameters",
           tr("Variants"), panel_);
  connect(panel_, &VariantsPanel::chosen_changed, this, &VariantsControl::update_availability);
}

void VariantsControl::refresh(Changes what) {
  if (!what.testFlag(Change::project)) return;
  if (!state().open()) return;
  panel_->show_in_use(project().parameters);
  if (what.testFlag(Change::other_project)) read_list();
}

void VariantsControl::forget() {
  job_.stop();
  panel_->clear();
}

bool VariantsControl::has_name() {
  if (!panel_->name().isEmpty()) return true;
  emit dock_wanted();
  panel_->focus_name();
  panel_->show_text(tr("Type a name first."));
  return false;
}

void VariantsControl::keep() {
  if (!has_name()) return;
  const Variant variant{panel_->name().toStdString(), {}, "the project", {}, project().parameters};
  change([variant](const std::filesystem::path& to) { return write_variant(to, variant, false); },
         panel_->name());
}

void VariantsControl::keep_with_results() {
  if (!has_name()) return;
  panel_->show_text(tr("Copying the results \u2026"));
  change(
      [name = panel_->name().toStdString(),
       from = project().results_folder()](const std::filesystem::path& to) {
        return vantage::keep_results(to, name, from, default_parameters());
      },
      panel_->name());
}

void VariantsControl::ask_for_results() {
  const QString folder = QFileDialog::getExistingDirectory(
      panel_, tr("Variant of Results"), QString::fromStdString(project().path.parent_path().string()));
  if (!folder.isEmpty()) keep_results(folder);
}

void VariantsControl::keep_results(const QString& folder) {
  const std::string typed = panel_->name().toStdString();
  const std::string name = typed.empty() ? name_of_folder(folder) : typed;
  change(
      [name, from = std::filesystem::path(folder.toStdString())](const std::filesystem::path& to) -> Status {
        VANTAGE_ASSIGN(const ParametersOfResults of, parameters_of_results(from, default_parameters()));
        return write_variant(
            to, {name, {}, from.filename().string() + " of version " + of.version, {}, of.parameters}, false);
      },
      QString::fromStdString(name));
}

void VariantsControl::use() {
  const ShownVariant* shown = panel_->chosen();
  if (!shown) return;
  post(command::Edit{
      "variant " + shown->variant.name,
      [parameters = shown->variant.parameters](Project& project) { project.parameters = parameters; }});
}

void VariantsControl::ask_to_remove() {
  const ShownVariant* shown = panel_->chosen();
  if (!shown) return;
  const std::string name = shown->variant.name;
  const QString question =
      tr("Remove the variant %1%2? This cannot be undone.")
          .arg(QString::fromStdString(name),
               shown->frames ? tr(" with its results of %n frames", nullptr, static_cast<int>(*shown->frames))
                             : QString());
  if (QMessageBox::question(panel_, tr("Remove Variant"), question) != QMessageBox::Yes) return;
  change([name](const std::filesystem::path& from) { return remove_variant(from, name); }, {});
}

void VariantsControl::change(const std::function<Status(const std::filesystem::path& project)>& work,
                             const QString& name) {
  if (!has_file()) return;
  job_.start([this, work, name, file = project().path](const StopSource&) -> BackgroundJob::Deliver {
    const Status done = work ? work(file) : Status();
    StoredVariants stored = read_variants(file, default_parameters());
    auto shown = std::make_shared<std::vector<ShownVariant>>();
    for (Variant& variant : stored.variants) shown->push_back(shown_variant(file, std::move(variant)));
    return [this, done, shown, damaged = std::move(stored.damaged), name] {
      if (!done) return panel_->show_text(QString::fromStdString(done.error().message()));
      show(*shown, damaged, name);
    };
  });
}

void VariantsControl::show(const std::vector<ShownVariant>& variants, const std::vector<Error>& damaged,
                           const QString& name) {
  panel_->show_variants(variants);
  emit listed(variants);
  if (!name.isEmpty()) {
    panel_->choose(name);
    panel_->clear_name();
  }
  if (!damaged.empty()) panel_->show_text(QString::fromStdString(damaged.front().message()));
  update_availability();
}

namespace {

QString origin_text(const Variant& variant) {
  return VariantsPanel::tr("Made %1 of %2, by version %3")
      .arg(QString::fromStdString(variant.made_utc), QString::fromStdString(variant.origin),
           QString::fromStdString(variant.version));
}

QString frames_text(const ShownVariant& shown) {
  if (!shown.frames) return QStringLiteral("\u2013");
  const QString frames = VariantsPanel::tr("%n frames", nullptr, static_cast<int>(*shown.frames));
  return shown.results_current ? frames : VariantsPanel::tr("%1, out of date").arg(frames);
}

QString value_text(const ParameterDifference& one, double value) {
  return QString::fromStdString(ParameterStore::to_text(*one.description, value));
}

}  // namespace

VariantsPanel::VariantsPanel(const std::vector<QAction*>& commands, QWidget* parent)
    : QWidget(parent),
      name_(new QLineEdit),
      list_(row_table(tr("Variants"), {tr("variant"), tr("differs"), tr("results")}, 0)),
      differences_(row_table(tr("Parameters of the chosen variant that differ from those in use"),
                             {tr("parameter"), tr("variant"), tr("in use"), tr("unit")}, 0)),
      words_(quiet_label()),
      difference_words_(quiet_label()) {
  setAccessibleName(tr("Variants"));
  name_->setPlaceholderText(tr("Name of a new variant"));
  describe(name_, tr("Name of a new variant"), tr("Letters, digits, spaces, dots, - and _"));
  name_->setMaxLength(60);
  list_->horizontalHeaderItem(1)->setToolTip(tr("In how many parameters it differs from those in use"));
  list_->horizontalHeaderItem(2)->setToolTip(
      tr("Results kept under its name, by Keep Results or by a run with it"));
  auto* above = new QWidget;
  auto* rows = new QVBoxLayout(above);
  rows->setContentsMargins(0, 0, 0, 0);
  auto* head = new QHBoxLayout;
  head->addWidget(name_, 1);
  rows->addLayout(head);
  auto* buttons = new QHBoxLayout;
  for (size_t i = 0; i < commands.size(); ++i) (i == 0 ? head : buttons)->addWidget(text_button(commands[i]));
  buttons->addStretch(1);
  rows->addWidget(list_, 1);
  rows->addWidget(words_);
  rows->addLayout(buttons);
  auto* below = new QWidget;
  auto* table = new QVBoxLayout(below);
  table->setContentsMargins(0, 0, 0, 0);
  table->addWidget(difference_words_);
  table->addWidget(differences_, 1);
  auto* split = new QSplitter(Qt::Vertical);
  split->addWidget(above);
  split->addWidget(below);
  split->setChildrenCollapsible(false);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kTight, kTight);
  page->addWidget(split, 1);
  connect(list_, &QTableWidget::itemSelectionChanged, this, [this] {
    fill_differences();
    emit chosen_changed();
  });
  connect(name_, &QLineEdit::textChanged, this, &VariantsPanel::chosen_changed);
  if (!commands.empty()) connect(name_, &QLineEdit::returnPressed, commands.front(), &QAction::trigger);
  clear();
}

void VariantsPanel::show_variants(std::vector<ShownVariant> variants) {
  const QString before = chosen() ? QString::fromStdString(chosen()->variant.name) : QString();
  variants_ = std::move(variants);
  fill_list();
  choose(before);
  show_text(variants_.empty() ? tr("No variants yet. Keep the parameters in use under a name, to come back "
                                   "to them or to compare.")
                              : QString());
}

void VariantsPanel::show_in_use(const ParameterStore& parameters) {
  in_use_ = parameters;
  for (int row = 0; row < list_->rowCount(); ++row) {
    const auto count = parameter_differences(variants_[row].variant.parameters, in_use_).size();
    list_->item(row, 1)->setText(count == 0 ? tr("in use") : QString::number(count));
  }
  fill_differences();
}

void VariantsPanel::fill_list() {
  const QSignalBlocker blocked(list_);
  list_->clearSelection();
  list_->setRowCount(static_cast<int>(variants_.size()));
  for (int row = 0; row < list_->rowCount(); ++row) {
    const ShownVariant& shown = variants_[row];
    const QString tip = origin_text(shown.variant);
    fill_row(list_, row, {QString::fromStdString(shown.variant.name), {}, frames_text(shown)}, tip);
  }
  show_in_use(in_use_);
}

void VariantsPanel::fill_differences() {
  const ShownVariant* shown = chosen();
  const auto differences =
      shown ? parameter_differences(shown->variant.parameters, in_use_) : std::vector<ParameterDifference>();
  differences_->setRowCount(static_cast<int>(differences.size()));
  for (int row = 0; row < differences_->rowCount(); ++row) {
    const ParameterDifference& one = differences[row];
    const QString tip = QString::fromStdString(one.description->help);
    fill_row(differences_, row,
             {QString::fromStdString(one.key()), value_text(one, one.first), value_text(one, one.second),
              core_text(one.description->unit)},
             tip);
  }
  difference_words_->setText(!shown ? tr("Choose a variant to see how it differs.")
                             : differences.empty()
                                 ? tr("%1 is in use.").arg(QString::fromStdString(shown->variant.name))
                                 : origin_text(shown->variant));
}

void VariantsPanel::show_text(const QString& words) {
  words_->setText(words);
  words_->setVisible(!words.isEmpty());
}

void VariantsPanel::clear() {
  variants_.clear();
  fill_list();
  fill_differences();
  show_text(tr("Open a project to keep variants of its parameters."));
}

void VariantsPanel::choose(const QString& name) {
  for (int row = 0; row < list_->rowCount(); ++row)
    if (list_->item(row, 0)->text() == name) return list_->selectRow(row);
  list_->clearSelection();
  fill_differences();
}

const ShownVariant* VariantsPanel::chosen() const {
  const auto rows = list_->selectionModel()->selectedRows();
  if (rows.isEmpty() || static_cast<size_t>(rows.front().row()) >= variants_.size()) return nullptr;
  return &variants_[rows.front().row()];
}

QString VariantsPanel::name() const {
  return name_->text().trimmed();
}

void VariantsPanel::clear_name() {
  name_->clear();
}

void VariantsPanel::focus_name() {
  name_->setFocus();
}

}  // namespace vantage::ui
