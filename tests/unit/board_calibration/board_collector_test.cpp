// Boards held before two cameras that look at the same place: what is kept of them, and what comes of it.
#include "core/setup/boards/board_collector.h"

#include <gtest/gtest.h>

#include <future>
#include <mutex>
#include <new>

#include "core/setup/boards/board_pickup.h"
#include "core/setup/boards/board_pictures.h"
#include "core/setup/boards/project_boards.h"
#include "core/video/video_source.h"
#include "tests/support/data.h"
#include "tests/support/drawn_board.h"

namespace vantage {
namespace {

const Board kShown{7, 5, 0.08};
constexpr int64_t kStep_ns = 100'000'000;

// Its middle so far from the world's z axis, slanted about the board's y axis.
Eigen::Isometry3d held_at(double x_m, double y_m, double z_m, double slant_degrees = 0) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = (Eigen::AngleAxisd(M_PI, Eigen::Vector3d::UnitX()) *
                   Eigen::AngleAxisd(slant_degrees * M_PI / 180, Eigen::Vector3d::UnitY()))
                      .toRotationMatrix();
  const Eigen::Vector3d middle(kShown.x_m(kShown.columns - 1) / 2, kShown.y_m(kShown.corner_count() - 1) / 2,
                               0);
  pose.translation() = Eigen::Vector3d(x_m, y_m, z_m) - pose.linear() * middle;
  return pose;
}

class BoardCollectorTest : public ::testing::Test {
 protected:
  // What camera `c` sees, corner by corner; nothing where one of them is outside its picture.
  SeenBoard seen(size_t c, const Eigen::Isometry3d& board) {
    SeenBoard one{++pictures_, 640, 480, {}};
    for (int i = 0; i < kShown.corner_count(); ++i) {
      const auto at = cameras_[c].project(board * Eigen::Vector3d(kShown.x_m(i), kShown.y_m(i), 0));
      if (!at || at->x() < 0 || at->y() < 0 || at->x() > 639 || at->y() > 479) {
        one.corners.clear();
        break;
      }
      one.corners.push_back({i, at->x(), at->y()});
    }
    return one;
  }
  bool show(const Eigen::Isometry3d& board) {
    time_ns_ += kStep_ns;
    return collector_.add(time_ns_, {seen(0, board), seen(1, board)});
  }
  bool show_first_only(const Eigen::Isometry3d& board) {
    time_ns_ += kStep_ns;
    SeenBoard empty{++pictures_, 640, 480, {}};
    return collector_.add(time_ns_, {seen(0, board), empty});
  }
  // Long enough for a board at rest to be kept: how many sets were.
  int hold(const Eigen::Isometry3d& board, int sets = 6) {
    int kept = 0;
    for (int i = 0; i < sets; ++i) kept += show(board);
    return kept;
  }

  const std::vector<Camera> cameras_ = {test::camera_beside("left", -0.4, -12),
                                        test::camera_beside("right", 0.4, 12)};
  BoardCollector collector_{kShown, {{"left", true}, {"right", true}}};
  int64_t time_ns_ = 0, pictures_ = 0;
};

TEST_F(BoardCollectorTest, KeepsABoardAtRestOnce) {
  EXPECT_EQ(collector_.collected().next, "Show the board to the cameras and hold it still.");
  EXPECT_FALSE(show(held_at(0, 0, 1.8)));
  EXPECT_EQ(collector_.collected().cameras[0].motion, BoardMotion::moving);
  EXPECT_EQ(collector_.collected().next, "Hold the board still.");
  EXPECT_FALSE(show(held_at(0, 0, 1.8)));
  EXPECT_FALSE(show(held_at(0, 0, 1.8)));
  EXPECT_TRUE(show(held_at(0, 0, 1.8)));  // 0.3 s
  EXPECT_EQ(hold(held_at(0, 0, 1.8), 20), 0);
  const CollectedBoards& collected = collector_.collected();
  EXPECT_EQ(collected.sets, 1);
  ASSERT_EQ(collected.pairs.size(), 1u);
  EXPECT_EQ(collected.pairs[0].sets, 1);
  EXPECT_EQ(collected.cameras[1].kept.views.size(), 1u);
  EXPECT_EQ(collected.cameras[1].kept.views[0].corners.size(), 35u);
  EXPECT_EQ(collected.cameras[1].examined, 24);
  EXPECT_GT(collected.cameras[1].covered_percent, 0);
}

TEST_F(BoardCollectorTest, KeepsNothingOfAMovingBoard) {
  // 2 cm/s is 0.7 px from set to set: seen against where it came to rest, it moves.
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(show(held_at(-0.1 + 0.002 * i, 0, 1.8))) << i;
  EXPECT_EQ(collector_.collected().sets, 0);
}

TEST_F(BoardCollectorTest, TremblingHandsAreAtRest) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-0.0005, 0.0005);
  int kept = 0;
  for (int i = 0; i < 10; ++i) kept += show(held_at(unit(random), unit(random), 1.8));
  EXPECT_EQ(kept, 1);
}

