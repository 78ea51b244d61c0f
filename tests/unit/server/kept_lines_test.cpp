// What all clients share: the lines that are kept, values made for all; and lines found in a results file.
#include "app/server/feed.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "app/server/folder_source.h"
#include "core/results/frame_lines.h"
#include "tests/support/data.h"

namespace vantage::server {
namespace {

constexpr std::chrono::milliseconds kNoWait{0};

FrameLine line(int64_t frame) {
  return {frame, "{\"frame\":" + std::to_string(frame) + "}"};
}

TEST(KeptLines, AClientThatIsTooSlowLosesTheOldestAndIsTold) {
  const auto lines = std::make_shared<KeptLines>(3, 1 << 20);
  lines->add(line(0));
  const auto feed = lines->feed(std::nullopt);
  EXPECT_EQ(feed->next(kNoWait).line->frame, 0);
  EXPECT_EQ(feed->next(kNoWait).kind, FeedEvent::Kind::quiet);
  for (int64_t frame = 1; frame < 10; ++frame) lines->add(line(frame));
  FeedEvent event = feed->next(kNoWait);
  EXPECT_TRUE(event.dropped);
  EXPECT_EQ(event.dropped_lines, 6u);
  EXPECT_EQ(event.line->frame, 7);
  event = feed->next(kNoWait);
  EXPECT_FALSE(event.dropped);
  EXPECT_EQ(event.line->frame, 8);
  lines->close();
  EXPECT_EQ(feed->next(kNoWait).line->frame, 9) << "what is there comes before the end";
  EXPECT_EQ(feed->next(kNoWait).kind, FeedEvent::Kind::end);
}

TEST(KeptLines, ResumesBehindTheFrameThatAClientHas) {
  const auto lines = std::make_shared<KeptLines>(100, 1 << 20);
  for (const int64_t frame : {2, 4, 6}) lines->add(line(frame));  // live cameras leave numbers out
  const auto first = [&](std::optional<int64_t> after) { return lines->feed(after)->next(kNoWait); };
  EXPECT_EQ(first(-1).line->frame, 2);
  EXPECT_EQ(first(2).line->frame, 4);
  EXPECT_EQ(first(3).line->frame, 4);
  EXPECT_EQ(first(std::nullopt).line->frame, 6);
  EXPECT_EQ(first(6).kind, FeedEvent::Kind::quiet);
  EXPECT_FALSE(first(-1).dropped) << "nothing was there before";
  EXPECT_EQ(lines->find(4)->frame, 4);
  EXPECT_EQ(lines->find(3), nullptr);
}

TEST(KeptLines, BeyondWhatIsKeptLinesAreMissingAndNobodyKnowsHowMany) {
  const auto lines = std::make_shared<KeptLines>(2, 1 << 20);
  for (int64_t frame = 0; frame < 9; ++frame) lines->add(line(frame));
  EXPECT_EQ(lines->feed(6)->next(kNoWait).dropped, false) << "7 and 8 are there";
  const FeedEvent event = lines->feed(3)->next(kNoWait);
  EXPECT_TRUE(event.dropped);
  EXPECT_FALSE(event.dropped_lines);
  EXPECT_EQ(event.line->frame, 7);
}

// Frames 0, 2, 4, … of a run whose last three lines are kept, and whose file holds all or some of them.
class ResumedFeedTest : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(path()) << "{}\n"; }
  std::filesystem::path path() const { return folder_.path() / "results.jsonl.part"; }
  void add(int64_t begin, int64_t end, bool in_file = true) {
    for (int64_t frame = begin; frame < end; frame += 2) {
      if (in_file) std::ofstream(path(), std::ios::app) << line(frame).text << "\n";
      lines_->add(line(frame));
    }
  }
  std::unique_ptr<Feed> resume(int64_t after) const {
    auto file = std::make_shared<const FrameLines>(FrameLines::open(path()).value());
    return std::make_unique<ResumedFeed>(FileFeed(std::move(file), closed_, after), lines_, after);
  }
  // From `begin` to `end`, none dropped.
  static void expect_frames(Feed& feed, int64_t begin, int64_t end) {
    for (int64_t frame = begin; frame < end; frame += 2) {
      const FeedEvent event = feed.next(kNoWait);
      ASSERT_EQ(event.kind, FeedEvent::Kind::line) << frame;
      ASSERT_FALSE(event.dropped) << frame;
      ASSERT_EQ(event.line->frame, frame);
      ASSERT_EQ(event.line->text, line(frame).text);
    }
  }

