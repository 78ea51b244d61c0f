#include "ui/main_window/boards/board_settings.h"

#include <QSettings>

namespace vantage::ui {

Board remembered_board(const QSettings& settings, const Board& otherwise) {
  const auto number = [&](const char* key, double value) { return settings.value(key, value).toDouble(); };
  Board board{settings.value("board/columns", otherwise.columns).toInt(),
              settings.value("board/rows", otherwise.rows).toInt(),
              number("board/square_mm", 1000 * otherwise.square_m) / 1000};
  const std::string dictionary = settings.value("board/markers").toString().toStdString();
  const double marker_m = number("board/marker_mm", 22) / 1000;
  const int first_id = settings.value("board/first_tag").toInt();
  if (number("board/tag_gap_mm", 0) > 0)
    return grid_of_tags(board.columns, board.rows,
                        {dictionary, marker_m, number("board/tag_gap_mm", 0) / 1000, first_id});
  if (!dictionary.empty()) board.markers = {dictionary, marker_m, first_id};
  return board;
}

void remember_board(const Board& board, QSettings& settings) {
  const int per_count = board.tags ? 2 : 1;
  settings.setValue("board/columns", board.columns / per_count);
  settings.setValue("board/rows", board.rows / per_count);
  if (!board.tags) settings.setValue("board/square_mm", 1000 * board.square_m);
  const std::string dictionary = board.tags      ? board.tags->dictionary
                                 : board.markers ? board.markers->dictionary
                                                 : std::string();
  settings.setValue("board/markers", QString::fromStdString(dictionary));
  if (board.names_corners())
    settings.setValue("board/marker_mm", 1000 * (board.tags ? board.tags->side_m : board.markers->side_m));
  settings.setValue("board/tag_gap_mm", board.tags ? 1000 * board.tags->gap_m : 0);
  settings.setValue("board/first_tag", board.first_id());
}

}  // namespace vantage::ui
