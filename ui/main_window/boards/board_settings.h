// The board that was used last, remembered for all projects: a workshop has one.
#pragma once

#include "core/calibration/solve/board.h"

class QSettings;

namespace vantage::ui {

Board remembered_board(const QSettings& settings, const Board& otherwise);
void remember_board(const Board& board, QSettings& settings);

}  // namespace vantage::ui
