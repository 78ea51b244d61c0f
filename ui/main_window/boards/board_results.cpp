#include "ui/main_window/boards/board_results.h"

#include <QCoreApplication>
#include <QStringList>

namespace vantage::ui {
namespace {

QString results_tr(const char* text) {
  return QCoreApplication::translate("BoardResults", text);
}

QString seen_text(size_t board, const BoardSightings& seen) {
  if (seen.cameras.empty()) return results_tr("No camera saw board %1.").arg(board + 1);
  QStringList names;
  for (const std::string& name : seen.cameras) names << QString::fromStdString(name);
  return results_tr("Board %1 was seen by %2, in %3 views.")
      .arg(board + 1)
      .arg(names.join(QStringLiteral(", ")))
      .arg(seen.views);
}

QString place_text(const BoardPlace& place, size_t world) {
  const Eigen::Vector3d at_mm = 1000 * place.world_board_from_board.translation();
  return results_tr(
             "From board %1 it stands at %2, %3, %4 mm \u00b1 %5 mm, turned by %6\u00b0 \u00b1 %7\u00b0.")
      .arg(world + 1)
      .arg(at_mm.x(), 0, 'f', 1)
      .arg(at_mm.y(), 0, 'f', 1)
      .arg(at_mm.z(), 0, 'f', 1)
      .arg(1000 * place.shift_std_m.norm(), 0, 'f', 1)
      .arg(Eigen::AngleAxisd(place.world_board_from_board.linear()).angle() * 180 / M_PI, 0, 'f', 2)
      .arg(place.rotation_std_rad.norm() * 180 / M_PI, 0, 'f', 2);
}

void add_place(size_t board, bool seen, const BoardsSolution& solution, BoardResult* result) {
  if (board == solution.world_board || solution.boards.empty()) {
    result->joined = results_tr("world");
    result->text += results_tr(" It is the world at frame %1.").arg(solution.world_instant);
    return;
  }
  const BoardPlace& place = solution.boards[board];
  result->joined = place.placed ? results_tr("joined") : results_tr("not joined");
  if (place.placed)
    result->text += QStringLiteral(" ") + place_text(place, solution.world_board);
  else if (seen)
    result->text += results_tr(
        " It is not joined: no camera saw it together with another board, so that it is used for lenses "
        "only. "
        "Show both to one camera at once, or film them with a hand-held camera.");
}

}  // namespace

std::vector<BoardResult> board_results(const std::vector<BoardSightings>& seen,
                                       const BoardsSolution* solution) {
  std::vector<BoardResult> results;
  for (size_t b = 0; b < seen.size(); ++b) {
    BoardResult result{QString::number(seen[b].cameras.size()), {}, seen_text(b, seen[b])};
    if (solution && solution->posed) add_place(b, !seen[b].cameras.empty(), *solution, &result);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace vantage::ui
