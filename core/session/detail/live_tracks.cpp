#include "core/session/detail/live_tracks.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/pipeline/frame_people.h"
#include "core/results/results_paths.h"

namespace vantage {
namespace {

PathPoint point_of(int64_t frame, const FoundPerson& person, size_t place) {
  return {
      frame, person.x_m, person.y_m, person.height_m, person.confidence, true, static_cast<int32_t>(place)};
}

std::deque<PathPoint>::const_iterator first_from(const std::deque<PathPoint>& points, int64_t frame) {
  return std::partition_point(points.begin(), points.end(),
                              [&](const PathPoint& point) { return point.frame < frame; });
}

const PathPoint* point_in(const std::deque<PathPoint>& points, int64_t frame) {
  const auto found = first_from(points, frame);
  return found == points.end() || found->frame != frame ? nullptr : &*found;
}

void drop_before(int64_t frame, std::deque<int64_t>* frames) {
  while (!frames->empty() && frames->front() < frame) frames->pop_front();
}

}  // namespace

LiveTracks::LiveTracks(PathFollower follower)
    : latency_s_(follower.latency_s()), mail_(std::make_shared<FinalizedQueue>()) {
  go_on_with(std::move(follower));
}

void LiveTracks::go_on_with(PathFollower follower) {
  finder_ = std::make_unique<PathWorker>(std::move(follower), QueuePolicy::drop_oldest,
                                         [mail = mail_](FinalPaths settled) -> Status {
                                           mail->put(std::move(settled));
                                           return {};
                                         });
}

std::optional<RunningPaths> LiveTracks::hand_over(int64_t first) {
  const std::unique_ptr<PathWorker> finder = std::move(finder_);
  if (!finder) return std::nullopt;
  Result<PathFollower> follower = finder->release();
  take_mail();
  if (!follower) return std::nullopt;
  RunningPaths running{std::move(*follower), frames_.empty() ? 0 : frames_.back() + 1};
  for (const auto& [number, points] : paths_) {
    const auto from = first_from(points, first);
    if (from != points.end()) running.known.push_back({number, {from, points.end()}});
  }
  return running;
}

Status LiveTracks::add(const FrameResult& result, double frame_rate) {
  const PeopleArtifact* people = result.people();
  if (!people || !result.tracks() || frame_rate <= 0) return {};
  frame_rate_ = frame_rate;
  frames_.push_back(result.frame);
  if (people_count(result)) known_frames_.push_back(result.frame);
  Recent recent{result.frame, {}, {}};
  for (const FramePerson& person : people_of(result)) {
    if (!person.track) continue;
    recent.points.push_back(point_of(result.frame, person.found, recent.points.size()));
    recent.chain_numbers.push_back(person.id());
    if (mail_ || person.id() <= 0) continue;
    PathPoint& point = paths_[person.id()].emplace_back(recent.points.back());
    point.x_m = person.track->x_m, point.y_m = person.track->y_m;
  }
  forget_before(result.frame - static_cast<int64_t>(kWindow_s * frame_rate));
  if (!mail_) return {};
  recent_.push_back(std::move(recent));
  std::optional<SeenFrame> seen = finder_ ? seen_frame(result) : std::nullopt;
  const Status added = seen ? finder_->add(std::move(*seen)) : Status();
  take_mail();
  return added;
}

void LiveTracks::take_mail() {
  for (const FinalPaths& settled : mail_->take()) settle(settled);
  number_recent();
}

void LiveTracks::settle(const FinalPaths& settled) {
  std::map<std::pair<int64_t, int32_t>, int64_t> numbers;  // keyed by frame and person
  for (const PersonPath& part : settled.parts) {
    last_number_ = std::max(last_number_, part.id);
    std::deque<PathPoint>& points = paths_[part.id];
    points.insert(points.end(), part.points.begin(), part.points.end());
    for (const PathPoint& point : part.points)
      if (point.person >= 0) numbers[{point.frame, point.person}] = part.id;
  }
  settled_end_ = settled.end;
  for (; !recent_.empty() && recent_.front().frame < settled_end_; recent_.pop_front()) {
    const Recent& recent = recent_.front();
    for (size_t i = 0; i < recent.chain_numbers.size(); ++i) {
      const auto number = numbers.find({recent.frame, static_cast<int32_t>(i)});
      keep_number(recent.chain_numbers[i], number == numbers.end() ? 0 : number->second, recent.frame);
    }
  }
}

// An ID belongs to one person: any other person with it loses it.
void LiveTracks::keep_number(int64_t chain_number, int64_t number, int64_t frame) {
  if (chain_number <= 0) return;
  settled_as_.erase(chain_number);
  if (number == 0) return;
  std::erase_if(settled_as_, [&](const auto& other) { return other.second.number == number; });
  settled_as_[chain_number] = {number, frame};
}

void LiveTracks::number_recent() {
  std::set<int64_t> others;
  for (const Recent& recent : recent_)
    for (const int64_t chain_number : recent.chain_numbers)
      if (chain_number > 0 && !settled_as_.contains(chain_number)) others.insert(chain_number);
  provisional_.clear();
  int64_t next = last_number_;
  for (const int64_t chain_number : others) provisional_[chain_number] = ++next;
}

int64_t LiveTracks::number_of(int64_t chain_number) const {
  if (const auto settled = settled_as_.find(chain_number); settled != settled_as_.end())
    return settled->second.number;
  const auto number = provisional_.find(chain_number);
  return number == provisional_.end() ? 0 : number->second;
}

// People who are new in the next frame get the IDs after the provisional ones, as number_recent() will assign
// them.
int64_t LiveTracks::shown_id(const FrameResult& result, int64_t chain_number) const {
  if (!mail_ || chain_number <= 0) return chain_number;
  if (const int64_t number = number_of(chain_number); number > 0) return number;
  std::set<int64_t> unknown{chain_number};
  for (const FramePerson& person : people_of(result))
    if (person.id() > 0 && number_of(person.id()) == 0) unknown.insert(person.id());
  const auto before = std::distance(unknown.begin(), unknown.find(chain_number));
  return last_number_ + static_cast<int64_t>(provisional_.size()) + before + 1;
}

void LiveTracks::forget_before(int64_t frame) {
  drop_before(frame, &frames_);
  drop_before(frame, &known_frames_);
  while (!recent_.empty() && recent_.front().frame < frame) recent_.pop_front();
  for (auto& [number, points] : paths_)
    while (!points.empty() && points.front().frame < frame) points.pop_front();
  std::erase_if(paths_, [](const auto& path) { return path.second.empty(); });
  std::erase_if(settled_as_, [&](const auto& settled) { return settled.second.frame < frame; });
}

std::vector<PersonPath> LiveTracks::since(int64_t frame) const {
  std::map<int64_t, PersonPath> paths;
  const auto path_of = [&](int64_t number) -> PathPoints& {
    PersonPath& path = paths[number];
    path.id = number;
    return path.points;
  };
  for (const auto& [number, points] : paths_) {
    const auto first = first_from(points, frame);
    if (first != points.end()) path_of(number).append(first, points.end());
  }
  for (const Recent& recent : recent_)
    for (size_t i = 0; recent.frame >= frame && i < recent.points.size(); ++i)
      if (const int64_t number = number_of(recent.chain_numbers[i]); number > 0)
        path_of(number).push_back(recent.points[i]);
  std::vector<PersonPath> all;
  for (auto& [number, path] : paths) all.push_back(std::move(path));
  return all;
}

TracksRef LiveTracks::tracks() const {
  auto tracks = std::make_shared<Tracks>();
  tracks->frame_rate = frame_rate_;
  tracks->frames.assign(frames_.begin(), frames_.end());
  tracks->known_frames.assign(known_frames_.begin(), known_frames_.end());
  tracks->paths = since(INT64_MIN);
  if (mail_) tracks->settled_end = settled_end_, tracks->latency_s = latency_s_;
  tracks->index();
  return tracks;
}

std::optional<std::vector<int64_t>> LiveTracks::ids_of(const FrameResult& result) const {
  if (!mail_ || !result.tracks()) return std::nullopt;
  const bool forgotten = frames_.empty() || result.frame < frames_.front();
  const bool settled = !forgotten && result.frame < settled_end_;
  std::vector<int64_t> ids;
  for (const FramePerson& person : people_of(result))
    ids.push_back(settled || forgotten ? 0 : number_of(person.id()));
  for (const auto& [number, points] : paths_)
    if (const PathPoint* point = settled ? point_in(points, result.frame) : nullptr;
        point && point->person >= 0 && static_cast<size_t>(point->person) < ids.size())
      ids[point->person] = number;
  return ids;
}

void LiveSummary::note(const FrameResult& result, int thinning) {
  const std::optional<size_t> counted = people_count(result);
  const auto count = static_cast<int16_t>(counted ? static_cast<int>(*counted) : -1);
  for (int64_t set = result.frame; set < result.frame + thinning; ++set) add(set, count);
}

void LiveSummary::add(int64_t set, int16_t people) {
  if (set < sets_.first) return;
  while ((set - sets_.first) / sets_.every >= kMax) halve();
  const auto place = static_cast<size_t>((set - sets_.first) / sets_.every);
  if (sets_.entries.size() <= place) sets_.entries.resize(place + 1);
  FrameSummary& entry = sets_.entries[place];
  entry = {FrameState::current, std::max(entry.people, people)};
}

// Drops whole entries; sets count singly again once no entry is left.
void LiveSummary::forget_before(int64_t set) {
  const int64_t gone = std::max<int64_t>(0, set - sets_.first) / sets_.every;
  if (gone == 0) return;
  if (gone >= static_cast<int64_t>(sets_.entries.size())) {
    sets_ = {.entries = {}, .first = set, .every = 1};
    return;
  }
  sets_.entries.erase(sets_.entries.begin(), sets_.entries.begin() + gone);
  sets_.first += gone * sets_.every;
}

// The larger number of people of the two; analysed where one of them is.
void LiveSummary::halve() {
  std::vector<FrameSummary>& entries = sets_.entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    FrameSummary& half = entries[i / 2];
    if (i % 2 == 0)
      half = entries[i];
    else if (entries[i].state == FrameState::current)
      half = {FrameState::current, std::max(half.people, entries[i].people)};
  }
  entries.resize((entries.size() + 1) / 2);
  sets_.every *= 2;
}

}  // namespace vantage
