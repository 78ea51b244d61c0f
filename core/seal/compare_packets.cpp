#include "core/seal/compare_packets.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace vantage {
namespace {

constexpr int64_t kNone = -1;
constexpr size_t kMaxCandidates = 64;  // groups that begin alike: pictures that do not change

class Comparison {
 public:
  using Next = std::function<Result<bool>(PacketDigest*)>;

  Comparison(const std::vector<SealedGroup>& groups, const Next& next) : groups_(groups), next_(next) {}

  Result<std::vector<SealFinding>> run() {
    VANTAGE_ASSIGN(const int64_t same, read_equal_groups());
    if (same == count() && packets_.empty()) return std::vector<SealFinding>();
    recognise(same);
    tell_copies(same);
    explain_stretches(same);
    explain_missing(same);
    explain_order();
    return joined();
  }

 private:
  // A run of packets that is one of the groups, or a stretch in which none was recognised.
  struct Item {
    int64_t group = kNone;
    bool exact = false, again = false;  // also the times; it came before
    size_t begin = 0, end = 0;          // of packets_
  };

  int64_t count() const { return static_cast<int64_t>(groups_.size()); }
  const SealedGroup& group(int64_t number) const { return groups_[static_cast<size_t>(number)]; }

  // How many groups are as sealed, in order from the first; packets_ then holds all behind them.
  Result<int64_t> read_equal_groups() {
    PacketDigest packet;
    Sha256 sum;
    int64_t same = 0;
    for (;; ++same) {
      packets_.clear();
      const int64_t wanted = same < count() ? group(same).packets : 0;
      bool more = true;
      while (static_cast<int64_t>(packets_.size()) < wanted) {
        VANTAGE_ASSIGN(more, next_(&packet));
        if (!more) break;
        packets_.push_back(packet);
        sum.add(line_of(packet));
      }
      if (hex_of(sum.finish()) != (wanted > 0 ? group(same).sha256 : "") || !more) break;
    }
    for (;;) {
      VANTAGE_ASSIGN(const bool more, next_(&packet));
      if (!more) break;
      packets_.push_back(packet);
    }
    return same;
  }

  bool same_content(int64_t number, size_t at) const {
    const std::vector<uint64_t>& tags = group(number).tags;
    if (tags.empty() || at + tags.size() > packets_.size()) return false;
    for (size_t i = 0; i < tags.size(); ++i)
      if (tag_of(packets_[at + i]) != tags[i]) return false;
    return true;
  }
  bool same_times(int64_t number, size_t at) const {
    Sha256 sum;
    for (size_t i = 0; i < group(number).tags.size(); ++i) sum.add(line_of(packets_[at + i]));
    return hex_of(sum.finish()) == group(number).sha256;
  }

  // Groups that begin like the packet: those not recognised so far before others, the nearest to the expected
  // one first.
  std::vector<int64_t> candidates(size_t at, int64_t expected) const {
    const auto found = by_first_tag_.find(tag_of(packets_[at]));
    if (found == by_first_tag_.end()) return {};
    const std::vector<int64_t>& all = found->second;
    const auto middle = std::lower_bound(all.begin(), all.end(), expected);
    std::vector<int64_t> near;
    const auto half = static_cast<std::ptrdiff_t>(kMaxCandidates / 2);
    near.assign(middle - std::min(half, middle - all.begin()), middle + std::min(half, all.end() - middle));
    std::stable_sort(near.begin(), near.end(), [&](int64_t a, int64_t b) {
      const bool a_used = used_[static_cast<size_t>(a)], b_used = used_[static_cast<size_t>(b)];
      if (a_used != b_used) return b_used;
      return std::abs(a - expected) < std::abs(b - expected);
    });
    return near;
  }

  std::optional<Item> find_at(size_t at, int64_t expected) {
    std::optional<Item> same;
    for (const int64_t number : candidates(at, expected)) {
      if (!same_content(number, at)) continue;
      const bool exact = same_times(number, at);
      if (!same || exact) {
        same = Item{number, exact, used_[static_cast<size_t>(number)], at, at + group(number).tags.size()};
        if (exact) break;
      }
    }
    return same;
  }

