// Masks drawn by hand as files: both forms, imported, exported, and what is damaged.
#include "core/results/drawn_masks.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/image/image_files.h"
#include "core/metrics/masks/mask_painting.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

Image square(int at) {
  Image mask = empty_mask(16, 12, HostPool::shared()).value();
  for (int y = 2; y < 6; ++y)
    for (int x = at; x < at + 4; ++x) mask.writable_view<uint8_t>().row(y)[x] = kInMask;
  return mask;
}

int inside(const Image& mask) {
  int count = 0;
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x) count += mask.view<uint8_t>().row(y)[x] == kInMask;
  return count;
}

Project of_cameras(const fs::path& file) {
  Project project;
  project.path = file;
  project.cameras = {{.name = "cam1"}, {.name = "left_2"}};
  return project;
}

TEST(DrawnMasks, LieBesideTheProjectInTheFormOfSegment) {
  const test::TemporaryFolder folder;
  const fs::path project = folder.path() / "hall.vantage";
  const fs::path own = drawn_masks_folder(project);
  EXPECT_EQ(own, folder.path() / "hall.truth" / "masks");
  EXPECT_TRUE(drawn_masks_folder({}).empty());
  EXPECT_TRUE(find_masks(own).value().empty()) << "nothing was drawn";
  ASSERT_TRUE(write_mask(own, "cam1", 425, square(3)));
  EXPECT_TRUE(fs::exists(own / "cam1" / "frame_000425.png"));
  for (const fs::path& place : {own, project, own.parent_path()}) {
    const DrawnMasks masks = find_masks(place).value();
    ASSERT_EQ(masks.size(), 1u) << place;
    EXPECT_EQ(inside(read_mask(masks.at(425).at("cam1"), HostPool::shared()).value()), 16);
  }
  ASSERT_TRUE(remove_mask(own, "cam1", 425));
  ASSERT_TRUE(remove_mask(own, "cam1", 425)) << "is gone already";
  EXPECT_FALSE(find_mask(own, "cam1", 425));
}

TEST(DrawnMasks, TheFlatFormOfOthersIsReadAndReplaced) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_png_gray(folder.path() / "left_2_frame_0012.png", square(1)));
  ASSERT_TRUE(write_file_atomically(folder.path() / "notes_frame_x.png", "no mask"));
  const DrawnMasks masks = find_masks(folder.path()).value();
  ASSERT_EQ(masks.size(), 1u);
  EXPECT_TRUE(masks.at(12).contains("left_2"));
  ASSERT_TRUE(write_mask(folder.path(), "left_2", 12, square(2)));
  EXPECT_EQ(find_masks(folder.path()).value().at(12).at("left_2"), mask_file(folder.path(), "left_2", 12));
  ASSERT_TRUE(write_png_gray(folder.path() / "left_2_frame_0012.png", square(1)));
  EXPECT_EQ(find_masks(folder.path()).error().kind, ErrorKind::bad_data) << "there twice";
  ASSERT_TRUE(remove_mask(folder.path(), "left_2", 12));
  EXPECT_TRUE(find_masks(folder.path()).value().empty()) << "both are gone";
}

TEST(DrawnMasks, AreImportedWithoutReplacingUnasked) {
  const test::TemporaryFolder folder;
  const Project project = of_cameras(folder.path() / "hall.vantage");
  const fs::path theirs = folder.path() / "painted";
  ASSERT_TRUE(write_mask(theirs, "cam1", 4, square(5)));
  ASSERT_TRUE(write_mask(theirs, "left_2", 4, square(5)));
  ASSERT_TRUE(write_mask(theirs, "roof", 4, square(5)));
  const fs::path own = drawn_masks_folder(project.path);
  Image empty = empty_mask(16, 12, HostPool::shared()).value();
  ASSERT_TRUE(write_mask(own, "cam1", 4, empty));
  CopiedMasks copied = import_masks(project, theirs, false).value();
  EXPECT_EQ(copied.copied, 1);
  EXPECT_EQ(copied.kept, 1);
  EXPECT_EQ(copied.unknown, 1);
  EXPECT_EQ(inside(read_mask(*find_mask(own, "cam1", 4), HostPool::shared()).value()), 0);
  copied = import_masks(project, theirs, true).value();
  EXPECT_EQ(copied.copied, 2);
  EXPECT_EQ(inside(read_mask(*find_mask(own, "cam1", 4), HostPool::shared()).value()), 16);
  EXPECT_EQ(export_masks(project, folder.path() / "out").value(), 2);
  EXPECT_EQ(find_masks(folder.path() / "out").value().at(4).size(), 2u);
  ASSERT_TRUE(write_file_atomically(theirs / "cam1" / "frame_000005.png", "damaged"));
  ASSERT_TRUE(write_mask(theirs, "cam1", 3, square(1)));
  EXPECT_FALSE(import_masks(project, theirs, true));
  EXPECT_FALSE(find_mask(own, "cam1", 3)) << "none is copied where one is damaged";
  EXPECT_EQ(import_masks(project, folder.path() / "nowhere", false).error().kind, ErrorKind::not_found);
  EXPECT_EQ(import_masks(of_cameras({}), theirs, false).error().kind, ErrorKind::invalid_argument);
  EXPECT_EQ(export_masks(of_cameras(folder.path() / "b.vantage"), folder.path() / "o").error().kind,
            ErrorKind::not_found);
}

// Masks drawn in another program.
TEST(DrawnMasks, OfARealRecordingAreRead) {
  VANTAGE_NEED_DATA(folder, "uu-voxel-1p");
  const DrawnMasks masks = find_masks(folder).value();
  ASSERT_EQ(masks.size(), 1u);
  EXPECT_EQ(masks.at(425).size(), 4u);
  const Image mask = read_mask(masks.at(425).at("cam1"), HostPool::shared()).value();
  EXPECT_EQ(mask.width(), 644);
  EXPECT_GT(inside(mask), 5000);
}

}  // namespace
}  // namespace vantage
