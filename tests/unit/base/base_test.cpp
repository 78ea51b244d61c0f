#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <thread>

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/threads.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

Result<int> half(int n) {
  if (n % 2) return fail(ErrorKind::invalid_argument, "is odd", std::to_string(n), "Give an even number");
  return n / 2;
}

Result<int> quarter(int n) {
  VANTAGE_ASSIGN(const int once, half(n));
  VANTAGE_ASSIGN(const int twice, half(once));
  return twice;
}

TEST(Result, TryMacrosPassValuesAndErrorsOn) {
  EXPECT_EQ(*quarter(12), 3);
  const Result<int> failed = quarter(6);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::invalid_argument);
  EXPECT_EQ(failed.error().message(), "3: is odd. Give an even number");
}

TEST(Log, CredentialsNeverPass) {
  EXPECT_EQ(redact_credentials("rtsp://admin:s3cret@cam1/stream"), "rtsp://***@cam1/stream");
  EXPECT_EQ(redact_credentials("two: http://a:b@x/ and rtsp://c:d@e@y:554/z"),
            "two: http://***@x/ and rtsp://***@y:554/z");
  EXPECT_EQ(redact_credentials("rtsp://cam1/path?mail=a@b"), "rtsp://cam1/path?mail=a@b");
  EXPECT_EQ(redact_credentials("a@b and ://"), "a@b and ://");
  std::string seen;
  set_log_listener([&](LogLevel, const std::string& line) { seen = line; });
  log_warning("lost rtsp://u:p@h/s");
  set_log_listener({});
  EXPECT_EQ(seen, "lost rtsp://***@h/s");
}

TEST(File, WritesAtomicallyAndKeepsTheOldOnFailure) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.txt";
  ASSERT_TRUE(write_file_atomically(path, "first"));
  ASSERT_TRUE(write_file_atomically(path, "second"));
  EXPECT_EQ(*read_file(path), "second");
  ASSERT_TRUE(write_file_atomically(path, ""));
  EXPECT_EQ(*read_file(path), "");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
      << "a temporary file was left";

  const Status no_folder = write_file_atomically(folder.path() / "missing" / "b.txt", "x");
  ASSERT_FALSE(no_folder);
  EXPECT_EQ(no_folder.error().kind, ErrorKind::io);
  EXPECT_EQ(read_file(folder.path() / "none").error().kind, ErrorKind::not_found);
  EXPECT_EQ(read_file(folder.path()).error().kind, ErrorKind::io);
}

TEST(File, AWriteThatDoesNotFitKeepsTheOldContent) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.txt";
  ASSERT_TRUE(write_file_atomically(path, "old"));
  // A limit on file size stands in for a full disk: write() fails half-way in the same manner.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status written = write_file_atomically(path, std::string(5000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::io);
  EXPECT_EQ(*read_file(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
      << "a temporary file was left";
}

TEST(Hash, StringsCarryTheirLength) {
  EXPECT_NE(Hasher().add("ab").add("c").value(), Hasher().add("a").add("bc").value());
  EXPECT_EQ(Hasher().add("ab").add(1.5).value(), Hasher().add("ab").add(1.5).value());
  EXPECT_EQ(hex64(0xABCull), "0000000000000abc");
}

TEST(BoundedQueue, BlocksAtItsBoundsAndDrainsAfterClose) {
  BoundedQueue<int> queue(2, 100, QueuePolicy::block);
  EXPECT_TRUE(queue.push(1, 10));
  EXPECT_TRUE(queue.push(2, 10));
  std::thread producer([&] { EXPECT_TRUE(queue.push(3, 10)); });
  EXPECT_EQ(queue.pop(), 1);
  producer.join();
  queue.close();
  EXPECT_FALSE(queue.push(4));
  EXPECT_EQ(queue.pop(), 2);
  EXPECT_EQ(queue.pop(), 3);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, AdmitsOneEntryHoweverLargeAndCountsBytes) {
  BoundedQueue<int> queue(8, 100, QueuePolicy::drop_oldest);
  EXPECT_TRUE(queue.push(1, 1000));
  EXPECT_TRUE(queue.push(2, 60));
  EXPECT_TRUE(queue.push(3, 60));
  EXPECT_EQ(queue.dropped(), 2u);
  EXPECT_EQ(queue.pop(), 3);
}

TEST(BoundedQueue, AbortWakesBothSides) {
  BoundedQueue<int> queue(1, 100, QueuePolicy::block);
  EXPECT_TRUE(queue.push(1));
  std::thread producer([&] { EXPECT_FALSE(queue.push(2)); });
  queue.abort();
  producer.join();
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(Deferred, WaitsOnceAndSharesTheAnswer) {
  int calls = 0;
  const Deferred<int> value(std::function<Result<int>()>([&calls]() -> Result<int> { return ++calls; }));
  const Deferred<int> copy = value;
  EXPECT_EQ(*copy.get(), 1);
  EXPECT_EQ(*value.get(), 1);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(*Deferred<int>(7).get(), 7);
  const Deferred<int> failed(
      std::function<Result<int>()>([]() -> Result<int> { return fail(ErrorKind::device_lost, "gone"); }));
  EXPECT_EQ(failed.get().error().kind, ErrorKind::device_lost);
}

}  // namespace
}  // namespace vantage
