// Thousands of random edits of made-up packets: each is found, and located in its group.
#include "core/seal/compare_packets.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "tests/support/loop_size.h"
#include "tests/unit/seal/made_packets.h"
#include "tests/unit/video/video_test_support.h"

namespace vantage::test {
namespace {

using Random = std::mt19937_64;

std::vector<SealFinding> compare(const std::vector<SealedGroup>& sealed,
                                 const std::vector<MadePacket>& packets) {
  size_t at = 0;
  const auto found = compare_packets(sealed, [&](PacketDigest* packet) -> Result<bool> {
    if (at == packets.size()) return false;
    *packet = packets[at++].digest;
    return true;
  });
  EXPECT_TRUE(found);
  return found.value_or(std::vector<SealFinding>());
}

// What an edit did: the first and last group it touched, and what it may be called.
struct Edit {
  int64_t first = 0, last = 0;
  std::vector<SealChange> kinds;
};

MadePacket other_content(const MadePacket& packet, Random& random, int64_t bytes) {
  MadePacket made =
      made_packet(random(), packet.digest.time.value(), bytes, packet.digest.picture, packet.digest.key);
  return made;
}

// Later packets close the gap that is left, or make way.
void shift_from(std::vector<MadeGroup>& groups, size_t from, int64_t ticks) {
  for (size_t g = from; g < groups.size(); ++g)
    for (MadePacket& packet : groups[g]) *packet.digest.time += ticks;
}

Edit flip(std::vector<MadeGroup>& groups, Random& random) {
  const size_t g = random() % groups.size();
  MadePacket& packet = groups[g][random() % groups[g].size()];
  packet = other_content(packet, random, packet.digest.bytes);
  return {static_cast<int64_t>(g), static_cast<int64_t>(g), {SealChange::bits}};
}
Edit drop_group(std::vector<MadeGroup>& groups, Random& random) {
  const size_t g = random() % (groups.size() - 1);
  groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(g));
  return {static_cast<int64_t>(g), static_cast<int64_t>(g), {SealChange::missing}};
}
Edit drop_packet(std::vector<MadeGroup>& groups, Random& random) {
  size_t g = random() % (groups.size() - 1);
  for (size_t i = 0; i < groups.size() && groups[g].size() < 2; ++i) g = (g + 1) % (groups.size() - 1);
  if (groups[g].size() < 2) return flip(groups, random);
  groups[g].erase(groups[g].begin() + static_cast<std::ptrdiff_t>(random() % groups[g].size()));
  return {static_cast<int64_t>(g), static_cast<int64_t>(g), {SealChange::missing}};
}
Edit swap_groups(std::vector<MadeGroup>& groups, Random& random) {
  size_t a = random() % groups.size(), b = random() % groups.size();
  while (b == a) b = random() % groups.size();
  std::swap(groups[a], groups[b]);
  return {static_cast<int64_t>(std::min(a, b)), static_cast<int64_t>(std::max(a, b)), {SealChange::swapped}};
}
Edit repeat_group(std::vector<MadeGroup>& groups, Random& random) {
  const size_t from = random() % groups.size(), to = random() % (groups.size() + 1);
  const MadeGroup copy = groups[from];
  groups.insert(groups.begin() + static_cast<std::ptrdiff_t>(to), copy);
  // A copy right before its original is one right behind it.
  const auto g = static_cast<int64_t>(to == from ? from + 1 : to);
  return {g, g, {SealChange::spliced}};
}
Edit retime_group(std::vector<MadeGroup>& groups, Random& random) {
  const size_t g = random() % groups.size();
  for (MadePacket& packet : groups[g]) *packet.digest.time += 1 + static_cast<int64_t>(random() % 5);
  return {static_cast<int64_t>(g), static_cast<int64_t>(g), {SealChange::retimed}};
}
Edit retime_rest(std::vector<MadeGroup>& groups, Random& random) {
  const size_t g = random() % groups.size();
  shift_from(groups, g, 40);
  return {static_cast<int64_t>(g), static_cast<int64_t>(groups.size() - 1), {SealChange::retimed}};
}
Edit splice(std::vector<MadeGroup>& groups, Random& random) {
  const size_t g = random() % groups.size();
  const std::vector<MadeGroup> other = made_groups(random, 1 + static_cast<int>(random() % 3), 12);
  const bool instead = random() % 2 == 0;
  // As many pictures of the same sizes as were there are other bits.
  if (instead) groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(g));
  groups.insert(groups.begin() + static_cast<std::ptrdiff_t>(g), other.begin(), other.end());
  return {static_cast<int64_t>(g), static_cast<int64_t>(g), {SealChange::spliced, SealChange::truncated}};
}
Edit truncate(std::vector<MadeGroup>& groups, Random& random) {
  const auto count = static_cast<int64_t>(groups.size());
  size_t g = random() % groups.size();
  const size_t kept = random() % groups[g].size();
  groups.resize(g + 1);
  groups[g].resize(kept);
  return {static_cast<int64_t>(g), count - 1, {SealChange::truncated}};
}
Edit append(std::vector<MadeGroup>& groups, Random& random) {
  const auto count = static_cast<int64_t>(groups.size());
  const std::vector<MadeGroup> other = made_groups(random, 1, 12);
  groups.insert(groups.end(), other.begin(), other.end());
  return {count, count, {SealChange::appended}};
}
Edit swap_packets(std::vector<MadeGroup>& groups, Random& random) {
  size_t g = random() % groups.size();
  for (size_t i = 0; i < groups.size() && groups[g].size() < 3; ++i) g = (g + 1) % groups.size();
  if (groups[g].size() < 3) return flip(groups, random);
  std::swap(groups[g][1], groups[g][2]);
  return {static_cast<int64_t>(g), static_cast<int64_t>(g), {SealChange::swapped}};
}

