#include "ui/main_window/find/find_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QIcon>
#include <QPixmap>
#include <QResizeEvent>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "ui/widgets/form.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kMaxSeconds = 86'400, kMaxHeight_m = 3, kMaxDistance_m = 50, kMinDistance_m = 0.1;

std::optional<double> value_of(const QDoubleSpinBox& box) {
  return box.value() > box.minimum() ? std::optional(box.value()) : std::nullopt;
}

}  // namespace

FindPanel::FindPanel(const std::vector<QAction*>& commands, QWidget* parent)
    : QWidget(parent), form_(new Form(nullptr, kTight)), summary_(text_label()), list_(new FoundList) {
  setAccessibleName(tr("Find"));
  const auto line = [this](const QString& name, const QString& tip, const QString& empty) {
    QLineEdit* made = form_->add_line(name, tip);
    made->setPlaceholderText(empty);
    made->setClearButtonEnabled(true);
    return made;
  };
  const auto height = [this](const QString& name, const QString& tip) {
    QDoubleSpinBox* made = form_->add(name, tip, number_field(0, kMaxHeight_m, 0, 2, tr(" m"), 0.05));
    made->setSpecialValueText(tr("any height"));
    return made;
  };
  kind_ = new QComboBox;
  kind_->addItems({tr("was there"), tr("was in a place"), tr("crossed a line"), tr("met a person")});
  // Before it is asked: places are of the kind.
  connect(kind_, &QComboBox::currentIndexChanged, this, &FindPanel::show_kind);
  form_->add(tr("Who"), tr("What everybody's tracks are searched for"), kind_);
  add_place();
  way_ = form_->add_choice(tr("Which way"), tr("As seen looking from the line's first end to its second"),
                           {tr("either way"), tr("to the left"), tr("to the right")});
  closer_ = form_->add(tr("Closer than"), tr("Both are closer than this on the floor, in metres"),
                       number_field(kMinDistance_m, kMaxDistance_m, 1, 2, tr(" m"), 0.05));
  from_ = line(tr("From"), {}, tr("the beginning"));
  to_ = line(tr("To"), {}, tr("the end"));
  longer_ = form_->add(tr("At least"), tr("It lasts at least this long, in seconds"),
                       number_field(0, kMaxSeconds, 0, 1, tr(" s"), 1));
  longer_->setSpecialValueText(tr("any time"));
  taller_ = height(tr("Taller than"), tr("People taller than this, in metres, by the median of a track"));
  shorter_ = height(tr("Shorter than"), tr("People shorter than this, in metres, by the median of a track"));
  people_ =
      line(tr("Person"), tr("Only these: names or IDs, with commas between, as in Anna, 7"), tr("anybody"));
  // Times and people belong to one recording, and are not kept.
  form_->keep(kind_, "find/kind");
  form_->keep(closer_, "find/closer_m");
  form_->keep(longer_, "find/longer_s");
  form_->keep(taller_, "find/taller_m");
  form_->keep(shorter_, "find/shorter_m");
  auto* foot = new QHBoxLayout;
  foot->addStretch(1);
  for (QAction* command : commands) foot->addWidget(text_button(command));
  summary_->setAccessibleName(tr("How many were found"));
  summary_->setMinimumHeight(fontMetrics().lineSpacing());
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kApart, kApart, kApart, kApart);
  page->addLayout(form_);
  page->addWidget(list_, 1);
  page->addWidget(summary_);
  page->addLayout(foot);
  show_moment_hint({});
  show_kind();
  connect(form_, &Form::changed, this, &FindPanel::asked);
}

void FindPanel::add_place() {
  place_ = new QComboBox;
  draw_ = new QToolButton;
  draw_->setText(tr("Draw"));
  describe(draw_, tr("Draw the place"),
           tr("Draw it in any view or on the plan: click its corners; Return or a double-click ends it, Esc "
              "cancels"));
  place_row_ = new QWidget;
  auto* row = new QHBoxLayout(place_row_);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(place_, 1);
  row->addWidget(draw_);
  place_row_->setFocusProxy(place_);
  form_->add_row(tr("Where"), tr("A zone or line of the project, or one that is drawn for this search alone"),
                 place_row_);
  form_->watch(place_);
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

void FindPanel::forget() {
  set_drawn(true, false), set_drawn(false, false);
  show_places({}, {});
  const QSignalBlocker quiet(form_);
  for (QLineEdit* field : {from_, to_, people_}) field->clear();
  show_problem({});
}

void FindPanel::focus_first() {
  kind_->setFocus(Qt::ShortcutFocusReason);
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

// A kind that this program does not know is the first.
void FindPanel::restore(const QSettings& settings) {
  form_->restore(settings);
  if (kind_->currentIndex() < 0) kind_->setCurrentIndex(0);
}

void FindPanel::save(QSettings& settings) const {
  form_->save(settings);
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
  rows_[row].picture = picture.scaled(2 * kPicture, Qt::KeepAspectRatio, Qt::SmoothTransformation);
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
  const FoundRow& row = rows_[index.row()];
  const std::array<const QString*, kColumns> texts = {&row.time, &row.who, &row.length, &row.where};
  switch (role) {
    case Qt::DisplayRole:
      return *texts[index.column()];
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
  const FoundColumn& column = columns_[section];
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
    needed_px_[column] = std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
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
    setColumnWidth(column, std::min(needed_px_[column], widest));
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
