#include "ui/main_window/residuals/residuals.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/quantile.h"

namespace vantage::ui {
namespace {

QString residuals_tr(const char* text) {
  return QCoreApplication::translate("Residuals", text);
}

// Fills what is of pictures and of the camera as a whole.
void sum_up(CameraResiduals* camera) {
  std::vector<double> distances;
  double sum2 = 0;
  for (PictureResiduals& picture : camera->pictures) {
    double picture2 = 0;
    for (const SeenResidual& one : picture.seen) {
      const double distance = one.off_px.norm();
      distances.push_back(distance);
      picture2 += distance * distance;
      picture.max_px = std::max(picture.max_px, distance);
      ++camera
            ->coverage[coverage_part(one.seen_px.x(), one.seen_px.y(), camera->width_px, camera->height_px)];
    }
    picture.rms_px = std::sqrt(picture2 / static_cast<double>(std::max<size_t>(1, picture.seen.size())));
    sum2 += picture2;
  }
  std::stable_sort(camera->pictures.begin(), camera->pictures.end(),
                   [](const PictureResiduals& a, const PictureResiduals& b) { return a.rms_px > b.rms_px; });
  camera->seen = static_cast<int>(distances.size());
  if (distances.empty()) return;
  camera->rms_px = std::sqrt(sum2 / static_cast<double>(distances.size()));
  camera->max_px = *std::max_element(distances.begin(), distances.end());
  camera->median_px = upper_median(std::move(distances));
}

QStringList texts_of(const std::vector<std::string>& sentences) {
  QStringList texts;
  for (const std::string& sentence : sentences) texts << QString::fromStdString(sentence);
  return texts;
}

}  // namespace

Residuals residuals_of(const BoardsSolution& solution, const std::vector<std::string>& names,
                       const std::vector<ClipTiming>& clips, const LeftOut& left_out) {
  using Seen = std::tuple<bool, int64_t, int>;  // for the lens alone, instant, board
  std::vector<std::map<Seen, PictureResiduals>> pictures(solution.cameras.size());
  for (const CornerResidual& one : solution.residuals) {
    const auto c = static_cast<size_t>(one.camera);
    const bool lens = one.lens_view && !one.unlinked;
    PictureResiduals& picture = pictures[c][{lens, one.instant, one.board}];
    picture.frame = !lens && c < clips.size() ? clips[c].own_frame(one.instant) : one.instant;
    picture.name = (lens ? residuals_tr("picture %1") : residuals_tr("frame %1")).arg(picture.frame);
    if (one.unlinked) picture.name = residuals_tr("%1, not linked").arg(picture.name);
    if (solution.boards.size() > 1)
      picture.name += residuals_tr(", board %1").arg(one.board + 1), picture.board = one.board;
    picture.seen.push_back(
        {residuals_tr("corner %1").arg(one.index), {one.seen_x_px, one.seen_y_px}, {one.x_px, one.y_px}});
  }
  Residuals residuals;
  residuals.boards = std::max(1, static_cast<int>(solution.boards.size()));
  residuals.left_out = left_out;
  for (size_t c = 0; c < solution.cameras.size(); ++c) {
    const CameraSolution& solved = solution.cameras[c];
    CameraResiduals& camera = residuals.cameras.emplace_back();
    camera.name = QString::fromStdString(names[c]);
    camera.width_px = solved.camera.width_px(), camera.height_px = solved.camera.height_px();
    for (auto& [when, picture] : pictures[c]) camera.pictures.push_back(std::move(picture));
    camera.held = texts_of(solved.held), camera.advice = texts_of(solved.advice);
    for (const auto& [of, frame] : left_out)
      if (of == c) camera.left_out.push_back(frame);
    sum_up(&camera);
  }
  return residuals;
}

Residuals residuals_of(const PointsSolution& solution, const std::vector<ClickedPoint>& clicked) {
  Residuals residuals{.board = false};
  for (const PointsSolvedCamera& solved : solution.cameras) {
    CameraResiduals& camera = residuals.cameras.emplace_back();
    camera.name = QString::fromStdString(solved.camera.name());
    camera.width_px = solved.camera.width_px(), camera.height_px = solved.camera.height_px();
  }
  for (const SolvedPoint& point : solution.points) {
    const auto its = std::find_if(clicked.begin(), clicked.end(),
                                  [&](const ClickedPoint& one) { return one.name == point.name; });
    if (its == clicked.end()) continue;
    for (const SolvedClick& click : point.clicks) {
      const std::string& camera = solution.cameras[click.camera].camera.name();
      const auto at = std::find_if(its->clicks.begin(), its->clicks.end(),
                                   [&](const PointClick& one) { return one.camera == camera; });
      if (at == its->clicks.end()) continue;
      residuals.cameras[click.camera].pictures.push_back(
          {QString::fromStdString(point.name), {{residuals_tr("click"), at->at_px, click.off_px}}, 0, 0});
    }
  }
  for (CameraResiduals& camera : residuals.cameras) sum_up(&camera);
  return residuals;
}

CameraResiduals of_board(const CameraResiduals& camera, int board) {
  CameraResiduals one = camera;
  std::erase_if(one.pictures, [board](const PictureResiduals& picture) { return picture.board != board; });
  one.coverage = {};
  one.rms_px = one.median_px = one.max_px = 0;
  sum_up(&one);
  return one;
}

int residual_scale(double median_px, double wanted_px) {
  constexpr int kMost = 10000;
  int scale = 1;
  for (int decade = 1; decade <= kMost; decade *= 10)
    for (const int step : {1, 2, 5})
      if (const int next = step * decade; next <= kMost && next * median_px <= wanted_px) scale = next;
  return scale;
}

}  // namespace vantage::ui
