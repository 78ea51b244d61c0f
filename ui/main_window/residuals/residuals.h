// Residuals of a board's corners, or of clicks, after a calibration was solved: camera by camera, picture by
// picture, to be examined.
#pragma once

#include <Eigen/Core>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/calibration/solve/board_solve.h"
#include "core/calibration/solve/clip_offsets.h"
#include "core/calibration/solve/points_solve.h"

namespace vantage::ui {

struct SeenResidual {
  QString name;             // "corner 12"
  Eigen::Vector2d seen_px;  // pixel (0,0) is the centre of the top-left pixel
  Eigen::Vector2d off_px;   // projected less seen
};

// What one picture of the board, or one clicked point, contributes.
struct PictureResiduals {
  QString name;  // "frame 40", of several boards "frame 40, board 2"
  std::vector<SeenResidual> seen;
  double rms_px = 0, max_px = 0;  // of the distances
  int board = 0;                  // which one of several
  int64_t frame = 0;              // of the camera
};

// Pictures that a solution by boards leaves out: camera, and its frame.
using LeftOut = std::set<std::pair<size_t, int64_t>>;

struct CameraResiduals {
  QString name;
  int width_px = 0, height_px = 0;
  std::vector<PictureResiduals> pictures;  // the worst RMS first
  int seen = 0;
  double rms_px = 0, median_px = 0, max_px = 0;  // of the distances, all of them; 0: nothing was seen
  BoardCoverage coverage = {};
  QStringList held, advice;            // as CameraSolution has them
  std::vector<int64_t> left_out = {};  // frames
};

struct Residuals {
  bool board = true;  // else clicked points
  std::vector<CameraResiduals> cameras;
  int boards = 1;
  LeftOut left_out = {};
};
using ResidualsRef = std::shared_ptr<const Residuals>;

// `names`: of the solution's cameras; `clips`: of those out of step, whose pictures count their own frames.
Residuals residuals_of(const BoardsSolution& solution, const std::vector<std::string>& names,
                       const std::vector<ClipTiming>& clips = {}, const LeftOut& left_out = {});
// `clicked`: the points that were solved from.
Residuals residuals_of(const PointsSolution& solution, const std::vector<ClickedPoint>& clicked);

// The camera's pictures of one of several boards alone, with their sums and coverage.
CameraResiduals of_board(const CameraResiduals& camera, int board);

// The factor by which vectors are enlarged, so that one of `median_px` becomes about as long as `wanted_px`:
// 1, 2, 5, 10, ... 10000.
int residual_scale(double median_px, double wanted_px);

}  // namespace vantage::ui
