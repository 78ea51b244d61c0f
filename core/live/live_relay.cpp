#include "core/live/live_relay.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace vantage {
namespace {

constexpr int64_t kAway_ns = 5'000'000'000;  // silence after which a camera counts as away

// True when a listener that begins with those packets lacks one that the set names.
bool begins_later(const TappedSet& set, const std::vector<int64_t>& first) {
  for (size_t i = 0; i < set.packets.size() && i < first.size(); ++i)
    if (set.packets[i] >= 0 && set.packets[i] < first[i]) return true;
  return false;
}

// Pictures in transit when the first packet was kept have none.
bool names_packets(const TappedSet& set) {
  return std::any_of(set.packets.begin(), set.packets.end(), [](int64_t packet) { return packet >= 0; });
}

}  // namespace

TappedSet tapped(const AssembledSet& set) {
  TappedSet without_pictures{.frame = set.frames.frame, .packets = {}};
  for (const CameraFrame& camera : set.frames.cameras) {
    const int64_t packet = camera.packet >= 0 ? camera.packet : TappedSet::kNoPacket;
    without_pictures.packets.push_back(camera.picture ? packet : TappedSet::kNoPicture);
  }
  return without_pictures;
}

void LiveRelay::keep(double seconds) {
  const std::lock_guard lock(mutex_);
  keep_ns_ = std::llround(seconds * 1e9);
}

int64_t LiveRelay::add(std::shared_ptr<LiveTap> tap, int64_t first_set) {
  const std::lock_guard lock(mutex_);
  const std::vector<int64_t> first = first_packets(first_set);
  int64_t begun = -1;
  for (const Entry& entry : entries_) {
    if (const auto* brought = std::get_if<CameraPacket>(&entry.brought)) {
      if (brought->packet.number >= first[brought->camera]) tap->on_packet(brought->camera, brought->packet);
    } else if (const auto& set = std::get<TappedSet>(entry.brought); !begins_later(set, first)) {
      if (begun < 0 && !names_packets(set)) continue;
      if (begun < 0) begun = set.frame;
      tap->on_set(set);
    }
  }
  taps_.push_back(std::move(tap));
  return begun;
}

void LiveRelay::remove(const LiveTap& tap) {
  const std::lock_guard lock(mutex_);
  std::erase_if(taps_, [&](const auto& other) { return other.get() == &tap; });
}

bool LiveRelay::needed() const {
  const std::lock_guard lock(mutex_);
  return !taps_.empty() || keep_ns_ > 0;
}

void LiveRelay::forget() {
  const std::lock_guard lock(mutex_);
  front_place_ += static_cast<int64_t>(entries_.size());
  entries_.clear();
  bytes_ = 0;
  for (Camera& camera : cameras_) camera.starts.clear();
}

void LiveRelay::on_packet(size_t camera, const StreamPacket& packet) {
  const std::lock_guard lock(mutex_);
  newest_ns_ = std::max(newest_ns_, packet.arrival_ns);
  cameras_[camera].arrival_ns = packet.arrival_ns;
  if (packet.start)
    cameras_[camera].starts.push_back(
        {packet.arrival_ns, packet.number, front_place_ + static_cast<int64_t>(entries_.size())});
  keep_entry({CameraPacket{camera, packet}, packet.arrival_ns});
  for (const auto& tap : taps_) tap->on_packet(camera, packet);
}

void LiveRelay::on_set(const TappedSet& set) {
  const std::lock_guard lock(mutex_);
  keep_entry({set, newest_ns_});
  for (const auto& tap : taps_) tap->on_set(set);
}

// ---- kept packets

void LiveRelay::keep_entry(Entry entry) {
  if (const auto* brought = std::get_if<CameraPacket>(&entry.brought)) bytes_ += brought->packet.size_bytes;
  entries_.push_back(std::move(entry));
  trim();
}

void LiveRelay::trim() {
  const int64_t since_ns = newest_ns_ - keep_ns_;
  for (Camera& camera : cameras_) {
    if (camera.arrival_ns < since_ns - kAway_ns) camera.starts.clear();
    while (camera.starts.size() > 1 && camera.starts[1].arrival_ns <= since_ns) camera.starts.pop_front();
  }
  while (!entries_.empty() && (bytes_ > max_bytes_ || !is_needed(entries_.front(), since_ns))) drop_front();
}

bool LiveRelay::is_needed(const Entry& front, int64_t since_ns) const {
  return front.arrival_ns >= since_ns ||
         std::any_of(cameras_.begin(), cameras_.end(), [&](const Camera& camera) {
           return !camera.starts.empty() && camera.starts.front().place <= front_place_;
         });
}

void LiveRelay::drop_front() {
  if (const auto* brought = std::get_if<CameraPacket>(&entries_.front().brought)) {
    bytes_ -= brought->packet.size_bytes;
    std::deque<Start>& starts = cameras_[brought->camera].starts;
    if (!starts.empty() && starts.front().place == front_place_) starts.pop_front();
  }
  entries_.pop_front();
  ++front_place_;
}

// The first packet of each camera that the set's picture needs for decoding: the last start at or before it,
// else the first one; of a camera that sends none, the picture's own. If the set has no picture of the
// camera, the next set's counts. INT64_MAX: none that is kept.
std::vector<int64_t> LiveRelay::first_packets(int64_t first_set) const {
  std::vector<int64_t> first(cameras_.size(), INT64_MAX);
  for (const Entry& entry : entries_) {
    const auto* set = std::get_if<TappedSet>(&entry.brought);
    for (size_t i = 0; set && set->frame >= first_set && i < first.size(); ++i)
      if (first[i] == INT64_MAX && set->packets[i] >= 0) first[i] = set->packets[i];
  }
  for (size_t i = 0; i < first.size(); ++i) {
    const std::deque<Start>& starts = cameras_[i].starts;
    const auto later = std::find_if(starts.begin(), starts.end(),
                                    [&](const Start& start) { return start.number > first[i]; });
    if (!starts.empty()) first[i] = (later == starts.begin() ? later : std::prev(later))->number;
  }
  return first;
}

}  // namespace vantage
