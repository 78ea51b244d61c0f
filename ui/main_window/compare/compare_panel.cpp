#include "ui/main_window/compare/compare_panel.h"

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPixmap>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <iterator>

#include "core/image/image_files.h"
#include "core/project/variants.h"
#include "core/results/measured_parts.h"
#include "core/results/results_pictures.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr size_t kMaxRows = 2000;

enum class Kinds : uint8_t { all, people, identities, events };

bool is_of(Kinds kinds, DifferenceKind kind) {
  if (kinds == Kinds::all) return true;
  if (kind == DifferenceKind::identity) return kinds == Kinds::identities;
  const bool event = kind == DifferenceKind::event_first || kind == DifferenceKind::event_second;
  return kinds == (event ? Kinds::events : Kinds::people);
}

// The square next to a side's name, as the views have it.
QLabel* side_label(size_t side, QComboBox* field) {
  auto* label = new QLabel(QString(QChar("AB"[side])));
  label->setBuddy(field);
  label->setAlignment(Qt::AlignCenter);
  label->setFixedWidth(24);
  QPalette colors = label->palette();
  colors.setColor(QPalette::Window, QColor(kSideColors[side]));
  colors.setColor(QPalette::WindowText, Qt::black);
  label->setPalette(colors);
  label->setAutoFillBackground(true);
  return label;
}

}  // namespace

ComparePanel::ComparePanel(const ComparePanelActions& actions, QWidget* parent)
    : QWidget(parent),
      sides_{new QComboBox, new QComboBox},
      kinds_(new QComboBox),
      text_(quiet_label()),
      note_(text_label()),
      more_(quiet_label()),
      figures_text_(quiet_label()),
      list_(row_table(tr("Differences"), {tr("Frame"), tr("Difference")}, 1)),
      figures_(row_table(
          tr("Figures of both by ground truth"),
          {tr("Figure"), QStringLiteral("A"), QStringLiteral("B"), tr("B is"), tr("B \u2212 A")}, 4)) {
  setAccessibleName(tr("Compare"));
  auto* runs = new QGridLayout;
  for (size_t side = 0; side < 2; ++side) {
    QComboBox* field = sides_[side];
    describe(field, side == 0 ? tr("Results A") : tr("Results B"),
             side == 0 ? tr("Results that are drawn in blue, with solid lines")
                       : tr("Results that are drawn in orange, with dashed lines"));
    field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field->setMinimumContentsLength(8);
    runs->addWidget(side_label(side, field), static_cast<int>(side), 0);
    runs->addWidget(field, static_cast<int>(side), 1);
    connect(field, &QComboBox::activated, this, &ComparePanel::runs_chosen);
  }
  runs->addWidget(text_button(actions.swap), 0, 2, 2, 1);
  runs->setColumnStretch(1, 1);
  auto* styles = new QHBoxLayout;
  for (QAction* style : actions.styles) styles->addWidget(text_button(style));
  styles->addStretch(1);
  kinds_->addItems({tr("All"), tr("People"), tr("Identities"), tr("Events")});
  describe(kinds_, tr("Kinds of differences"), tr("Which differences are listed and gone to"));
  connect(kinds_, &QComboBox::currentIndexChanged, this, [this] {
    fill_list();
    emit kinds_changed();
  });
  auto* steps = new QHBoxLayout;
  steps->addWidget(text_button(actions.previous));
  steps->addWidget(text_button(actions.next));
  steps->addStretch(1);
  steps->addWidget(kinds_);
  list_->setWordWrap(false);
  connect(list_, &QTableWidget::itemSelectionChanged, this, [this] {
    if (const auto chosen = selected()) emit difference_chosen(*chosen);
  });
  // Back to the one that is selected already.
  connect(list_, &QTableWidget::cellClicked, this,
          [this](int row) { emit difference_chosen(static_cast<size_t>(row)); });
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kTight, kTight);
  page->addLayout(runs);
  page->addLayout(styles);
  page->addWidget(text_);
  page->addWidget(note_);
  auto* pages = new QTabWidget;
  pages->setAccessibleName(tr("Differences and figures"));
  pages->setDocumentMode(true);
  auto* differences = new QWidget;
  auto* rows = new QVBoxLayout(differences);
  rows->setContentsMargins(0, kTight, 0, 0);
  rows->addLayout(steps);
  rows->addWidget(list_, 1);
  rows->addWidget(more_);
  auto* measured = new QWidget;
  auto* lines = new QVBoxLayout(measured);
  lines->setContentsMargins(0, kTight, 0, 0);
  lines->addWidget(figures_, 1);
  lines->addWidget(figures_text_);
  pages->addTab(differences, tr("Differences"));
  pages->addTab(measured, tr("Quality"));
  pages->setTabToolTip(
      1, tr("Which of the two is better by the ground truth drawn here, or that these frames do "
            "not tell them apart"));
  page->addWidget(pages, 1);
  note_->hide();
  clear();
}

