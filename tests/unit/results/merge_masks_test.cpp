// Masks of two painters: missing ones, differences, and their resolution.

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/metrics/masks/mask_painting.h"
#include "core/results/drawn_masks.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;

// Columns from `left`, four wide, of rows 2 to 5.
Image four_columns(int left, int width = 16) {
  Image mask = empty_mask(width, 12, HostPool::shared()).value();
  for (int y = 2; y < 6; ++y)
    for (int x = left; x < left + 4; ++x) mask.writable_view<uint8_t>().row(y)[x] = kInMask;
  return mask;
}

std::pair<int, int> columns_of(const Image& mask) {
  int first = mask.width(), last = -1;
  for (int x = 0; x < mask.width(); ++x)
    if (mask.view<uint8_t>().row(3)[x] == kInMask) first = std::min(first, x), last = x;
  return {first, last};
}

class MergeMasks : public testing::Test {
 protected:
  MergeMasks() {
    project_.path = folder_.path() / "hall.vantage";
    project_.cameras = {{.name = "cam1"}, {.name = "cam2"}};
    own_ = drawn_masks_folder(project_.path);
    theirs_ = folder_.path() / "theirs";
  }
  void ours(const char* camera, int64_t frame, const Image& mask) const {
    ASSERT_TRUE(write_mask(own_, camera, frame, mask));
  }
  void their(const char* camera, int64_t frame, const Image& mask) const {
    ASSERT_TRUE(write_mask(theirs_, camera, frame, mask));
  }
  const test::TemporaryFolder folder_;
  Project project_;
  fs::path own_, theirs_;
};

TEST_F(MergeMasks, MissingOnesAndDisagreementsAreToldApart) {
  ours("cam1", 3, four_columns(2)), their("cam1", 3, four_columns(2));
  ours("cam1", 7, four_columns(2)), their("cam1", 7, four_columns(3));
  ours("cam2", 7, four_columns(2)), their("cam2", 7, four_columns(5));
  ours("cam2", 9, four_columns(0)), their("cam2", 12, four_columns(4)), their("roof", 3, four_columns(4));
  const MaskComparison compared = compare_masks(project_, theirs_).value();
  EXPECT_EQ(compared.same, 1);
  EXPECT_EQ(compared.unknown, 1);
  ASSERT_EQ(compared.missing.size(), 1U);
  EXPECT_EQ(compared.missing[0].frame, 12);
  ASSERT_EQ(compared.disagreements.size(), 2U);
  const MaskDisagreement& worst = compared.disagreements[0];
  EXPECT_EQ(worst.theirs.camera, "cam2");
  EXPECT_EQ(worst.difference.only_ours, 12);
  EXPECT_EQ(worst.difference.only_theirs, 12);
  EXPECT_DOUBLE_EQ(worst.difference.overlap.iou(), 4.0 / 28);
  EXPECT_DOUBLE_EQ(compared.disagreements[1].difference.overlap.iou(), 12.0 / 20);
  const MaskStep step = add_missing_masks(compared.missing).value();
  ASSERT_EQ(step.size(), 1U);
  EXPECT_FALSE(step[0].before);
  EXPECT_EQ(columns_of(step[0].after), std::pair(4, 7));
  EXPECT_FALSE(find_mask(own_, "cam2", 12)) << "nothing is written yet";
}

TEST_F(MergeMasks, ADisagreementIsSettledInEveryWay) {
  ours("cam1", 7, four_columns(2)), their("cam1", 7, four_columns(4));
  const MaskComparison compared = compare_masks(project_, theirs_).value();
  const std::pair<MaskMerge, std::pair<int, int>> ways[] = {
      {MaskMerge::theirs, {4, 7}}, {MaskMerge::either, {2, 7}}, {MaskMerge::both, {4, 5}}};
  for (const auto& [how, columns] : ways) {
    const MaskStep step = settle_masks(project_, compared.disagreements, how).value();
    ASSERT_EQ(step.size(), 1U);
    EXPECT_EQ(columns_of(step[0].before), std::pair(2, 5)) << "to be undone";
    EXPECT_EQ(columns_of(step[0].after), columns);
  }
  EXPECT_TRUE(settle_masks(project_, compared.disagreements, MaskMerge::ours).value().empty());
  ASSERT_TRUE(remove_mask(own_, "cam1", 7));
  EXPECT_TRUE(settle_masks(project_, compared.disagreements, MaskMerge::theirs).value().empty())
      << "ours was removed meanwhile";
}

TEST_F(MergeMasks, WhatCannotBeComparedIsNamed) {
  const auto says = [&](const char* words) {
    const auto compared = compare_masks(project_, theirs_);
    ASSERT_FALSE(compared);
    EXPECT_NE(compared.error().message().find(words), std::string::npos) << compared.error().message();
  };
  says("holds no masks");
  ours("cam1", 7, four_columns(2)), their("cam1", 7, four_columns(4, 20));
  says("20 x 12 px, ours 16 x 12");
  ASSERT_TRUE(write_file_atomically(mask_file(theirs_, "cam1", 7), "no picture"));
  says("frame_000007.png");
  project_.path.clear();
  says("never saved");
}

TEST(MasksOfNewName, AreThereAllAtOnceAndWhatWasThereIsKept) {
  const test::TemporaryFolder folder;
  const fs::path hall = folder.path() / "hall.vantage", other = folder.path() / "new" / "other.vantage";
  ASSERT_TRUE(write_mask(drawn_masks_folder(hall), "cam1", 3, four_columns(2)));
  ASSERT_TRUE(write_mask(drawn_masks_folder(other), "cam1", 8, four_columns(6)));
  {
    auto given_up = MasksOfNewName::copy(hall, other);
    ASSERT_TRUE(given_up) << given_up.error().message();
    EXPECT_FALSE(find_mask(drawn_masks_folder(other), "cam1", 3)) << "not before put()";
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "new" / "other.truth"), {}), 1)
      << "nothing is left of what was given up";
  auto masks = MasksOfNewName::copy(hall, other);
  ASSERT_TRUE(masks);
  const fs::path kept = masks->put().value();
  EXPECT_EQ(find_masks(drawn_masks_folder(other)).value().size(), 1U);
  EXPECT_TRUE(find_mask(drawn_masks_folder(other), "cam1", 3));
  EXPECT_TRUE(find_mask(drawn_masks_folder(hall), "cam1", 3)) << "the former project keeps its own";
  EXPECT_TRUE(find_mask(kept, "cam1", 8));
  EXPECT_TRUE(MasksOfNewName::copy(hall, hall)->put().value().empty());
  EXPECT_TRUE(MasksOfNewName::copy({}, hall)->put().value().empty());
  EXPECT_TRUE(find_mask(drawn_masks_folder(hall), "cam1", 3));
}

}  // namespace
}  // namespace vantage
