// The queue on the disk, and what a full or damaged one does.
#include <sys/resource.h>

#include <csignal>

#include "tests/unit/push/peers.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

class PushQueueTest : public testing::Test {
 protected:
  std::unique_ptr<PushQueue> open(int64_t max_picture_bytes = PushQueue::kMaxPictureBytes) const {
    auto queue = PushQueue::open(folder_.path() / "q", max_picture_bytes);
    EXPECT_TRUE(queue) << queue.error().message();
    return queue ? std::move(*queue) : nullptr;
  }
  static std::vector<std::string> bodies(const PushQueue& queue, const std::string& target) {
    std::vector<std::string> found;
    int64_t after = 0;
    for (auto next = queue.next(target, after); next && *next; next = queue.next(target, after)) {
      found.push_back((*next)->body);
      after = (*next)->sequence;
    }
    return found;
  }
  const test::TemporaryFolder folder_;
};

TEST_F(PushQueueTest, KeepsEachTargetsMessagesInOrderAcrossPrograms) {
  std::string id;
  {
    const auto queue = open();
    ASSERT_TRUE(queue->add({"a", "b"}, "1", ""));
    ASSERT_TRUE(queue->add({"b"}, "2", "picture"));
    ASSERT_TRUE(queue->add({"a"}, "3", ""));
    id = queue->next("b", 0).value()->id;
  }
  const auto queue = open();
  EXPECT_EQ(bodies(*queue, "a"), (std::vector<std::string>{"1", "3"}));
  EXPECT_EQ(bodies(*queue, "b"), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(queue->targets().value(), (std::vector<std::string>{"a", "b"}));
  const auto first = queue->next("b", 0).value();
  EXPECT_EQ(first->id, id) << "a message that is sent again has its ID";
  ASSERT_TRUE(queue->remove("b", first->sequence));
  const auto second = queue->next("b", 0).value();
  EXPECT_EQ(second->jpeg, "picture");
  EXPECT_NE(second->id, id);
  EXPECT_EQ(queue->waiting("b", 0).value(), 1);
  EXPECT_EQ(queue->waiting("a", 0).value(), 2) << "the other target's stay";
  EXPECT_EQ(fs::status(folder_.path() / "q").permissions() & fs::perms::mask, fs::perms::owner_all);
}

TEST_F(PushQueueTest, PicturesBeyondTheLimitAreLeftOutNotTheirMessages) {
  const auto queue = open(10);
  ASSERT_TRUE(queue->add({"a"}, "1", "12345678"));
  ASSERT_TRUE(queue->add({"a"}, "2", "12345678"));
  ASSERT_TRUE(queue->remove("a", queue->next("a", 0).value()->sequence));
  EXPECT_TRUE(queue->next("a", 0).value()->jpeg.empty());
  ASSERT_TRUE(queue->add({"a"}, "3", "12345678"));
  EXPECT_EQ(queue->next("a", queue->next("a", 0).value()->sequence).value()->jpeg, "12345678");
}

// The system refuses every byte beyond a file's present size, as a full disk does.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_ = {};
  void (*handler_)(int) = SIG_DFL;
};

TEST_F(PushQueueTest, AFullDiskTakesNothingAndLosesNothing) {
  const auto queue = open();
  ASSERT_TRUE(queue->add({"a"}, "1", ""));
  {
    const FullDisk full(1);
    const Status refused = queue->add({"a", "b"}, std::string(100'000, 'x'), "");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::io);
    EXPECT_EQ(bodies(*queue, "a"), std::vector<std::string>{"1"}) << "what was taken is there";
    EXPECT_FALSE(queue->remove("a", queue->next("a", 0).value()->sequence));
  }
  EXPECT_EQ(bodies(*queue, "a"), std::vector<std::string>{"1"});
  EXPECT_TRUE(bodies(*queue, "b").empty()) << "for all targets or none";
  ASSERT_TRUE(queue->add({"a"}, "2", ""));
  EXPECT_EQ(bodies(*queue, "a"), (std::vector<std::string>{"1", "2"}));
}

TEST_F(PushQueueTest, ADamagedFileIsAnErrorThatSaysWhatToDo) {
  {
    ASSERT_TRUE(open());
  }
  fs::remove(folder_.path() / "q" / "queue.sqlite-wal");
  ASSERT_TRUE(write_file_atomically(folder_.path() / "q" / "queue.sqlite", std::string(5000, 'x')));
  const auto queue = PushQueue::open(folder_.path() / "q");
  ASSERT_FALSE(queue);
  EXPECT_EQ(queue.error().kind, ErrorKind::bad_data);
  EXPECT_NE(queue.error().remedy.find("Move its folder away"), std::string::npos);
}

// The disk is full for a while: messages wait in memory, and nothing that was added is lost.
class FullDiskPushTest : public test::PushTest {};

TEST_F(FullDiskPushTest, WhatTheDiskRefusesIsQueuedWhenThereIsSpace) {
  test::WebhookServer server(folder_.path(), "key");
  use(server.target(), "", "key");
  const auto push = open_push();
  add_event(*push, 1);
  ASSERT_TRUE(test::wait_until([&] { return state_of(*push).waiting == 1; }));
  {
    const FullDisk full(1);
    for (int i = 2; i <= 20; ++i) add_event(*push, i);
    ASSERT_TRUE(test::wait_until([&] { return state_of(*push).problem.find("queue") != std::string::npos; }));
  }
  server.start();
  EXPECT_TRUE(push->finish(120, {}));
  std::vector<int> all;
  for (int i = 1; i <= 20; ++i) all.push_back(i);
  EXPECT_EQ(test::without_repeats(server.persons()), all);
  EXPECT_EQ(push->lost(), 0);
}

}  // namespace
}  // namespace vantage
