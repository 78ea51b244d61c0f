#include "ui/main_window/truth/truth_panel.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/theme.h"

namespace vantage::ui {
namespace {

constexpr double kMaxTrueHeight_m = 3;

enum TruthColumn { kTrueId, kTrueHeight, kTrueFirst, kTrueLast, kTrueKeys, kTrueNow };

}  // namespace

TruthPanel::TruthPanel(const std::vector<std::vector<QAction*>>& actions, QWidget* parent)
    : QWidget(parent),
      table_(row_table(tr("True people"),
                       {tr("ID"), tr("Height"), tr("From"), tr("To"), tr("Set"), tr("In this frame")},
                       kTrueNow)),
      height_(new DecimalField),
      go_on_(new QSpinBox),
      metrics_(text_label()) {
  setAccessibleName(tr("Ground truth"));
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->horizontalHeaderItem(kTrueFirst)->setToolTip(tr("The first frame that was set by hand"));
  table_->horizontalHeaderItem(kTrueLast)->setToolTip(tr("The last frame that was set by hand"));
  table_->horizontalHeaderItem(kTrueKeys)->setToolTip(tr("Frames that were set by hand"));
  height_->setRange(0, kMaxTrueHeight_m);
  height_->setDecimals(2);
  height_->setSingleStep(0.01);
  height_->setSuffix(tr(" m"));
  height_->setSpecialValueText(tr("unknown"));
  height_->setKeyboardTracking(false);
  go_on_->setRange(0, 1000);
  go_on_->setSpecialValueText(tr("stay"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(kTight, kTight, kTight, kTight);
  page->setSpacing(kTight);
  for (const std::vector<QAction*>& row : actions) page->addLayout(button_row(row));
  page->addWidget(quiet_label(
      tr("Click where the feet of the chosen person are, in a picture or the scene; drag a diamond to move "
         "it. Between the frames that you set, people walk straight on.")));
  auto* form = new QFormLayout;
  add_field(form, tr("He&ight"), tr("Height of the chosen person to the top of the head, metres"), height_);
  add_field(form, tr("After a click &go on by"),
            tr("Frames to go on by after each position that was set: 10 sets a person every tenth frame"),
            go_on_);
  page->addLayout(form);
  page->addWidget(table_, 1);
  describe(
      metrics_, tr("Results by this ground truth"),
      tr("People match within 0.5 m, from the first frame with a set position to the last. MODA: 1 minus the "
         "share of missed and false people. IDF1: F1 score of positions with the right ID. OSPA, GOSPA: "
         "errors of position, missed and false people together, in metres, cut off at 0.5 m. The page "
         "Quality has intervals and parts."));
  page->addWidget(metrics_);
  connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
    show_height();
    emit chosen_by_hand();
  });
  connect(table_, &QTableWidget::cellDoubleClicked, this,
          [this](int row) { emit seek_requested(people_[row].keys.front().frame); });
  connect(height_, &QDoubleSpinBox::valueChanged, this, &TruthPanel::height_typed);
  show_height();
}

void TruthPanel::show_people(std::span<const TruePerson> people, int64_t frame) {
  const int64_t chosen_id = chosen();
  people_.assign(people.begin(), people.end());
  const QSignalBlocker blocked(table_);
  table_->setRowCount(static_cast<int>(people_.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const TruePerson& person = people_[row];
    const auto at = true_position(person, frame);
    const QString now = !at       ? tr("not there")
                        : at->key ? tr("x %1, y %2 m, set").arg(at->x_m, 0, 'f', 2).arg(at->y_m, 0, 'f', 2)
                                  : tr("x %1, y %2 m").arg(at->x_m, 0, 'f', 2).arg(at->y_m, 0, 'f', 2);
    fill_row(table_, row,
             {QString::number(person.id),
              person.height_m > 0 ? tr("%1 m").arg(person.height_m, 0, 'f', 2) : QStringLiteral("\u2013"),
              QString::number(person.keys.front().frame), QString::number(person.keys.back().frame),
              QString::number(person.keys.size()), now});
  }
  choose(chosen_id);
}

int64_t TruthPanel::chosen() const {
  for (int row = 0; row < table_->rowCount(); ++row)
    if (table_->selectionModel()->isRowSelected(row, {})) return people_[row].id;
  return 0;
}

// A person who is not there any more chooses no one.
void TruthPanel::choose(int64_t id) {
  const QSignalBlocker blocked(table_);
  table_->clearSelection();
  for (size_t row = 0; row < people_.size(); ++row)
    if (people_[row].id == id) table_->selectRow(static_cast<int>(row));
  show_height();
}

void TruthPanel::show_height() {
  const TruePerson* person = find_true_person(people_, chosen());
  const QSignalBlocker blocked(height_);
  height_->setEnabled(person);
  height_->setValue(person ? person->height_m : 0);
}

int TruthPanel::frames_per_click() const {
  return go_on_->value();
}

void TruthPanel::set_frames_per_click(int frames) {
  go_on_->setValue(frames);
}

void TruthPanel::show_metrics(const QString& words) {
  metrics_->setText(words);
}

}  // namespace vantage::ui