  void recognise(int64_t same) {
    used_.assign(groups_.size(), false);
    std::fill(used_.begin(), used_.begin() + same, true);
    for (int64_t number = 0; number < count(); ++number)
      if (!group(number).tags.empty()) by_first_tag_[group(number).tags[0]].push_back(number);
    int64_t expected = same;
    for (size_t at = 0; at < packets_.size();) {
      if (std::optional<Item> item = find_at(at, expected)) {
        used_[static_cast<size_t>(item->group)] = true;
        expected = item->group + 1;
        at = item->end;
        items_.push_back(*item);
        continue;
      }
      if (items_.empty() || items_.back().group != kNone) items_.push_back({kNone, false, false, at, at});
      items_.back().end = ++at;
    }
  }

  // The original among runs that are the same group is the one whose neighbours are its own.
  void tell_copies(int64_t same) {
    std::unordered_map<int64_t, size_t> first;
    for (size_t i = 0; i < items_.size(); ++i) {
      Item& item = items_[i];
      if (item.group == kNone) continue;
      const auto [found, is_first] = first.emplace(item.group, i);
      if (is_first || !item.again) continue;
      Item& former = items_[found->second];
      if (former.again || fit(i, same) <= fit(found->second, same)) continue;
      former.again = true, item.again = false;
      found->second = i;
    }
  }
  int fit(size_t number, int64_t same) const {
    const int64_t before = number == 0 ? same - 1 : items_[number - 1].group;
    const int64_t after = number + 1 == items_.size() ? count() : items_[number + 1].group;
    return (before == items_[number].group - 1) + (after == items_[number].group + 1) + items_[number].exact;
  }

  void find(SealChange change, int64_t number, std::string text = {}) {
    findings_.push_back({change, number, number, std::move(text)});
  }

  // The missing groups next to what was recognised before and after a stretch.
  std::vector<int64_t> missing_around(int64_t before, int64_t after) const {
    std::set<int64_t> around;
    const auto is_missing = [this](int64_t number) {
      return number >= 0 && number < count() && !used_[static_cast<size_t>(number)] &&
             !explained_.contains(number);
    };
    for (int64_t number = before + 1; is_missing(number); ++number) around.insert(number);
    for (int64_t number = after - 1; is_missing(number); --number) around.insert(number);
    return {around.begin(), around.end()};
  }

  void explain_stretches(int64_t same) {
    int64_t before = same - 1;
    for (size_t i = 0; i < items_.size(); ++i) {
      const Item& item = items_[i];
      if (item.group != kNone) {
        if (item.again)
          find(SealChange::spliced, std::min(before + 1, count()), fmt::format("group {} again", item.group));
        else if (!item.exact)
          find(SealChange::retimed, item.group);
        if (!item.again) before = item.group;
        continue;
      }
      int64_t after = count();
      for (size_t k = i + 1; k < items_.size() && after == count(); ++k)
        if (items_[k].group != kNone && !items_[k].again) after = items_[k].group;
      const std::vector<int64_t> missing = missing_around(before, after);
      const std::string packets =
          fmt::format("{} packets that the seal does not have", item.end - item.begin);
      if (!missing.empty())
        explain_stretch(item, missing);
      else if (i + 1 == items_.size() && before == count() - 1)
        find(SealChange::appended, count(), packets);
      else
        find(SealChange::spliced, std::min(before + 1, count()), packets);
    }
  }

  // What became of each missing group in a stretch.
  struct Rest {
    int64_t own = 0, foreign = 0, bytes = 0;
  };

