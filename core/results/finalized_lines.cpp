#include "core/results/finalized_lines.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include "core/base/file.h"
#include "core/results/detail/results_people.h"

namespace vantage {

FinalizedLines::FinalizedLines(RunningPaths paths, QueuePolicy policy, Sink line, Sink rows,
                               std::shared_ptr<FinalizedQueue> mail, std::shared_ptr<SecondPassPeople> again)
    : line_(std::move(line)),
      rows_(std::move(rows)),
      mail_(std::move(mail)),
      again_(std::move(again)),
      next_frame_(paths.next_frame),
      known_(std::move(paths.known)),
      worker_(std::move(paths.follower), policy,
              [this](const FinalPaths& settled) { return settle(settled); }) {}

Status FinalizedLines::add(int64_t frame, std::string line, std::optional<SeenFrame> seen) {
  if (again_) {
    again_->add(line);
    if (auto first = seen ? again_->first_people(frame) : std::nullopt) seen->people = std::move(*first);
  }
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({frame, std::move(line), seen.has_value()});
    if (!first_frame_) first_frame_ = frame;
  }
  return seen && frame >= next_frame_ ? worker_.add(std::move(*seen)) : Status();
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
  returns_.insert(returns_.end(), settled.returns.begin(), settled.returns.end());
  const std::vector<PersonPath> parts = with_known(settled.parts);
  const project_detail::PathPeople people = project_detail::people_on(parts);
  for (const Waiting& waiting : take_settled(settled.end))
    VANTAGE_TRY(line_(project_detail::finished_line(waiting.line, again_.get(), people)));
  if (again_) again_->forget_before(settled.end);
  for (const PersonPath& part : parts)
    for (const PathPoint& point : part.points)
      rows_kept_[{point.frame, part.id}] = project_detail::path_row(part.id, point);
  std::string rows;
  while (!rows_kept_.empty() && rows_kept_.begin()->first.first < settled.bridged_end)
    rows += rows_kept_.extract(rows_kept_.begin()).mapped();
  return rows_(std::move(rows));
}

// Known points come once, before new ones. A gap that is bridged now may have begun before the first frame,
// for which there are no rows.
std::vector<PersonPath> FinalizedLines::with_known(std::vector<PersonPath> parts) {
  std::vector<PersonPath> all = std::exchange(known_, {});
  std::move(parts.begin(), parts.end(), std::back_inserter(all));
  const std::lock_guard lock(mutex_);
  for (PersonPath& part : all)
    if (const size_t first = part.points.first_from(first_frame_.value_or(0)); first > 0)
      part.points.keep(first, part.points.size());
  return all;
}

// Lines up to the last searched frame before `end`.
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

namespace vantage::project_detail {
namespace {

std::filesystem::path part_of(const std::filesystem::path& whole) {
  return whole.string() + ".part";
}

}  // namespace

tl::unexpected<Error> write_failed(const std::filesystem::path& path, int code) {
  return fail(ErrorKind::io, std::string("writing failed (") + std::strerror(code) + ")", path.string(),
              code == ENOSPC ? "The disk is full: free some space or choose another folder."
                             : "Choose a folder you can write to.");
}

Result<PartFile> PartFile::open(const std::filesystem::path& whole) {
  std::FILE* const file = std::fopen(part_of(whole).c_str(), "wb");
  if (!file) return write_failed(whole, errno);
  return PartFile(whole, file);
}

Status PartFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
    return write_failed(whole_, errno);
  return {};
}

std::filesystem::path PartFile::path() const {
  return part_of(whole_);
}

Status PartFile::flush() {
  return std::fflush(file_.get()) == 0 ? Status() : Status(write_failed(whole_, errno));
}

void PartFile::drop() {
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(path(), ignored);
}

Status PartFile::complete() {
  const bool flushed = std::fflush(file_.get()) == 0 && ::fsync(::fileno(file_.get())) == 0;
  const int code = errno;
  const bool closed = std::fclose(file_.release()) == 0;
  if (!flushed || !closed) return write_failed(whole_, flushed ? errno : code);
  const std::error_code renamed = rename_durably(path(), whole_);
  return renamed ? Status(write_failed(whole_, renamed.value())) : Status();
}

}  // namespace vantage::project_detail
