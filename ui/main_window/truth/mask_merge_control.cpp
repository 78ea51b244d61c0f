#include "ui/main_window/truth/mask_merge_control.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "ui/main_window/truth/mask_control.h"
#include "ui/main_window/truth/mask_panel.h"
#include "ui/main_window/truth/truth_control.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/panel_parts.h"

namespace vantage::ui {

MaskMergeControl::MaskMergeControl(const WindowParts& parts)
    : Control(parts), masks_(parts.window->findChild<MaskControl*>()) {
  const auto settled = [this] {
    return Need{!comparing_.running() && !settling_.running(), tr("Masks are being compared.")};
  };
  const auto settles = [&](const char* name, const char* text, const char* key, const char* tip,
                           MaskMerge how) {
    return add_action(
        {name, text, key, tip}, {Menu::masks}, [this, how] { settle(how); },
        [this, settled] {
          return unmet(
              {settled(),
               {!disagreements_.empty(), tr("No masks disagree: Merge With compares with those of another "
                                            "person.")}});
        });
  };
  QAction* merge = add_action(
      {"merge_masks", "Merge Wit&h\u2026", "",
       "Compare with the masks that another person painted: those that are missing here are added, and "
       "disagreements are listed"},
      {Menu::masks, "import_masks"}, [this] { ask(); },
      [this, settled] { return unmet({{masks_->why_not().isEmpty(), masks_->why_not()}, settled()}); });
  panel_ = new MaskMergePanel(
      {settles("take_their_masks", "Take &Theirs", "Alt+Shift+1",
               "Where masks disagree, theirs replace ours: in the chosen rows, or all", MaskMerge::theirs),
       settles("take_mask_union", "Take &Union", "Alt+Shift+2",
               "Where masks disagree, pixels of either are inside: in the chosen rows, or all",
               MaskMerge::either),
       settles("take_mask_intersection", "Ta&ke Intersection", "Alt+Shift+3",
               "Where masks disagree, only pixels of both are inside: in the chosen rows, or all",
               MaskMerge::both),
       settles("leave_masks", "Lea&ve", "Alt+Shift+4",
               "Where masks disagree, ours stay: the chosen rows, or all, leave the list", MaskMerge::ours)});
  masks_->panel()->add_merging(merge, panel_);
  connect(panel_, &MaskMergePanel::seek_requested, this, &MaskMergeControl::seek_requested);
  connect(masks_, &MaskControl::masks_changed, this, &MaskMergeControl::update_availability);
}

void MaskMergeControl::ask() {
  const QString folder = QFileDialog::getExistingDirectory(
      panel_->window(), tr("Merge Masks"), QString::fromStdString(project().path.parent_path().string()));
  if (!folder.isEmpty()) merge_from(folder);
}

void MaskMergeControl::forget() {
  for (BackgroundJob* job : {&comparing_, &settling_, &loading_}) job->stop();
  disagreements_.clear();
  show();
}

void MaskMergeControl::refresh(Changes what) {
  if (state().open() && what.testFlag(Change::frame)) show_theirs();
}

// Masks that were painted just now count.
void MaskMergeControl::merge_from(const QString& folder) {
  masks_->when_saved([this, folder] {
    comparing_.start(
        [this, now = project(), from = folder.toStdString()](const StopSource&) -> BackgroundJob::Deliver {
          const Result<MaskComparison> compared = compare_masks(now, from);
          if (!compared) return [this, error = compared.error()] { emit failed(error); };
          const Result<MaskStep> missing = add_missing_masks(compared->missing);
          if (!missing) return [this, error = missing.error()] { emit failed(error); };
          return [this, compared = *compared, missing = *missing] { take(compared, missing); };
        });
    update_availability();
  });
}

void MaskMergeControl::take(const MaskComparison& compared, const MaskStep& missing) {
  const auto added = static_cast<qlonglong>(missing.size());
  disagreements_ = compared.disagreements;
  masks_->apply(missing);
  show();
  emit parts().window -> findChild<TruthControl*>()->dock_wanted();
  parts().window->findChild<TruthControl*>()->show_page(masks_->panel());
  QString words =
      tr("%n masks added, the same as ours: %1.", nullptr, static_cast<int>(added)).arg(compared.same);
  if (!disagreements_.empty())
    words += tr(" %1 disagree, most of all that of %2 in frame %3.")
                 .arg(disagreements_.size())
                 .arg(QString::fromStdString(disagreements_.front().theirs.camera))
                 .arg(disagreements_.front().theirs.frame);
  if (compared.unknown > 0)
    words +=
        tr(" %n are of cameras that the project does not have.", nullptr, static_cast<int>(compared.unknown));
  masks_->tell(words, !disagreements_.empty() || compared.unknown > 0);
}

void MaskMergeControl::settle(MaskMerge how) {
  auto settled = std::make_shared<std::vector<MaskDisagreement>>();
  for (const size_t row : panel_->chosen()) settled->push_back(disagreements_[row]);
  if (settled->empty()) return;
  masks_->when_saved([this, settled, how] {
    settling_.start([this, settled, how, now = project()](const StopSource&) -> BackgroundJob::Deliver {
      auto step = std::make_shared<Result<MaskStep>>(settle_masks(now, *settled, how));
      return [this, settled, step] {
        if (!*step) {
          update_availability();
          return emit failed(step->error());
        }
        std::erase_if(disagreements_, [&](const MaskDisagreement& one) {
          return std::ranges::any_of(
              *settled, [&](const MaskDisagreement& gone) { return gone.theirs.file == one.theirs.file; });
        });
        masks_->apply(**step);
        show();
      };
    });
    update_availability();
  });
}

void MaskMergeControl::show() {
  panel_->show_disagreements(disagreements_);
  show_theirs();
  update_availability();
}

// Theirs over the pictures of this frame, where they are not settled.
void MaskMergeControl::show_theirs() {
  std::vector<TheirMask> here;
  for (const MaskDisagreement& one : disagreements_)
    if (state().shown() && one.theirs.frame == state().shown()->result->frame) here.push_back(one.theirs);
  masks_->set_theirs({});
  if (here.empty()) return loading_.stop();
  loading_.start([this, here](const StopSource&) -> BackgroundJob::Deliver {
    auto theirs = std::make_shared<std::map<std::string, Image>>();
    for (const TheirMask& one : here)
      if (const Result<Image> mask = read_mask(one.file, HostPool::shared())) (*theirs)[one.camera] = *mask;
    return [this, theirs] { masks_->set_theirs(*theirs); };
  });
}

namespace {

enum MaskMergeColumn { kMergeFrame, kMergeCamera, kMergeIoU, kMergeOurs, kMergeTheirs };

}  // namespace

MaskMergePanel::MaskMergePanel(const std::vector<QAction*>& actions, QWidget* parent)
    : QWidget(parent),
      table_(row_table(tr("Where masks disagree, the worst first"),
                       {tr("Frame"), tr("Camera"), tr("IoU"), tr("Only ours"), tr("Only theirs")},
                       kMergeTheirs)) {
  setAccessibleName(tr("Disagreements"));
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->horizontalHeaderItem(kMergeIoU)->setToolTip(tr(
      "Intersection over union of the two masks; a double click goes to the frame, where striped pixels are "
      "only theirs and orange ones only ours"));
  for (const int column : {kMergeOurs, kMergeTheirs})
    table_->horizontalHeaderItem(column)->setToolTip(tr("Pixels that only one of the masks has"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, 0, 0, 0);
  page->addWidget(table_, 1);
  page->addLayout(button_row(actions));
  connect(table_, &QTableWidget::cellDoubleClicked, this,
          [this](int row) { emit seek_requested(table_->item(row, kMergeFrame)->text().toLongLong()); });
  hide();
}

void MaskMergePanel::show_disagreements(std::span<const MaskDisagreement> disagreements) {
  table_->clearSelection();
  table_->setRowCount(static_cast<int>(disagreements.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const MaskDisagreement& one = disagreements[row];
    fill_row(table_, row,
             {QString::number(one.theirs.frame), QString::fromStdString(one.theirs.camera),
              number_text(one.difference.overlap.iou(), 'f', 3), tr("%1 px").arg(one.difference.only_ours),
              tr("%1 px").arg(one.difference.only_theirs)});
  }
  setVisible(!disagreements.empty());
}

std::vector<size_t> MaskMergePanel::chosen() const {
  std::vector<size_t> rows;
  for (int row = 0; row < table_->rowCount(); ++row)
    if (!table_->selectionModel()->hasSelection() || table_->selectionModel()->isRowSelected(row, {}))
      rows.push_back(static_cast<size_t>(row));
  return rows;
}

}  // namespace vantage::ui