void ComparePanel::show_runs(const std::vector<RunName>& runs) {
  const std::array<RunName, 2> before = chosen();
  for (QComboBox* field : sides_) {
    const QSignalBlocker blocked(field);
    field->clear();
    for (const RunName& name : runs) field->addItem(run_text(name), QString::fromStdString(name));
  }
  choose(before);
}

std::array<RunName, 2> ComparePanel::chosen() const {
  return {sides_[0]->currentData().toString().toStdString(),
          sides_[1]->currentData().toString().toStdString()};
}

void ComparePanel::choose(const std::array<RunName, 2>& names) {
  for (size_t side = 0; side < 2; ++side) {
    const int found = sides_[side]->findData(QString::fromStdString(names[side]));
    sides_[side]->setCurrentIndex(found >= 0 ? found
                                             : std::min(static_cast<int>(side), sides_[side]->count() - 1));
  }
  if (sides_[0]->currentIndex() == sides_[1]->currentIndex() && sides_[1]->count() > 1)
    sides_[1]->setCurrentIndex(sides_[0]->currentIndex() == 0 ? 1 : 0);
}

void ComparePanel::show_text(const QString& text) {
  text_->setText(text);
  text_->setVisible(!text.isEmpty());
}

void ComparePanel::show_note(const QString& text) {
  if (text == note()) return;
  note_->setText(text);
  note_->setVisible(!text.isEmpty());
}

void ComparePanel::show_differences(const ComparedRuns& compared,
                                    const std::function<QString(int64_t)>& frame_text) {
  all_ = compared.results.differences;
  for (size_t side = 0; side < 2; ++side) names_[side] = run_text(compared.runs[side].name).toStdString();
  frame_text_ = frame_text;
  fill_list();
}

void ComparePanel::fill_list() {
  const QSignalBlocker blocked(list_);
  const auto kinds = static_cast<Kinds>(std::max(0, kinds_->currentIndex()));
  listed_.clear();
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(listed_),
               [&](const ResultsDifference& one) { return is_of(kinds, one.kind); });
  list_->clearSelection();
  list_->setRowCount(static_cast<int>(std::min(listed_.size(), kMaxRows)));
  for (int row = 0; row < list_->rowCount(); ++row) {
    const ResultsDifference& one = listed_[row];
    const QString words = QString::fromStdString(difference_text(one, names_[0], names_[1]));
    const QString tip = tr("%1: %2, at x %3 m, y %4 m")
                            .arg(frame_text_(one.first_frame), words)
                            .arg(one.x_m, 0, 'f', 2)
                            .arg(one.y_m, 0, 'f', 2);
    fill_row(list_, row, {QString::number(one.first_frame), words}, tip);
  }
  more_->setVisible(listed_.size() > kMaxRows);
  more_->setText(tr("The first %1 of %2 are listed; Next Difference goes through all.")
                     .arg(kMaxRows)
                     .arg(listed_.size()));
}

