// Passwords of cameras: kept in a file for the user alone, and nowhere else.
#include "core/live/credentials.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/base/file.h"
#include "tests/support/data.h"

namespace vantage::test {
namespace {

TEST(Credentials, AddressesAreTakenApartAndPutTogether) {
  const SplitAddress split = split_credentials("rtsp://admin:p%40ss%2Fw@cam:554/a/b?c=d@e");
  EXPECT_EQ(split.address, "rtsp://cam:554/a/b?c=d@e");
  ASSERT_TRUE(split.credentials);
  EXPECT_EQ(split.credentials->user, "admin");
  EXPECT_EQ(split.credentials->password, "p@ss/w");
  EXPECT_EQ(join_credentials(split.address, *split.credentials), "rtsp://admin:p%40ss%2Fw@cam:554/a/b?c=d@e");
  EXPECT_FALSE(split_credentials("rtsp://cam/a@b").credentials);
  EXPECT_EQ(split_credentials("/videos/a@b.mp4").address, "/videos/a@b.mp4");
  EXPECT_EQ(join_credentials("/videos/a.mp4", {"a", "b"}), "/videos/a.mp4");
}

TEST(Credentials, TheFileIsTheUsersAlone) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "config" / "cameras.json";
  const auto store = make_credential_file(path);
  EXPECT_FALSE(*store->find("rtsp://cam1/x"));
  ASSERT_TRUE(store->keep("rtsp://cam1:554/x", {"admin", "first"}));
  ASSERT_TRUE(store->keep("rtsp://cam2/x", {"viewer", "other \"one\""}));
  ASSERT_TRUE(store->keep("rtsp://cam1:554/y", {"admin", "second"}));
  struct stat status{};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  const auto found = make_credential_file(path)->find("rtsp://cam1:554/anything");
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->password, "second");
  EXPECT_EQ(with_stored_credentials("rtsp://cam2/x", *store).value_or(""),
            "rtsp://viewer:other%20%22one%22@cam2/x");
  EXPECT_EQ(with_stored_credentials("rtsp://me:mine@cam2/x", *store).value_or(""), "rtsp://me:mine@cam2/x");
  EXPECT_EQ(with_stored_credentials("/a/video.mp4", *store).value_or(""), "/a/video.mp4");
}

TEST(Credentials, ADamagedFileIsSaidNotOverwritten) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "cameras.json";
  for (const char* text :
       {"", "{", "[]", "{\"schema\":\"vantage-cameras-1\"}", "{\"schema\":7,\"hosts\":{}}"}) {
    ASSERT_TRUE(write_file_atomically(path, text));
    const auto store = make_credential_file(path);
    EXPECT_FALSE(store->find("rtsp://cam1/x")) << text;
    EXPECT_FALSE(store->keep("rtsp://cam1/x", {"a", "b"})) << text;
    EXPECT_EQ(*read_file(path), text);
  }
}

}  // namespace
}  // namespace vantage::test
