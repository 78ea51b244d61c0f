#include "ui/main_window/calibrate/proposal.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace vantage::ui {

bool advance(RunningWork* work, int64_t done, int64_t total) {
  constexpr double kSeen = 0.01;
  if (total <= 0) return false;
  const double now = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
  if (work->share >= 0 && now < std::min(work->share + kSeen, 1.0)) return false;
  return std::exchange(work->share, now) != now;
}

Proposal::Proposal(const WindowState& state, QObject* parent) : QObject(parent), state_(state) {
  connect(&job_, &BackgroundJob::stopped, this, [this] {
    work_.reset();
    set_found({});
    emit solving_changed();
  });
}

void Proposal::set_found(std::vector<Camera> cameras) {
  if (found_cameras_.empty() && cameras.empty()) return;
  found_cameras_ = std::move(cameras);
  emit cameras_changed();
}

Proposal::ShowFound Proposal::show_found() {
  return [this](std::vector<Camera> cameras) {
    QMetaObject::invokeMethod(this, [this, cameras = std::move(cameras)] {
      if (work_) set_found(cameras);  // not stopped meanwhile
    });
  };
}

void Proposal::solve(Solving solving, const std::optional<RunningWork>& work) {
  drop();
  work_ = work;
  const auto progress = [this](int64_t done, int64_t total) {
    QMetaObject::invokeMethod(this, [this, done, total] {
      if (work_ && advance(&*work_, done, total)) emit progressed();
    });
  };
  job_.start([this, solving = std::move(solving), progress,
              project = state_.project()](const StopSource& stop) -> BackgroundJob::Deliver {
    return [this, made = std::make_shared<Result<CalibrationProposal>>(solving(project, progress, stop))] {
      work_.reset();
      if (!*made) set_found({});
      emit solving_changed();
      if (!*made) return emit not_found(QString::fromStdString(made->error().message()));
      proposal_ = std::move(**made);
      emit found();
    };
  });
  emit solving_changed();
}

void Proposal::stop() {
  if (work_) job_.stop();
}

void Proposal::forget() {
  job_.stop();
  known_.clear();
  drop();
}

void Proposal::add(const QString& paragraph) {
  if (!proposal_) return;
  proposal_->text += QStringLiteral("\n") + paragraph;
  emit extended();
}

std::optional<CalibrationProposal> Proposal::take() {
  constexpr size_t kKept = 64;  // older poses are seldom those that cameras have
  std::optional<CalibrationProposal> taken = proposal_;
  if (!taken) return taken;
  known_.insert(known_.begin(), taken->solved.begin(), taken->solved.end());
  if (known_.size() > kKept) known_.resize(kKept);
  drop();
  return taken;
}

void Proposal::drop() {
  if (!std::exchange(proposal_, std::nullopt)) return;
  set_found({});
  emit dropped();
}

}  // namespace vantage::ui
