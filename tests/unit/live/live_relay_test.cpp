#include "core/live/live_relay.h"

#include <gtest/gtest.h>

#include <map>

namespace vantage {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kStep = kSecond / 10;
constexpr int kGroup = 10;  // pictures between two start points

// What a listener got.
struct Heard final : LiveTap {
  void on_packet(size_t camera, const StreamPacket& packet) override {
    if (packets[camera].empty())
      EXPECT_TRUE(packet.start || !starts_needed) << "camera " << camera;
    else
      EXPECT_EQ(packet.number, packets[camera].back() + 1) << "camera " << camera;
    packets[camera].push_back(packet.number);
  }
  void on_set(const TappedSet& set) override {
    for (size_t i = 0; i < set.packets.size(); ++i)
      if (set.packets[i] >= 0) {
        ASSERT_FALSE(packets[i].empty()) << "set " << set.frame << " names what was not there";
        EXPECT_GE(set.packets[i], packets[i].front()) << "set " << set.frame;
        EXPECT_LE(set.packets[i], packets[i].back()) << "set " << set.frame;
      }
    sets.push_back(set.frame);
  }
  std::map<size_t, std::vector<int64_t>> packets;
  std::vector<int64_t> sets;
  bool starts_needed = true;
};

// Two cameras of ten pictures a second, the second half a group behind; set N shows packet N of both.
class LiveRelayTest : public testing::Test {
 protected:
  void bring(int64_t count, bool starts = true) {
    for (const int64_t end = next_ + count; next_ < end; ++next_) {
      for (size_t camera = 0; camera < 2; ++camera) {
        if (camera == 1 && away_) continue;
        StreamPacket packet;
        packet.number = next_;
        packet.arrival_ns = next_ * kStep;
        packet.size_bytes = 100;
        packet.start = starts && (next_ + static_cast<int64_t>(camera) * kGroup / 2) % kGroup == 0;
        relay_.on_packet(camera, packet);
      }
      relay_.on_set({next_, {next_, away_ || unnamed_ ? TappedSet::kNoPicture : next_}});
    }
  }
  std::shared_ptr<Heard> listen(int64_t first_set) {
    auto heard = std::make_shared<Heard>();
    begun_ = relay_.add(heard, first_set);
    return heard;
  }

  static constexpr int64_t kMaxBytes = 50'000;
  LiveRelay relay_{2, kMaxBytes};
  bool away_ = false, unnamed_ = false;
  int64_t next_ = 0, begun_ = -1;
};

TEST_F(LiveRelayTest, AListenerBeginsWithTheStartBeforeItsFirstSet) {
  relay_.keep(5);
  bring(100);
  const auto heard = listen(73);
  EXPECT_EQ(heard->packets[0].front(), 70);
  EXPECT_EQ(heard->packets[1].front(), 65);
  EXPECT_EQ(heard->packets[0].back(), 99);
  EXPECT_EQ(begun_, 70) << "sets whose pictures it can decode, of both cameras";
  EXPECT_EQ(heard->sets.front(), 70);
  EXPECT_EQ(heard->sets.back(), 99);
  bring(5);
  EXPECT_EQ(heard->sets.size(), 35u);
  EXPECT_EQ(heard->packets[1].back(), 104);
  relay_.remove(*heard);
  bring(5);
  EXPECT_EQ(heard->packets[0].back(), 104);
}

// Of that camera the next set counts.
TEST_F(LiveRelayTest, AFirstSetWithoutAPictureLosesNothingOfThePast) {
  relay_.keep(5);
  bring(73);
  unnamed_ = true;
  bring(1);
  unnamed_ = false;
  bring(26);
  const auto heard = listen(73);
  EXPECT_EQ(heard->packets[0].front(), 70);
  EXPECT_EQ(heard->packets[1].front(), 65);
  EXPECT_EQ(begun_, 70);
}

TEST_F(LiveRelayTest, WhatWasNotKeptBeginsWithWhatIs) {
  relay_.keep(2);
  bring(100);
  const auto heard = listen(0);
  EXPECT_EQ(heard->packets[0].front(), 70) << "the last start two seconds before, or earlier";
  EXPECT_EQ(heard->packets[1].front(), 75);
  EXPECT_EQ(begun_, 75);
}

TEST_F(LiveRelayTest, NothingAskedForBeginsWithTheLastStart) {
  bring(100);
  const auto heard = listen(LiveRelay::kNewest);
  EXPECT_EQ(heard->packets[0].front(), 90);
  EXPECT_EQ(heard->packets[1].front(), 95);
  EXPECT_EQ(begun_, 95);
}

TEST_F(LiveRelayTest, ACameraThatIsAwayKeepsNothing) {
  relay_.keep(2);
  bring(50);
  away_ = true;
  bring(200);
  const auto heard = listen(240);
  EXPECT_EQ(heard->packets[0].front(), 240);
  EXPECT_TRUE(heard->packets[1].empty());
  EXPECT_EQ(heard->sets.front(), 240);
}

TEST_F(LiveRelayTest, MemoryIsBoundedWhateverIsAskedFor) {
  relay_.keep(1000);
  bring(2000);
  const auto heard = listen(0);
  const size_t packets = heard->packets[0].size() + heard->packets[1].size();
  EXPECT_LE(packets * 100, static_cast<size_t>(kMaxBytes));
  EXPECT_GT(packets, 400u);
  relay_.forget();
  EXPECT_TRUE(listen(0)->packets.empty());
}

// As one whose pictures refresh bit by bit.
TEST_F(LiveRelayTest, ACameraWithoutStartsBeginsWithTheSetsPicture) {
  relay_.keep(5);
  bring(100, false);
  auto heard = std::make_shared<Heard>();
  heard->starts_needed = false;
  EXPECT_EQ(relay_.add(heard, 73), 73);
  EXPECT_EQ(heard->packets[0].front(), 73);
}

TEST_F(LiveRelayTest, IsNeededWhileSomebodyListensOrSomethingIsToBeKept) {
  EXPECT_FALSE(relay_.needed());
  relay_.keep(1);
  EXPECT_TRUE(relay_.needed());
  relay_.keep(0);
  const auto heard = listen(0);
  EXPECT_TRUE(relay_.needed());
  relay_.remove(*heard);
  EXPECT_FALSE(relay_.needed());
}

}  // namespace
}  // namespace vantage
