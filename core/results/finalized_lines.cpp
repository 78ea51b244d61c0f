#include "core/results/finalized_lines.h"

#include "core/results/detail/results_people.h"

namespace vantage {

FinalizedLines::FinalizedLines(PathFollower follower, QueuePolicy policy, Sink line, Sink rows,
                               std::shared_ptr<FinalizedQueue> mail, std::shared_ptr<PeopleAgain> again)
    : line_(std::move(line)),
      rows_(std::move(rows)),
      mail_(std::move(mail)),
      again_(std::move(again)),
      worker_(std::move(follower), policy, [this](const FinalPaths& settled) { return settle(settled); }) {}

Status FinalizedLines::add(int64_t frame, std::string line, std::optional<SeenFrame> seen) {
  if (again_) {
    again_->add(line);
    if (auto first = seen ? again_->first_people(frame) : std::nullopt) seen->people = std::move(*first);
  }
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({frame, std::move(line), seen.has_value()});
  }
  return seen ? worker_.add(std::move(*seen)) : Status();
}

Status FinalizedLines::finish() {
  const Status finished = worker_.finish();
  std::deque<Waiting> left;
  {
    const std::lock_guard lock(mutex_);
    left.swap(waiting_);
  }
  for (const Waiting& waiting : left)
    VANTAGE_TRY(line_(project_detail::finished_line(waiting.line, nullptr, {})));
  return finished;
}

Status FinalizedLines::settle(const FinalPaths& settled) {
  if (mail_) mail_->put(settled);
  const project_detail::PathPeople people = project_detail::people_on(settled.parts);
  for (const Waiting& waiting : take_settled(settled.end))
    VANTAGE_TRY(line_(project_detail::finished_line(waiting.line, again_.get(), people)));
  if (again_) again_->forget_before(settled.end);
  for (const PersonPath& part : settled.parts)
    for (const PathPoint& point : part.points)
      rows_kept_[{point.frame, part.id}] = project_detail::path_row(part.id, point);
  std::string rows;
  while (!rows_kept_.empty() && rows_kept_.begin()->first.first < settled.bridged_end)
    rows += rows_kept_.extract(rows_kept_.begin()).mapped();
  return rows_(std::move(rows));
}

// Up to the last searched frame before `end`.
std::deque<FinalizedLines::Waiting> FinalizedLines::take_settled(int64_t end) {
  const std::lock_guard lock(mutex_);
  size_t count = 0;
  for (size_t i = 0; i < waiting_.size() && waiting_[i].frame < end; ++i)
    if (waiting_[i].searched) count = i + 1;
  std::deque<Waiting> taken;
  for (; taken.size() < count; waiting_.pop_front()) taken.push_back(std::move(waiting_.front()));
  return taken;
}

}  // namespace vantage