  void explain_stretch(const Item& item, const std::vector<int64_t>& missing) {
    std::unordered_multimap<uint64_t, size_t> places;  // of tags, in `missing`
    for (size_t m = 0; m < missing.size(); ++m)
      for (const uint64_t tag : group(missing[m]).tags) places.emplace(tag, m);
    std::vector<Rest> rests(missing.size());
    size_t now = 0;
    for (size_t at = item.begin; at < item.end; ++at) {
      size_t its = missing.size();
      const auto [first, last] = places.equal_range(tag_of(packets_[at]));
      for (auto place = first; place != last; ++place)
        if (place->second >= now) its = std::min(its, place->second);
      const bool own = its < missing.size();
      if (own) {
        now = its;
      } else if (now + 1 < missing.size() &&
                 rests[now].own + rests[now].foreign >= group(missing[now]).packets) {
        ++now;
      }
      ++(own ? rests[now].own : rests[now].foreign);
      rests[now].bytes += packets_[at].bytes;
    }
    const bool ends_the_file = item.end == packets_.size();
    for (size_t m = 0; m < missing.size(); ++m) {
      const Rest& rest = rests[m];
      if (rest.own + rest.foreign == 0) continue;  // explain_missing()
      explained_.insert(missing[m]);
      bool last = ends_the_file;
      for (size_t k = m + 1; k < missing.size(); ++k) last = last && rests[k].own + rests[k].foreign == 0;
      last = last && missing.back() == count() - 1;
      explain_rest(missing[m], rest, last);
    }
  }

  void explain_rest(int64_t number, const Rest& rest, bool last) {
    const SealedGroup& sealed = group(number);
    const int64_t all = rest.own + rest.foreign;
    // The last packet of a file that was cut may be there in part.
    if (last && rest.foreign <= 1 && rest.bytes < sealed.bytes) return find(SealChange::truncated, number);
    if (rest.foreign == 0 && all < sealed.packets)
      return find(SealChange::missing, number,
                  fmt::format("{} of its {} packets", sealed.packets - all, sealed.packets));
    if (rest.foreign == 0 && all == sealed.packets)
      return find(SealChange::swapped, number, "packets of a group");
    if (all == sealed.packets && (rest.own > 0 || rest.bytes == sealed.bytes))
      return find(SealChange::bits, number,
                  fmt::format("{} of its {} packets", rest.foreign, sealed.packets));
    find(SealChange::spliced, number,
         rest.own > 0 ? fmt::format("{} packets in it are not its own", all - std::min(all, rest.own))
                      : fmt::format("{} packets in its place", all));
  }

  // Groups of which nothing is there.
  void explain_missing(int64_t same) {
    int64_t end = count();
    const auto gone = [this](int64_t number) {
      return !used_[static_cast<size_t>(number)] && !explained_.contains(number);
    };
    for (; end > same && gone(end - 1); --end) find(SealChange::truncated, end - 1);
    for (int64_t number = same; number < end; ++number)
      if (gone(number)) find(SealChange::missing, number);
  }

  // Groups that are at another place among those that are there.
  void explain_order() {
    std::vector<int64_t> order;
    for (const Item& item : items_)
      if (item.group != kNone && !item.again) order.push_back(item.group);
    std::vector<int64_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < order.size(); ++i)
      if (order[i] != sorted[i]) find(SealChange::swapped, order[i]);
  }

  std::vector<SealFinding> joined() {
    std::stable_sort(findings_.begin(), findings_.end(), [](const SealFinding& a, const SealFinding& b) {
      return std::pair(a.change, a.first_group) < std::pair(b.change, b.first_group);
    });
    std::vector<SealFinding> runs;
    for (SealFinding& one : findings_) {
      const bool follows =
          !runs.empty() && runs.back().change == one.change && one.first_group <= runs.back().last_group + 1;
      if (!follows) {
        runs.push_back(std::move(one));
      } else if (one.first_group > runs.back().last_group) {
        runs.back().last_group = one.last_group;
        runs.back().text.clear();  // of one group alone
      }
    }
    std::stable_sort(runs.begin(), runs.end(), [](const SealFinding& a, const SealFinding& b) {
      return a.first_group < b.first_group;
    });
    return runs;
  }

  const std::vector<SealedGroup>& groups_;
  const Next& next_;
  std::vector<PacketDigest> packets_;  // from the first group that differs on
  std::unordered_map<uint64_t, std::vector<int64_t>> by_first_tag_;
  std::vector<bool> used_;  // by group: recognised
  std::vector<Item> items_;
  std::set<int64_t> explained_;  // missing groups of which something is there
  std::vector<SealFinding> findings_;
};

}  // namespace

Result<std::vector<SealFinding>> compare_packets(const std::vector<SealedGroup>& groups,
                                                 const std::function<Result<bool>(PacketDigest*)>& next) {
  return Comparison(groups, next).run();
}

}  // namespace vantage
