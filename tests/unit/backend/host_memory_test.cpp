#include <gtest/gtest.h>

#include "core/algorithms.h"
#include "core/image/backend/memory_transfer.h"
#include "core/image/backend/registry.h"
#include "core/image/picture.h"

namespace vantage {
namespace {

TEST(HostMemory, HandsBackWhatItIsGiven) {
  BackendRegistry registry;
  register_memory_transfer_cpu(registry);
  const auto made = registry.create<MemoryTransfer>(Device::cpu, {}, {});
  ASSERT_TRUE(made);
  MemoryTransfer& transfer = **made;
  const Image image = Image::make(ImageType::u8, 3, 2, HostPool::shared()).value();
  const uint8_t* const first = &image.view<uint8_t>().at(0, 0);
  EXPECT_EQ(&transfer.upload(image, 0, 0)->view<uint8_t>().at(0, 0), first);
  EXPECT_EQ(&transfer.download(image, 0, 0)->view<uint8_t>().at(0, 0), first);
  const std::vector<Image> images = {image, Image(), image};
  const auto all = transfer.download_all(images, 0);
  ASSERT_TRUE(all);
  EXPECT_EQ(&all->at(2).view<uint8_t>().at(0, 0), first);
  EXPECT_FALSE(all->at(1)) << "empty ones stay empty";
  EXPECT_TRUE(transfer.wait_for(image));
  EXPECT_GT(transfer.free_bytes().value(), 0);
}

}  // namespace
}  // namespace vantage