// It may move between the pictures of one instant, whatever the others say.
TEST_F(BoardCollectorTest, OneCameraThatSeesItMoveKeepsTheSetOut) {
  for (int i = 0; i < 10; ++i) {
    time_ns_ += kStep_ns;
    EXPECT_FALSE(
        collector_.add(time_ns_, {seen(0, held_at(0, 0, 1.8)), seen(1, held_at(0.01 * (i % 2), 0, 1.8))}));
  }
}

TEST_F(BoardCollectorTest, ARepeatedPictureIsNoRest) {
  const SeenBoard first = seen(0, held_at(0, 0, 1.8)), second = seen(1, held_at(0, 0, 1.8));
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(collector_.add(time_ns_ += kStep_ns, {first, second}));
  EXPECT_EQ(collector_.collected().cameras[0].examined, 1);
}

TEST_F(BoardCollectorTest, PlaceDistanceAndSlantAreNew) {
  EXPECT_EQ(hold(held_at(0, 0, 1.8)), 1);
  EXPECT_EQ(hold(held_at(0.02, 0, 1.8)), 0) << "2 cm is the same place";
  EXPECT_EQ(hold(held_at(0.25, 0, 1.8)), 1);
  EXPECT_EQ(hold(held_at(0, 0, 2.6)), 1);
  EXPECT_EQ(hold(held_at(0, 0, 1.8, 30)), 1);
  EXPECT_EQ(hold(held_at(0, 0, 1.8, -30)), 1) << "slanted to the other side";
  EXPECT_EQ(hold(held_at(0, 0, 1.8, 32)), 0);
  EXPECT_EQ(collector_.collected().pairs[0].sets, 5);
  EXPECT_GE(collector_.collected().cameras[0].slanted, 2);
}

TEST_F(BoardCollectorTest, APairIsNewWhereItsCamerasAreNot) {
  EXPECT_FALSE(show_first_only(held_at(0, 0, 1.8)));
  for (int i = 0; i < 5; ++i) show_first_only(held_at(0, 0, 1.8));
  EXPECT_EQ(collector_.collected().sets, 1);
  EXPECT_TRUE(collector_.collected().pairs.empty());
  EXPECT_NE(collector_.collected().next.find("Show the board to right"), std::string::npos);
  EXPECT_EQ(hold(held_at(0, 0, 1.8)), 1);
  EXPECT_EQ(collector_.collected().pairs.size(), 1u);
  EXPECT_NE(collector_.collected().next.find("Show the board to right and left at once."), std::string::npos)
      << collector_.collected().next;
}

TEST_F(BoardCollectorTest, SaysWhatIsMissingUntilNothingIs) {
  hold(held_at(0, 0, 1.8));
  EXPECT_FALSE(collector_.collected().enough);
  for (const double slant : {0, 35, -35})
    for (int place = 0; place < 25; ++place)
      hold(held_at(-0.8 + 0.4 * (place % 5), -0.5 + 0.25 * (place / 5), 1.8, slant));
  const CollectedBoards& collected = collector_.collected();
  EXPECT_GE(collected.pairs[0].sets, 3);
  for (const CollectedCamera& camera : collected.cameras) {
    EXPECT_GE(camera.slanted, kMinSlantedBoards);
    EXPECT_LE(camera.kept.views.size(), 75u);
    if (!camera.next.empty()) {
      EXPECT_NE(camera.next.find("bring the board to the"), std::string::npos) << camera.next;
    }
  }
  // Held lenses need no coverage.
  BoardCollector held(kShown, {{"left", false}, {"right", false}});
  int64_t time = 0;
  for (const double x : {-0.2, 0.0, 0.2})
    for (int i = 0; i < 5; ++i)
      held.add(time += kStep_ns, {seen(0, held_at(x, 0, 1.8)), seen(1, held_at(x, 0, 1.8))});
  EXPECT_TRUE(held.collected().enough) << held.collected().next;
  EXPECT_EQ(held.collected().next, "All cameras have seen enough: solve.");
}