  const test::TemporaryFolder folder_;
  const std::shared_ptr<KeptLines> lines_ = std::make_shared<KeptLines>(3, 1 << 20);
  const std::shared_ptr<std::atomic<bool>> closed_ = std::make_shared<std::atomic<bool>>(false);
};

TEST_F(ResumedFeedTest, WhatIsNoLongerKeptComesFromTheFile) {
  add(0, 1000);
  for (const int64_t after : {-1, 0, 7, 8, 127, 128, 993, 994, 997}) {
    const auto feed = resume(after);
    expect_frames(*feed, after < 0 ? 0 : after / 2 * 2 + 2, 1000);
    EXPECT_EQ(feed->next(kNoWait).kind, FeedEvent::Kind::quiet) << "the run goes on";
  }
}

TEST_F(ResumedFeedTest, TheRunGoesOnWhileTheFileIsRead) {
  add(0, 20);
  const auto feed = resume(1);
  expect_frames(*feed, 2, 10);
  add(20, 400);  // the block that is being read ends before what is kept now
  expect_frames(*feed, 10, 400);
  add(400, 404);
  expect_frames(*feed, 400, 404);
  lines_->close();
  EXPECT_EQ(feed->next(kNoWait).kind, FeedEvent::Kind::end);
}

TEST_F(ResumedFeedTest, WhatTheFileDoesNotHoldIsToldAsDropped) {
  add(0, 20);
  add(20, 40, false);
  const auto feed = resume(1);
  expect_frames(*feed, 2, 20);
  const FeedEvent event = feed->next(kNoWait);
  EXPECT_TRUE(event.dropped);
  EXPECT_EQ(event.line->frame, 34);
}

// However long the file is, it ends soon.
TEST_F(ResumedFeedTest, AtTheEndOnlyWhatIsKeptStillComes) {
  add(0, 400);
  const auto feed = resume(-1);
  expect_frames(*feed, 0, 4);
  *closed_ = true;
  lines_->close();
  FeedEvent event = feed->next(kNoWait);
  EXPECT_TRUE(event.dropped);
  EXPECT_EQ(event.line->frame, 394);
  expect_frames(*feed, 396, 400);
  EXPECT_EQ(feed->next(kNoWait).kind, FeedEvent::Kind::end);
}

TEST(KeptLines, BytesBoundThemToo) {
  const auto lines = std::make_shared<KeptLines>(1000, 100);
  lines->add({0, std::string(1000, 'x')});
  EXPECT_NE(lines->newest(), nullptr) << "one is always kept";
  for (int64_t frame = 1; frame < 50; ++frame) lines->add(line(frame));
  EXPECT_EQ(lines->find(1), nullptr);
  EXPECT_EQ(lines->added(), 50);
  EXPECT_EQ(lines->newest()->frame, 49);
}

TEST(EventStream, WritesEventsOfOneLine) {
  const auto lines = std::make_shared<KeptLines>(1, 1 << 20);
  lines->add(line(0));
  lines->add(line(1));
  EventStream stream(lines->feed(-1));
  EXPECT_EQ(stream.next(), "retry: 2000\n\n");
  EXPECT_EQ(stream.next(),
            "event: dropped\ndata: {\"lines\":null,\"next\":1}\n\n"
            "id: 1\nevent: frame\ndata: {\"frame\":1}\n\n");
  lines->close();
  EXPECT_EQ(stream.next(), "event: end\ndata: {}\n\n");
  EXPECT_EQ(stream.next(), std::nullopt);
}