void ComparePanel::clear() {
  all_.clear();
  fill_list();
  show_figures({}, {});
}

void ComparePanel::show_figures(const std::vector<ComparedFigure>& figures, const QString& words) {
  figures_text_->setText(words);
  const auto number = [](double value) {
    const std::string text = figure_text(value);
    return text.empty() ? QStringLiteral("\u2013") : QString::fromStdString(text);
  };
  figures_->setRowCount(static_cast<int>(figures.size()));
  for (int row = 0; row < figures_->rowCount(); ++row) {
    const ComparedFigure& one = figures[row];
    const FigureInterval& difference = one.difference;
    const QString tip =
        qt_text(one.figure->meaning) + tr("; B \u2212 A: ") +
        QString::fromStdString(figure_text(difference)) +
        (difference.known() ? tr("; blocks of %n frames", nullptr, static_cast<int>(difference.block))
                            : tr("; no interval: %1").arg(QString::fromStdString(difference.why_unknown)));
    const QString unit = one.figure->unit.empty() ? QString() : tr(" (%1)").arg(qt_text(one.figure->unit));
    fill_row(
        figures_, row,
        {qt_text(one.figure->title) + unit, number(one.first), number(one.second),
         qt_text(verdict_text(one.verdict)),
         difference.known() ? QString::fromStdString(figure_text(difference)) : number(difference.value)},
        tip);
  }
}

void ComparePanel::select(std::optional<size_t> difference) {
  const QSignalBlocker blocked(list_);
  if (!difference || *difference >= static_cast<size_t>(list_->rowCount())) return list_->clearSelection();
  list_->selectRow(static_cast<int>(*difference));
  list_->scrollToItem(list_->item(static_cast<int>(*difference), 0));
}

std::optional<size_t> ComparePanel::selected() const {
  const auto rows = list_->selectionModel()->selectedRows();
  if (rows.isEmpty()) return std::nullopt;
  return static_cast<size_t>(rows.front().row());
}

namespace {

QString runs_tr(const char* text) {
  return QCoreApplication::translate("ComparedRuns", text);
}

std::filesystem::path results_of(const Project& project, const RunName& name) {
  return name.empty() ? project.results_folder() : variant_results(project.path, name);
}

// Bit `value` of every pixel of the foreground, as indexed_8; null: not kept.
QImage mask_bits(const std::filesystem::path& file, uint8_t value) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return {};
  HostPool pool;
  const Result<Image> mask = read_png_gray(file, pool);
  if (!mask) return {};
  const ImageView<const uint8_t> from = mask->view<uint8_t>();
  QImage bits(mask->width(), mask->height(), QImage::Format_Indexed8);
  for (int y = 0; y < mask->height(); ++y) {
    uchar* to = bits.scanLine(y);
    for (int x = 0; x < mask->width(); ++x) to[x] = from.at(x, y) >= 128 ? value : 0;
  }
  return bits;
}

ComparedPerson compared_person(const FloorPerson& person, bool differs) {
  return {{person.id, {person.x_m, person.y_m, 0}, person.height_m}, differs};
}

}  // namespace

QString run_text(const RunName& name) {
  return name.empty() ? runs_tr("the project") : QString::fromStdString(name);
}

QString ComparedRun::outdated(const ParameterStore& project) const {
  if (!made_with) return runs_tr("of unknown parameters");
  return parameter_differences(*made_with, variant ? *variant : project).empty() ? QString()
                                                                                 : runs_tr("out of date");
}

RunStamps stamps_of(const Project& project, const std::array<RunName, 2>& names) {
  RunStamps stamps;
  for (size_t side = 0; side < 2; ++side) {
    std::error_code none;
    stamps[side] = std::filesystem::last_write_time(results_of(project, names[side]) / "results.jsonl", none);
  }
  return stamps;
}

