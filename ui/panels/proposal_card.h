// The proposed change of one camera's offset: as text, with the agreement of the silhouettes before and
// after, and the same instant before and after as pictures.
#pragma once

#include <QFrame>
#include <QLabel>
#include <memory>

#include "ui/platform/instant_pictures.h"

class QComboBox;

namespace vantage::ui {

class InstantView;

class ProposalCard final : public QFrame {
  Q_OBJECT
 public:
  ProposalCard(QAction* apply, QAction* dismiss, QWidget* parent = nullptr);

  // Hidden while there is none. With several the user chooses the one shown.
  void set_proposals(const QStringList& cameras, int shown);
  void show_text(const QString& text, const QString& agreement);
  void show_pictures(std::shared_ptr<const InstantPictures> pictures);
  const InstantView* view() const { return view_; }
  QString words() const { return words_->text(); }
  QString agreement() const { return agreement_->text(); }

 signals:
  void chosen(int proposal);

 private:
  QComboBox* camera_;
  QLabel *words_, *agreement_;
  InstantView* view_;
};

}  // namespace vantage::ui