TEST(Refreshed, IsMadeOnceForAllUntilItIsOld) {
  std::atomic<int> made = 0;
  const Refreshed<int> kept(std::chrono::hours(1), [&] { return ++made; });
  {
    std::vector<std::jthread> asking;
    for (int i = 0; i < 8; ++i) asking.emplace_back([&] { EXPECT_EQ(kept.get(), 1); });
  }
  const Refreshed<int> old(std::chrono::milliseconds(-1), [&] { return ++made; });
  EXPECT_EQ(old.get(), 2);
  EXPECT_EQ(old.get(), 3);
}

// Lines of very different lengths, numbers left out, one line damaged.
TEST(FrameLines, FindsEveryFrameOfAFile) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "results.jsonl";
  std::ofstream file(path);
  file << "{\"schema\":\"vantage-results-1\"}\n";
  const auto text = [](int64_t frame) {
    return "{\"frame\":" + std::to_string(frame) +
           (frame % 2 == 0 ? ",\"people\":{\"count\":null,\"peaks\":0}" : "") + ",\"x\":\"" +
           std::string(static_cast<size_t>(frame * frame % 5000), 'x') + "\"}";
  };
  for (int64_t frame = 0; frame < 600; frame += 3) {
    file << text(frame) << "\n";
    if (frame == 300) file << "{\"frame\":30\n";
  }
  file << "{\"frame\":600,\"not yet";
  file.close();
  const FrameLines lines = FrameLines::open(path).value();
  EXPECT_EQ(lines.header(), "{\"schema\":\"vantage-results-1\"}");
  EXPECT_EQ(lines.last().value(), text(597));
  EXPECT_EQ(lines.count()->lines, 201) << "also the damaged one";
  EXPECT_EQ(lines.count()->unknown, 100);
  for (int64_t frame = -1; frame < 603; ++frame) {
    const Result<std::string> found = lines.line(frame);
    ASSERT_EQ(found.has_value(), frame >= 0 && frame < 600 && frame % 3 == 0) << frame;
    if (found) {
      ASSERT_EQ(*found, text(frame));
    }
  }
  const FrameLines::Range all = lines.range(0, 10000, 10000, 10 << 20).value();
  EXPECT_EQ(std::count(all.text.begin(), all.text.end(), '\n'), 200);
  EXPECT_EQ(all.next, std::nullopt);
  const FrameLines::Range some = lines.range(299, 310, 2, 10 << 20).value();
  EXPECT_EQ(some.text, text(300) + "\n" + text(303) + "\n");
  EXPECT_EQ(some.next, 306);
  EXPECT_EQ(lines.range(299, 310, 100, 1).value().next, 303) << "at least one";
  EXPECT_EQ(lines.range(301, 303, 100, 1000).value().text, "");
}

TEST(FrameLines, GrowsWithItsFile) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "results.jsonl.part";
  EXPECT_EQ(FrameLines::open(path).error().kind, ErrorKind::not_found);
  std::ofstream file(path);
  file << "{}\n" << std::flush;
  const FrameLines lines = FrameLines::open(path).value();
  EXPECT_EQ(lines.last().value(), std::nullopt);
  EXPECT_EQ(lines.range(0, 9, 9, 9).value().text, "");
  file << "{\"frame\":7}\n" << std::flush;
  std::filesystem::rename(path, folder.path() / "results.jsonl");
  EXPECT_EQ(lines.line(7).value(), "{\"frame\":7}");
  EXPECT_EQ(frame_of_line("{\"frame\":7x"), std::nullopt);
  EXPECT_EQ(frame_of_line("{\"schema\":7}"), std::nullopt);
}

}  // namespace
}  // namespace vantage::server