Result<ComparedRunsRef> compare_runs(const Project& project, const std::array<RunName, 2>& names,
                                     const StopSource& stop) {
  auto compared = std::make_shared<ComparedRuns>();
  for (size_t side = 0; side < 2; ++side) {
    ComparedRun& run = compared->runs[side];
    run.name = names[side], run.folder = results_of(project, names[side]);
    if (!run.name.empty()) {
      VANTAGE_ASSIGN(Variant variant, read_variant(project.path, run.name, default_parameters()));
      run.variant = std::move(variant.parameters);
    }
    if (auto of = parameters_of_results(run.folder, default_parameters()))
      run.made_with = std::move(of->parameters);
    std::error_code none;
    run.masks = std::filesystem::exists(run.folder / "masks", none);
  }
  CompareResultsOptions options;
  options.project = &project, options.stop = stop;
  VANTAGE_ASSIGN(compared->results,
                 compare_results(compared->runs[0].folder, compared->runs[1].folder, options));
  return ComparedRunsRef(std::move(compared));
}

Result<std::vector<ComparedFigure>> measure_runs(const Project& project,
                                                 const std::array<RunName, 2>& names) {
  return compare_by_truth(results_of(project, names[0]), results_of(project, names[1]),
                          ground_truth_of(project.truth));
}

MarkedComparison marks_of_value(const ComparedValue& value, const std::vector<FloorPerson>& now,
                                int64_t frame) {
  MarkedComparison marked;
  const std::optional<std::vector<FloorPerson>> then = value.people(frame);
  marked.project = true;
  marked.sides[0].name = runs_tr("A: as it is now");
  marked.sides[1].name = QStringLiteral("B: %1").arg(value.name);
  marked.sides[1].known = then.has_value();
  if (!then) marked.sides[1].name += runs_tr(", \u25b2 not swept here");
  for (const PersonOfTwo& one : compare_people(now, then.value_or(std::vector<FloorPerson>()), {})) {
    // No one differs where nothing is known of the value.
    if (one.first) marked.sides[0].people.push_back(compared_person(*one.first, then && one.differs));
    if (one.second) marked.sides[1].people.push_back(compared_person(*one.second, one.differs));
  }
  return marked;
}

MarkedComparison marks_of_frame(const ComparedRuns& compared, int64_t frame, const ParameterStore& project) {
  MarkedComparison marked;
  const auto found = compared.results.by_frame.find(frame);
  const FrameOfTwo now = found == compared.results.by_frame.end() ? FrameOfTwo() : found->second;
  for (size_t side = 0; side < 2; ++side) {
    const ComparedRun& run = compared.runs[side];
    QString& name = marked.sides[side].name;
    name = QStringLiteral("%1: %2").arg(QChar("AB"[side])).arg(run_text(run.name));
    marked.sides[side].known = side == 0 ? now.first : now.second;
    if (!marked.sides[side].known) name += runs_tr(", \u25b2 no data here");
    if (const QString outdated = run.outdated(project); !outdated.isEmpty())
      name += QStringLiteral(", \u25b2 ") + outdated;
    marked.project |= run.name.empty();
  }
  for (const PersonOfTwo& one : now.people) {
    if (one.first) marked.sides[0].people.push_back(compared_person(*one.first, one.differs));
    if (one.second) marked.sides[1].people.push_back(compared_person(*one.second, one.differs));
  }
  return marked;
}

std::vector<ComparedMasks> masks_of_frame(const ComparedRuns& compared,
                                          const std::vector<std::string>& cameras, int64_t frame,
                                          const StopSource& stop) {
  std::vector<ComparedMasks> all;
  for (const std::string& camera : cameras) {
    if (stop.stop_requested()) return {};
    std::array<QImage, 2> masks;
    for (size_t side = 0; side < 2; ++side)
      masks[side] = mask_bits(compared.runs[side].folder / "masks" / camera / frame_file_name(frame, "png"),
                              side == 0 ? 1 : 2);
    all.push_back(tint_masks(masks));
  }
  return all;
}

}  // namespace vantage::ui
