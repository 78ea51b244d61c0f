#include "core/base/memory.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

const MemoryNeed kNeed{{{"foreground", 0.2e9, 0, "Take fewer pictures."},
                        {"carving", 1.1e9, 3e9, "Choose larger voxels."},
                        {"people", 1e6, 0, "Nothing."}}};

TEST(MemoryNeed, SaysWhatTakesMost) {
  EXPECT_DOUBLE_EQ(kNeed.host_bytes(), 1.301e9);
  EXPECT_DOUBLE_EQ(kNeed.device_bytes(), 3e9);
  EXPECT_EQ(shares_text(kNeed, false), "carving 1.1 GB, foreground 200 MB");
  EXPECT_EQ(shares_text(kNeed, true), "carving 3.0 GB");
  EXPECT_EQ(memory_text(kNeed, {15e9, 80e9}), "1.3 GB of 15.0 GB, GPU 3.0 GB of 80.0 GB");
  EXPECT_EQ(memory_text(kNeed, {}), "1.3 GB, GPU 3.0 GB");
  EXPECT_EQ(memory_text({{{"foreground", 1e6, 0, ""}}}, {2e6, {}}), "1 MB of 2 MB");
}

TEST(MemoryNeed, IsRefusedOnlyWhereItIsKnownNotToFit) {
  EXPECT_TRUE(check_memory(kNeed, {}));
  EXPECT_TRUE(check_memory(kNeed, {1.4e9, 3e9}));
  const Status host = check_memory(kNeed, {1.2e9, 4e9});
  ASSERT_FALSE(host);
  EXPECT_EQ(host.error().kind, ErrorKind::out_of_memory);
  EXPECT_EQ(host.error().message(),
            "carving 1.1 GB, foreground 200 MB: 1.3 GB of memory are needed, available: 1.2 GB. Choose "
            "larger voxels.");
  const Status device = check_memory(kNeed, {1.4e9, 2e9});
  ASSERT_FALSE(device);
  EXPECT_NE(device.error().what.find("3.0 GB of GPU memory"), std::string::npos);
}

TEST(MemoryNeed, TheHostCanBeAsked) {
  const std::optional<double> bytes = free_host_bytes();
  ASSERT_TRUE(bytes);
  EXPECT_GT(*bytes, 1e6);
}

}  // namespace
}  // namespace vantage
