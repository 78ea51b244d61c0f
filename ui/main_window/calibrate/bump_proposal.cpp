// What is proposed for cameras that were bumped in the middle of a recording.
#include <QCoreApplication>
#include <QStringList>

#include "ui/main_window/calibrate/calibrate_proposals.h"

namespace vantage::ui {
namespace {

QString bump_tr(const char* text) {
  return QCoreApplication::translate("BumpProposal", text);
}

CalibrateProposalRow row_of(const QString& camera, const SolvedJump& jump, int64_t from_frame) {
  const QString none = QStringLiteral("\u2013");
  CalibrateProposalRow row{bump_tr("%1\nfrom frame %2").arg(camera).arg(from_frame), none, none, none, none};
  row.tip = bump_tr("Jumped by %1 px between its frames %2 and %3; %4 places of the scene were compared.")
                .arg(jump.jump.moved_px, 0, 'f', 1)
                .arg(jump.jump.last_before)
                .arg(jump.jump.first_after)
                .arg(jump.jump.places.size());
  if (jump.turn) {
    row.turned = QStringLiteral("%1\u00b0").arg(jump.turn->degrees, 0, 'f', 2);
    row.moved = QStringLiteral("0 cm");
    row.misses = QStringLiteral("%1\n\u2192 %2 px")
                     .arg(jump.turn->before_px, 0, 'f', 1)
                     .arg(jump.turn->after_px, 0, 'f', 1);
  }
  if (jump.floor_m) row.floor = QStringLiteral("%1 cm").arg(100 * *jump.floor_m, 0, 'f', 1);
  return row;
}

// What cannot be proposed of a camera, and why.
QString open_text(const QString& camera, const WatchedCamera& watched) {
  if (!watched.untold.empty())
    return bump_tr("%1: cannot tell (%2).").arg(camera, QString::fromStdString(watched.untold));
  if (watched.solved()) return {};
  return bump_tr(
             "%1 was moved, not only turned, or is not calibrated: place it by people or points after the "
             "jump.")
      .arg(camera);
}

}  // namespace

CalibrationProposal propose_bumps(const Project& project, const std::vector<WatchedCamera>& watched) {
  CalibrationProposal proposal;
  proposal.world = ProposedWorld::later;
  proposal.what = "calibration of bumped cameras";
  QStringList still, known, open;
  for (const WatchedCamera& one : watched) {
    const QString name = QString::fromStdString(project.cameras[one.camera].name);
    if (const QString text = open_text(name, one); !text.isEmpty()) open << text;
    if (one.jumps.empty() && one.untold.empty()) still << name;
    bool all_known = !one.jumps.empty();
    for (size_t j = 0; j < one.jumps.size(); ++j) {
      if (one.jumps[j].known_and_fits()) continue;
      all_known = false;
      proposal.rows.push_back(row_of(name, one.jumps[j], one.from_frames[j]));
    }
    if (all_known) known << name;
  }
  QStringList words;
  if (!proposal.rows.empty())
    words << bump_tr(
        "Bumped cameras get a calibration from their jump on; earlier frames keep theirs. \"Floor\" is the "
        "error of positions there without it.");
  if (!still.isEmpty()) words << bump_tr("Stands still: %1.").arg(still.join(QStringLiteral(", ")));
  if (!known.isEmpty())
    words << bump_tr("Has a fitting calibration from its jump on: %1.").arg(known.join(QStringLiteral(", ")));
  words << open;
  proposal.text = words.join(QStringLiteral(" "));
  Project after = project;
  if (add_bumps(watched, &after) > 0)
    proposal.change = [watched](Project& changed) { add_bumps(watched, &changed); };
  return proposal;
}

}  // namespace vantage::ui