TEST_F(BoardCollectorTest, SameSetsGiveTheSame) {
  const auto run = [this] {
    BoardCollector collector(kShown, {{"left", true}, {"right", true}});
    pictures_ = 0;
    std::mt19937 random(9);
    std::uniform_real_distribution<double> unit(-0.4, 0.4);
    for (int i = 0; i < 200; ++i) {
      static Eigen::Isometry3d board;
      if (i % 5 == 0) board = held_at(unit(random), unit(random) / 2, 1.8 + unit(random), 100 * unit(random));
      collector.add(i * kStep_ns, {seen(0, board), seen(1, board)});
    }
    return collector.found();
  };
  const auto first = run(), second = run();
  ASSERT_GT(first[0].views.size(), 5u);
  for (size_t c = 0; c < 2; ++c) {
    ASSERT_EQ(first[c].views.size(), second[c].views.size());
    for (size_t i = 0; i < first[c].views.size(); ++i) {
      EXPECT_EQ(first[c].views[i].instant, second[c].views[i].instant);
      EXPECT_EQ(first[c].views[i].corners[3].x_px, second[c].views[i].corners[3].x_px);
    }
  }
}

TEST_F(BoardCollectorTest, CamerasThatAreOpenedAgainGoOn) {
  hold(held_at(0, 0, 1.8));
  time_ns_ = 0, pictures_ = 0;  // their counts begin again
  EXPECT_EQ(hold(held_at(0.3, 0, 1.8)), 1);
  EXPECT_EQ(collector_.collected().sets, 2);
}

TEST_F(BoardCollectorTest, AnotherPictureSizeDropsTheCamerasViews) {
  hold(held_at(0, 0, 1.8));
  SeenBoard other = seen(0, held_at(0, 0, 1.8));
  other.width_px = 1280;
  collector_.add(time_ns_ + kStep_ns, {other, {}});
  EXPECT_TRUE(collector_.collected().cameras[0].kept.views.empty());
  EXPECT_EQ(collector_.collected().cameras[1].kept.views.size(), 1u);
  EXPECT_TRUE(collector_.collected().pairs.empty());
}

FrameSet drawn_set(const std::vector<Camera>& cameras, const std::vector<test::BoardPainter>& painters,
                   const Eigen::Isometry3d& board, int64_t number) {
  FrameSet frames;
  frames.frame = number, frames.time_ns = number * kStep_ns;
  for (size_t c = 0; c < cameras.size(); ++c) {
    Eigen::Isometry3d from_world = Eigen::Isometry3d::Identity();
    from_world.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
        cameras[c].model().rotation_cam_from_world);
    from_world.translation() =
        Eigen::Map<const Eigen::Vector3d>(cameras[c].model().translation_cam_from_world_m);
    const std::vector<uint8_t> pixels = painters[c].paint(kShown, from_world * board);
    CameraFrame& frame = frames.cameras.emplace_back();
    frame.camera_frame = number;
    frame.picture = *Picture::make({.width = 640, .height = 480}, HostPool::shared());
    const ImageView<uint8_t> luma = frame.picture.writable_plane(0);
    for (int y = 0; y < 480; ++y) std::copy_n(pixels.begin() + y * 640, 640, luma.row(y));
  }
  return frames;
}

