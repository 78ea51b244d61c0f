#include "ui/main_window/find/find_panel.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QPixmap>
#include <QResizeEvent>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "ui/widgets/panel_parts.h"

namespace vantage::ui {
namespace {

constexpr double kMaxSeconds = 86'400, kMaxHeight_m = 3, kMaxDistance_m = 50, kMinDistance_m = 0.1;

std::optional<double> value_of(const QDoubleSpinBox& box) {
  return box.value() > box.minimum() ? std::optional(box.value()) : std::nullopt;
}

}  // namespace

FindPanel::FindPanel(const std::vector<QAction*>& commands, QWidget* parent)
    : QWidget(parent), form_(new QFormLayout), summary_(text_label()), list_(new FoundList) {
  setAccessibleName(tr("Find"));
  form_->setHorizontalSpacing(10);
  form_->setVerticalSpacing(4);
  kind_ = add(tr("Who"), tr("What everybody's tracks are searched for"), new QComboBox);
  kind_->addItems({tr("was there"), tr("was in a place"), tr("crossed a line"), tr("met a person")});
  add_place();
  way_ = add(tr("Which way"), tr("As seen looking from the line's first end to its second"), new QComboBox);
  way_->addItems({tr("either way"), tr("to the left"), tr("to the right")});
  closer_ = add_number(tr("Closer than"), tr("Both are closer than this on the floor, in metres"),
                       kMaxDistance_m, tr(" m"), {});
  closer_->setMinimum(kMinDistance_m);
  closer_->setValue(1);
  from_ = add_line(tr("From"), {}, tr("the beginning"));
  to_ = add_line(tr("To"), {}, tr("the end"));
  longer_ = add_number(tr("At least"), tr("It lasts at least this long, in seconds"), kMaxSeconds, tr(" s"),
                       tr("any time"));
  taller_ = add_number(tr("Taller than"), tr("People taller than this, in metres, by the median of a track"),
                       kMaxHeight_m, tr(" m"), tr("any height"));
  shorter_ =
      add_number(tr("Shorter than"), tr("People shorter than this, in metres, by the median of a track"),
                 kMaxHeight_m, tr(" m"), tr("any height"));
  people_ = add_line(tr("Person"), tr("Only these: names or IDs, with commas between, as in Anna, 7"),
                     tr("anybody"));
  auto* foot = new QHBoxLayout;
  foot->addStretch(1);
  for (QAction* command : commands) foot->addWidget(text_button(command));
  summary_->setAccessibleName(tr("How many were found"));
  summary_->setMinimumHeight(fontMetrics().lineSpacing());
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(8, 8, 8, 8);
  page->addLayout(form_);
  page->addWidget(list_, 1);
  page->addWidget(summary_);
  page->addLayout(foot);
  show_moment_hint({});
  // Before it is asked: places are of the kind.
  connect(kind_, &QComboBox::currentIndexChanged, this, &FindPanel::show_kind);
  for (QComboBox* box : {kind_, place_, way_})
    connect(box, &QComboBox::currentIndexChanged, this, &FindPanel::asked);
  for (QDoubleSpinBox* box : {closer_, longer_, taller_, shorter_})
    connect(box, &QDoubleSpinBox::valueChanged, this, &FindPanel::asked);
  for (QLineEdit* line : {from_, to_, people_})
    connect(line, &QLineEdit::textChanged, this, &FindPanel::asked);
  show_kind();
}

template <typename Field>
Field* FindPanel::add(const QString& name, const QString& tip, Field* field) {
  add_field(form_, name, tip, field);
  return field;
}

QLineEdit* FindPanel::add_line(const QString& name, const QString& tip, const QString& empty) {
  auto* line = add(name, tip, new QLineEdit);
  line->setPlaceholderText(empty);
  line->setClearButtonEnabled(true);
  return line;
}

QDoubleSpinBox* FindPanel::add_number(const QString& name, const QString& tip, double highest,
                                      const QString& unit, const QString& none) {
  auto* box = add(name, tip, new QDoubleSpinBox);
  box->setRange(0, highest);
  box->setDecimals(unit.contains('s') ? 1 : 2);
  box->setSingleStep(unit.contains('s') ? 1 : 0.05);
  box->setSuffix(unit);
  if (!none.isEmpty()) box->setSpecialValueText(none);
  return box;
}

void FindPanel::add_place() {
  place_ = new QComboBox;
  draw_ = new QToolButton;
  draw_->setText(tr("Draw"));
  draw_->setAccessibleName(tr("Draw the place"));
  draw_->setToolTip(
      tr("Draw it in any view or on the plan: click its corners; Return or a double-click ends it, Esc "
         "cancels"));
  place_row_ = new QWidget;
  auto* row = new QHBoxLayout(place_row_);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(place_, 1);
  row->addWidget(draw_);
  place_row_->setFocusProxy(place_);
  add(tr("Where"), tr("A zone or line of the project, or one that is drawn for this search alone"),
      place_row_);
  place_->setAccessibleName(tr("Where"));
  connect(draw_, &QToolButton::clicked, this,
          [this] { emit draw_wanted(kind_->currentIndex() == static_cast<int>(FindKind::visits)); });
}

void FindPanel::show_kind() {
  const auto kind = static_cast<FindKind>(kind_->currentIndex());
  form_->setRowVisible(place_row_, kind == FindKind::visits || kind == FindKind::crossings);
  form_->setRowVisible(way_, kind == FindKind::crossings);
  form_->setRowVisible(closer_, kind == FindKind::meetings);
  fill_places();
}

// The first one where what was chosen is not there.
void FindPanel::fill_places() {
  const bool zone = kind_->currentIndex() == static_cast<int>(FindKind::visits);
  const QString before = place_->currentText();
  const QSignalBlocker quiet(place_);
  place_->clear();
  for (const std::string& name : zone ? zones_ : lines_)
    place_->addItem(QString::fromStdString(name), QString::fromStdString(name));
  if (zone ? drawn_zone_ : drawn_line_) place_->addItem(tr("drawn here"), QString());
  place_->setPlaceholderText(zone ? tr("draw a zone") : tr("draw a line"));
  const int same = place_->findText(before);
  place_->setCurrentIndex(same >= 0 ? same : place_->count() > 0 ? 0 : -1);
}

void FindPanel::show_places(const std::vector<std::string>& zones, const std::vector<std::string>& lines) {
  zones_ = zones, lines_ = lines;
  fill_places();
}

void FindPanel::set_drawn(bool zone, bool there) {
  (zone ? drawn_zone_ : drawn_line_) = there;
  fill_places();
  const bool shown = zone == (kind_->currentIndex() == static_cast<int>(FindKind::visits));
  const QSignalBlocker quiet(place_);
  if (there && shown) place_->setCurrentIndex(place_->count() - 1);
}

void FindPanel::show_moment_hint(const QString& hint) {
  const QString tip = hint.isEmpty() ? QString() : tr(".\nCan be typed: %1").arg(hint);
  from_->setToolTip(tr("It ends at this time or later") + tip);
  to_->setToolTip(tr("It begins at this time or earlier") + tip);
}

void FindPanel::show_found(std::vector<FoundRow> rows, bool pictured, const QString& words) {
  list_->set_rows(std::move(rows), pictured);
  summary_->setText(words);
}

void FindPanel::show_problem(const QString& problem) {
  list_->set_rows({}, false);
  summary_->setText(problem);
}

void FindPanel::focus_first() {
  kind_->setFocus(Qt::ShortcutFocusReason);
}

QString FindPanel::summary() const {
  return summary_->text();
}

TypedQuestion FindPanel::typed() const {
  TypedQuestion typed;
  typed.kind = static_cast<FindKind>(kind_->currentIndex());
  typed.place = place_->currentData().toString().toStdString();
  typed.way = static_cast<CrossingWay>(way_->currentIndex());
  typed.closer_m = closer_->value();
  typed.longer_s = longer_->value();
  typed.taller_m = value_of(*taller_), typed.shorter_m = value_of(*shorter_);
  typed.from = from_->text().trimmed(), typed.to = to_->text().trimmed();
  typed.people = people_->text();
  return typed;
}

// Times and people belong to one recording, and are not kept.
void FindPanel::restore(const QSettings& settings) {
  kind_->setCurrentIndex(std::clamp(settings.value("find/kind", 0).toInt(), 0, kind_->count() - 1));
  closer_->setValue(settings.value("find/closer_m", 1).toDouble());
  longer_->setValue(settings.value("find/longer_s", 0).toDouble());
  taller_->setValue(settings.value("find/taller_m", 0).toDouble());
  shorter_->setValue(settings.value("find/shorter_m", 0).toDouble());
}

void FindPanel::save(QSettings& settings) const {
  settings.setValue("find/kind", kind_->currentIndex());
  settings.setValue("find/closer_m", closer_->value());
  settings.setValue("find/longer_s", longer_->value());
  settings.setValue("find/taller_m", taller_->value());
  settings.setValue("find/shorter_m", shorter_->value());
}

namespace {

constexpr QSize kPicture(56, 42);

}  // namespace

FoundModel::FoundModel(QObject* parent)
    : QAbstractTableModel(parent),
      columns_{{{tr("Time"), tr("When it begins")},
                {tr("Who"), tr("Person, by name or ID")},
                {tr("Length"), tr("How long it lasts, in seconds")},
                {tr("Where"), tr("On the floor when it begins, in metres")}}} {}

void FoundModel::set_rows(std::vector<FoundRow> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

void FoundModel::set_picture(int row, const QImage& picture) {
  if (row < 0 || row >= rowCount()) return;
  rows_[static_cast<size_t>(row)].picture =
      picture.scaled(2 * kPicture, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  emit dataChanged(index(row, kTime), index(row, kTime), {Qt::DecorationRole});
}

int FoundModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int FoundModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant FoundModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const FoundRow& row = rows_[static_cast<size_t>(index.row())];
  const std::array<const QString*, kColumns> texts = {&row.time, &row.who, &row.length, &row.where};
  switch (role) {
    case Qt::DisplayRole:
      return *texts[static_cast<size_t>(index.column())];
    case Qt::ToolTipRole:
      return row.tip;
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1, %2, %3, %4")
          .arg(row.time, row.who, row.length, row.where)
          .replace('\n', ' ');
    case Qt::DecorationRole:
      return index.column() == kTime && !row.picture.isNull()
                 ? QVariant(QIcon(QPixmap::fromImage(row.picture)))
                 : QVariant();
    case Qt::TextAlignmentRole:
      return index.column() == kLength ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
      return {};
  }
}

QVariant FoundModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  const FoundColumn& column = columns_[static_cast<size_t>(section)];
  if (role == Qt::DisplayRole) return column.name;
  if (role == Qt::ToolTipRole) return column.tip;
  return {};
}

FoundList::FoundList(QWidget* parent) : QTableView(parent), model_(new FoundModel(this)) {
  setModel(model_);
  setAccessibleName(tr("Found"));
  setToolTip(tr("Return or a double-click goes there"));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setWordWrap(false);
  setShowGrid(false);
  setIconSize(kPicture);
  setAlternatingRowColors(true);
  setHorizontalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  horizontalHeader()->setStretchLastSection(true);
  connect(this, &QTableView::activated, this, [this](const QModelIndex& at) { emit wanted(at.row()); });
}

// The first rows say how wide columns have to be: all of a day's would take long to measure.
void FoundList::set_rows(std::vector<FoundRow> rows, bool pictured) {
  const bool two_lines = std::ranges::any_of(
      rows, [](const FoundRow& row) { return row.time.contains('\n') || row.who.contains('\n'); });
  const int text_px = fontMetrics().height() + (two_lines ? fontMetrics().lineSpacing() : 0) + 8;
  verticalHeader()->setDefaultSectionSize(pictured ? std::max(text_px, kPicture.height() + 4) : text_px);
  model_->set_rows(std::move(rows));
  horizontalHeader()->setResizeContentsPrecision(50);
  for (int column = 0; column < FoundModel::kColumns; ++column)
    needed_px_[static_cast<size_t>(column)] =
        std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
  if (pictured) needed_px_[FoundModel::kTime] += kPicture.width() + 6;
  fit_columns();
}

// Where they do not all fit, the widest give way, to one width, and end in dots.
void FoundList::fit_columns() {
  if (needed_px_[FoundModel::kTime] == 0) return;  // no rows yet
  std::array<int, FoundModel::kColumns> widths = needed_px_;
  std::sort(widths.begin(), widths.end());
  int left = viewport()->width(), widest = widths.back();
  for (size_t i = 0; i < widths.size(); ++i) {
    const int share = left / static_cast<int>(widths.size() - i);
    if (widths[i] > share) {
      widest = share;
      break;
    }
    left -= widths[i];
  }
  for (int column = 0; column < FoundModel::kColumns; ++column)
    setColumnWidth(column, std::min(needed_px_[static_cast<size_t>(column)], widest));
}

void FoundList::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  if (event->oldSize().width() != event->size().width()) fit_columns();
}

int FoundList::chosen() const {
  const QModelIndexList rows = selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : rows.front().row();
}

bool FoundList::go_on(int by) {
  const int before = chosen();
  const int row = before < 0 ? (by > 0 ? 0 : count() - 1) : before + by;
  if (row < 0 || row >= count()) return false;
  selectRow(row);
  scrollTo(model_->index(row, 0));
  emit wanted(row);
  return true;
}

}  // namespace vantage::ui