constexpr Edit (*kEdits[])(std::vector<MadeGroup>&, Random&) = {
    flip,        drop_group, drop_packet, swap_groups, repeat_group, retime_group,
    retime_rest, splice,     truncate,    append,      swap_packets};

TEST(SealComparison, FindsAndLocatesRandomEdits) {
  constexpr double kWantedShare = 0.999;
  const SealFolder folder;
  std::cout << "VANTAGE_TEST_SEED=" << test_seed() << "\n";
  Random random(test_seed());
  const int count = loop_size("VANTAGE_SEAL_EDITS", 2000);
  int located = 0, named = 0;
  for (int i = 0; i < count; ++i) {
    const std::vector<MadeGroup> recorded = made_groups(random, 3 + static_cast<int>(random() % 20), 12);
    const Seal seal = folder.read(folder.seal_text(recorded)).value();
    ASSERT_TRUE(seal.faults.empty() && seal.complete);
    ASSERT_EQ(seal.groups.size(), recorded.size());
    ASSERT_TRUE(compare(seal.groups, flat(recorded)).empty());
    std::vector<MadeGroup> edited = recorded;
    const auto number = static_cast<size_t>(random() % std::size(kEdits));
    const Edit edit = kEdits[number](edited, random);
    const std::vector<SealFinding> found = compare(seal.groups, flat(edited));
    ASSERT_FALSE(found.empty()) << "edit " << number << " of case " << i;
    int64_t last = 0;
    for (const SealFinding& one : found) last = std::max(last, one.last_group);
    const bool at_its_place = found.front().first_group == edit.first && last == edit.last;
    const bool by_its_name = std::any_of(found.begin(), found.end(), [&](const SealFinding& one) {
      return std::find(edit.kinds.begin(), edit.kinds.end(), one.change) != edit.kinds.end();
    });
    located += at_its_place, named += by_its_name;
    if (!at_its_place || !by_its_name) {
      std::cout << "case " << i << ", edit " << number << ": groups " << edit.first << " to " << edit.last
                << " of " << recorded.size() << "; found";
      for (const SealFinding& one : found)
        std::cout << ' ' << kSealChangeNames[static_cast<size_t>(one.change)] << ' ' << one.first_group
                  << ".." << one.last_group;
      std::cout << '\n';
    }
  }
  std::cout << count << " edits, all found, " << located << " located, " << named << " named\n";
  EXPECT_GE(located, kWantedShare * count);
  EXPECT_GE(named, kWantedShare * count);
}

// Pictures that do not change: groups that differ in their times alone.
TEST(SealComparison, LocatesByTimesWhereContentRepeats) {
  const SealFolder folder;
  std::vector<MadeGroup> recorded;
  for (int g = 0; g < 300; ++g) recorded.push_back({made_packet(7, 40 * g, 500, true, true)});
  const Seal seal = folder.read(folder.seal_text(recorded)).value();
  std::vector<MadeGroup> edited = recorded;
  edited.erase(edited.begin() + 100);
  const auto found = compare(seal.groups, flat(edited));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].change, SealChange::missing);
  EXPECT_EQ(found[0].first_group, 100);
  EXPECT_EQ(found[0].last_group, 100);
}

}  // namespace
}  // namespace vantage::test