// Drawn pictures through the thread, one after the other, and the cameras solved from what it kept.
TEST_F(BoardCollectorTest, PickedUpBoardsSolveTheCameras) {
  std::vector<test::BoardPainter> painters;
  for (const Camera& camera : cameras_) painters.emplace_back(camera);
  std::mutex mutex;
  std::promise<CollectedBoardsRef> searched;
  int collection = 0;
  BoardPickup pickup(host_memory(), [&](int number, Result<CollectedBoardsRef> picked_up) {
    const std::lock_guard lock(mutex);
    EXPECT_EQ(number, collection);
    searched.set_value(picked_up ? *picked_up : nullptr);
  });
  pickup.offer(drawn_set(cameras_, painters, held_at(0, 0, 1.8), 0));  // nothing is collected yet
  collection = pickup.restart(kShown, {{"left", true}, {"right", true}});
  CollectedBoardsRef collected;
  int64_t number = 0;
  std::mt19937 random(11);
  for (int pose = 0; pose < 14; ++pose) {
    const Eigen::Isometry3d board = test::carried_board(kShown, 0.15, 1.7, &random);
    const FrameSet drawn = drawn_set(cameras_, painters, board, 0);
    for (int i = 0; i < 4; ++i, ++number) {
      FrameSet frames = drawn;
      frames.frame = number, frames.time_ns = number * kStep_ns;
      for (CameraFrame& frame : frames.cameras) frame.camera_frame = number;
      {
        const std::lock_guard lock(mutex);
        searched = {};
      }
      auto done = searched.get_future();
      pickup.offer(std::move(frames));
      collected = done.get();
      ASSERT_TRUE(collected);
    }
  }
  ASSERT_GE(collected->sets, 8);
  Project project;
  std::vector<FoundBoards> found;
  for (size_t c = 0; c < 2; ++c) {
    ProjectCamera camera;
    camera.name = cameras_[c].name(), camera.video = "rtsp://camera/stream";
    project.cameras.push_back(camera);
    found.push_back(collected->cameras[c].kept);
  }
  const ProjectBoards boards{.boards = {kShown}};
  const auto solved = solve_found_boards(project, boards, found);
  ASSERT_TRUE(solved) << solved.error().message();
  EXPECT_LT(solved->solution.cameras[1].rms_px, 0.2);
  EXPECT_NEAR((solved->solution.cameras[0].camera.center_in_world_m() -
               solved->solution.cameras[1].camera.center_in_world_m())
                  .norm(),
              0.8, 0.01);
  found[1].views.clear();
  const auto blind = solve_found_boards(project, boards, found);
  ASSERT_FALSE(blind);
  EXPECT_NE(blind.error().message().find("right"), std::string::npos);
}

// As many as are offered at once: the newest is searched, whoever offers does not wait.
TEST(BoardPickup, TheNewestSetReplacesTheOneThatWaits) {
  std::promise<void> first, go_on, second;
  int searched = 0;
  std::vector<int64_t> examined;
  BoardPickup pickup(host_memory(), [&](int, Result<CollectedBoardsRef> collected) {
    examined.push_back((*collected)->cameras[0].examined);
    if (++searched == 1) {
      first.set_value();
      go_on.get_future().wait();
    } else {
      second.set_value();
    }
  });
  pickup.restart(kShown, {{"left", true}});
  const auto blank = [](int64_t number) {
    FrameSet frames;
    frames.frame = number, frames.time_ns = number * kStep_ns;
    CameraFrame& frame = frames.cameras.emplace_back();
    frame.camera_frame = number;
    frame.picture = *Picture::make({.width = 64, .height = 48}, HostPool::shared());
    const ImageView<uint8_t> luma = frame.picture.writable_plane(0);
    for (int y = 0; y < 48; ++y) std::fill_n(luma.row(y), 64, uint8_t{90});
    return frames;
  };
  pickup.offer(blank(0));
  first.get_future().wait();  // the thread is busy from here on
  for (int64_t number = 1; number < 50; ++number) pickup.offer(blank(number));
  go_on.set_value();
  second.get_future().wait();
  EXPECT_EQ(examined, (std::vector<int64_t>{1, 2}));
}

// A device's memory of which nothing is there.
class DevicePool final : public BufferPool {
 public:
  Result<BufferRef> take(size_t size_bytes) override { return std::make_shared<Block>(size_bytes); }
  MemoryPlace place() const override { return {MemoryKind::device, 0}; }

