// Targets in the project file, messages by themselves, health.
#include "core/project/project_store.h"
#include "core/push/detail/signature.h"
#include "core/push/detail/topics.h"
#include "core/push/push.h"
#include "core/video/jpeg.h"
#include "core/video/video_source.h"
#include "tests/unit/push/peers.h"

namespace vantage {
namespace {

PushTarget broker(const std::string& name) {
  PushTarget target;
  target.name = name, target.address = "mqtts://hall.example:8883", target.topic = "site/hall";
  target.discovery = "homeassistant", target.rules = {"door"}, target.limit_s = 5;
  return target;
}

class PushTargetsTest : public test::PushTest {
 protected:
  // What reading a project with that "push" says; empty: all is well.
  std::string error_of(const std::string& push) {
    EXPECT_TRUE(save_project(project_, project_.path));
    auto document = parse_json_or_throw(read_file(project_.path).value());
    document["push"] = parse_json_or_throw(push);
    EXPECT_TRUE(write_file_atomically(project_.path, json_text(document)));
    const auto loaded = load_project(project_.path);
    return loaded ? std::string() : loaded.error().message();
  }
};

TEST_F(PushTargetsTest, StayInTheProjectFile) {
  PushTarget command;
  command.name = "lamp", command.kind = PushKind::command, command.command = {"/bin/lamp", "on now"};
  command.health = false;
  PushTarget hook;
  hook.name = "desk", hook.kind = PushKind::webhook, hook.address = "https://desk.example/hook?id=1";
  hook.ca = path("ca.pem"), hook.pictures = false;
  const std::vector<PushTarget> targets = {broker("home"), command, hook};
  project_.push_targets = targets;
  ASSERT_TRUE(save_project(project_, project_.path));
  const auto loaded = load_project(project_.path);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->push_targets, targets);
  EXPECT_TRUE(loaded->unknown_keys.empty()) << loaded->unknown_keys;
  EXPECT_NE(read_file(project_.path).value().find("\"ca\": \"ca.pem\""), std::string::npos)
      << "relative to the project";
  Project emptied = *loaded;
  emptied.push_targets.clear();
  ASSERT_TRUE(save_project(emptied, project_.path));
  EXPECT_EQ(read_file(project_.path).value().find("push"), std::string::npos);
}

// A window that has the project open offers what `push add` has changed, and does not write over it.
TEST_F(PushTargetsTest, AreAChangeOfTheProject) {
  const Project before = project_;
  project_.push_targets = {broker("home")};
  EXPECT_TRUE(difference(before, project_).push);
  EXPECT_FALSE(difference(before, project_).floor);
  EXPECT_EQ(difference_text(before, project_), "where messages go");
  EXPECT_FALSE(difference(project_, project_).any());
}

TEST_F(PushTargetsTest, BadOnesAreNamedWithTheirPlace) {
  const auto one = [](const std::string& more) { return R"({"targets": [{"name": "a", )" + more + "}]}"; };
  const auto expect = [&](const std::string& push, const std::string& what) {
    EXPECT_NE(error_of(push).find(what), std::string::npos) << push << ": " << error_of(push);
  };
  expect("[]", "an object with the list");
  expect(R"({"targets": [3]})", "/push/targets/0");
  expect(one(R"("kind": "pigeon")"), "'pigeon' is not mqtt, webhook or command");
  expect(one(R"("kind": "mqtt", "address": "http://a")"), "not an address of this kind");
  expect(one(R"("kind": "webhook", "address": "http://a:b@c/")"), "the address contains a password");
  expect(one(R"("kind": "mqtt", "address": "mqtt://a", "password": "x")"), "'password' is not understood");
  expect(one(R"("kind": "mqtt", "address": "mqtt://a", "topic": "a/#")"), "cannot begin a topic");
  expect(one(R"("kind": "mqtt", "address": "mqtt://a", "limit_s": 0)"), "limit_s");
  expect(one(R"("kind": "command", "command": ["lamp"])"), "absolute path");
  expect(one(R"("kind": "command")"), "absolute path");
  expect(R"({"targets": [{"name": "a b", "kind": "mqtt", "address": "mqtt://a"}]})",
         "the name is not usable");
  const std::string target = R"({"name": "a", "kind": "mqtt", "address": "mqtt://a"})";
  expect(R"({"targets": [)" + target + "," + target + "]}", "two targets have this name");
  expect(R"({"targets": [)" + target + "," + target + "]}", "/push/targets/1");
  EXPECT_EQ(error_of(one(R"("kind": "mqtt", "address": "mqtt://a")")), "");
}

// A project that names another host under a known name does not get that one's secret.
TEST_F(PushTargetsTest, SecretsBelongToNameAndHost) {
  const PushTarget mine = broker("home");
  ASSERT_TRUE(store_->keep(secret_address(mine), {"hall", "s3cret"}));
  EXPECT_EQ(find_secret(mine, *store_).value()->password, "s3cret");
  PushTarget other = mine;
  other.address = "mqtts://evil.example:8883";
  EXPECT_FALSE(find_secret(other, *store_).value());
  other = mine, other.name = "else";
  EXPECT_FALSE(find_secret(other, *store_).value());
}

TEST(PushTopics, NamesStayDifferentAndUsable) {
  EXPECT_EQ(topic_level("Tür 1"), "Tür 1");
  EXPECT_EQ(topic_level("a/b+#%\n"), "a%2Fb%2B%23%25%0A");
  EXPECT_EQ(discovery_id("door_1"), "door_1");
  EXPECT_NE(discovery_id("a b"), discovery_id("a_b"));
  EXPECT_EQ(discovery_id("a b").find_first_not_of("abcdef0123456789_"), std::string::npos);
}

// RFC 4231, test case 2.
TEST(PushSignature, IsThatOfTheStandard) {
  EXPECT_EQ(hmac_sha256("Jefe", "what do ya want for nothing?").value(),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(PushHealth, TellsWhatLastsOnceAndWhenItIsOver) {
  constexpr int64_t kLong = HealthWatch::kLasting_ns;
  HealthWatch watch;
  LiveHealth health;
  health.cameras.resize(2);
  health.cameras[0].name = "north", health.cameras[0].here = true;
  health.cameras[1].name = "south", health.cameras[1].state = "no route";
  EXPECT_TRUE(watch.add(health, 1).empty()) << "cameras connect one after another";
  auto changes = watch.add(health, 1 + kLong);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].problem, "");
  EXPECT_EQ(changes[1].problem, "no route");
  EXPECT_TRUE(changes[0].first && changes[1].first);
  health.cameras[0].picture = "frozen for 3 s";
  EXPECT_TRUE(watch.add(health, 2 + kLong).empty());
  health.cameras[0].picture = "";
  EXPECT_TRUE(watch.add(health, 3 * kLong).empty()) << "it did not last";
  health.cameras[0].picture = "frozen for 3 s";
  EXPECT_TRUE(watch.add(health, 4 * kLong).empty());
  health.cameras[0].picture = "frozen for 9 s";
  changes = watch.add(health, 5 * kLong);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].problem, "frozen for 9 s");
  EXPECT_FALSE(changes[0].first);
  health.cameras[0].picture = "frozen for 20 s";
  EXPECT_TRUE(watch.add(health, 9 * kLong).empty()) << "the same fault is told once";
  health.cameras[0].picture = "";
  EXPECT_TRUE(watch.add(health, 10 * kLong).empty());
  EXPECT_EQ(watch.add(health, 11 * kLong).size(), 1U);
}

// Read back by a decoder: brightness of both ranges is right, and the size is halved.
TEST(Jpeg, ShowsThePicture) {
  const test::TemporaryFolder folder;
  for (const ColorRange range : {ColorRange::full, ColorRange::limited}) {
    Picture picture =
        Picture::make({PictureLayout::i420, 64, 48, range, ColorMatrix::bt601}, HostPool::shared()).value();
    for (int plane = 0; plane < 3; ++plane) {
      const ImageView<uint8_t> out = picture.writable_plane(plane);
      for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x)
          out.at(x, y) = plane > 0 ? uint8_t{128} : static_cast<uint8_t>(x < 32 ? 50 : 200);
    }
    const auto jpeg = encode_jpeg(picture, 32);
    ASSERT_TRUE(jpeg) << jpeg.error().message();
    ASSERT_TRUE(write_file_atomically(folder.path() / "p_1.jpg", *jpeg));
    auto opened = open_video((folder.path() / "*.jpg").string(), {});
    ASSERT_TRUE(opened) << opened.error().message();
    const auto frame = (*opened)->read();
    ASSERT_TRUE(frame) << frame.error().message();
    ASSERT_EQ(frame->picture.width(), 32);
    EXPECT_EQ(frame->picture.height(), 24);
    const bool full_out = frame->picture.format().range == ColorRange::full;
    const auto level = [&](int luma) {
      const double light = range == ColorRange::full ? luma / 255.0 : (luma - 16) / 219.0;
      return full_out ? 255 * light : 16 + 219 * light;
    };
    EXPECT_NEAR(frame->picture.plane(0).at(8, 12), level(50), 3);
    EXPECT_NEAR(frame->picture.plane(0).at(24, 12), level(200), 3);
  }
}

}  // namespace
}  // namespace vantage