 private:
  struct Block final : Buffer {
    explicit Block(size_t size) : Buffer(nullptr, size, MemoryPlace{MemoryKind::device, 0}) {}
  };
};

// A device from which nothing can be had, or whose library throws.
class BrokenTransfer final : public MemoryTransfer {
 public:
  explicit BrokenTransfer(bool throws) : throws_(throws) {}
  Result<Picture> upload(const Picture&, int64_t, int) override { return lost(); }
  Result<Picture> download(const Picture&, int64_t, int) override {
    if (throws_) throw std::bad_alloc();
    return lost();
  }
  Result<Image> upload(const Image&, int64_t, int) override { return lost(); }
  Result<Image> download(const Image&, int64_t, int) override { return lost(); }
  Result<std::vector<Image>> download_all(std::span<const Image>, int64_t) override { return lost(); }
  Status wait_for(const Image&) override { return lost(); }
  Result<double> free_bytes() override { return lost(); }

 private:
  static tl::unexpected<Error> lost() { return fail(ErrorKind::device_lost, "the device is lost", "device"); }
  const bool throws_;
};

// The thread says so, and lives on.
TEST(BoardPickup, WhatFailsOrThrowsIsAnError) {
  DevicePool device;
  for (const bool throws : {false, true}) {
    std::promise<ErrorKind> failures[2];
    int told = 0;
    BoardPickup pickup(std::make_shared<BrokenTransfer>(throws),
                       [&](int number, Result<CollectedBoardsRef> collected) {
                         EXPECT_EQ(number, 1);
                         ASSERT_FALSE(collected);
                         failures[told++].set_value(collected.error().kind);
                       });
    FrameSet frames;
    CameraFrame& frame = frames.cameras.emplace_back();
    frame.picture = *Picture::make({.width = 64, .height = 48}, device);
    pickup.restart(kShown, {{"left", true}});
    for (std::promise<ErrorKind>& failure : failures) {
      pickup.offer(frames);
      EXPECT_EQ(failure.get_future().get(), throws ? ErrorKind::out_of_memory : ErrorKind::device_lost);
    }
  }
}

// Every luma there is, in a picture and in the file that is written of it.
TEST(BoardPictureFiles, GiveBackWhatWasSearched) {
  const test::TemporaryFolder folder;
  auto files = BoardPictureFiles::make(folder.path() / "kept", {"cam 1", "cam2"});
  ASSERT_TRUE(files) << files.error().message();
  FrameSet frames;
  frames.cameras.resize(2);
  frames.cameras[0].picture = *Picture::make({.width = 256, .height = 40}, HostPool::shared());
  const ImageView<uint8_t> luma = frames.cameras[0].picture.writable_plane(0);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 256; ++x) luma.at(x, y) = static_cast<uint8_t>(x);
  const auto written = BoardPictureFiles::as_written(frames);
  ASSERT_TRUE(written);
  EXPECT_EQ(luma.at(3, 0), 3) << "the picture that others see stays";
  EXPECT_EQ(written->cameras[0].picture.plane(0).at(3, 0), 16);
  ASSERT_TRUE(files->write(0, *written, {{256, 40}, {64, 48}}));
  ASSERT_TRUE(files->write(1, *written, {{256, 40}, {64, 48}}));
  EXPECT_EQ(files->folders()[0], folder.path() / "kept" / "cam_1");
  const auto video = open_video(files->folders()[0].string(), {});
  ASSERT_TRUE(video) << video.error().message();
  EXPECT_EQ((*video)->info().frame_count, 2);
  const auto frame = (*video)->read();
  ASSERT_TRUE(frame);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 256; ++x)
      ASSERT_EQ(frame->picture.plane(0).at(x, y), written->cameras[0].picture.plane(0).at(x, y)) << x;
  const auto grey = open_video(files->folders()[1].string(), {});
  ASSERT_TRUE(grey);
  EXPECT_EQ((*grey)->info().width_px, 64);
  EXPECT_EQ((*grey)->info().frame_count, 2);
  EXPECT_EQ(BoardPictureFiles::make(folder.path() / "kept", {"cam2"}).error().kind,
            ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace vantage
