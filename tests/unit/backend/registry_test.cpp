#include "core/image/backend/registry.h"

#include <gtest/gtest.h>

namespace vantage {
namespace {

struct Doubler {
  static constexpr std::string_view kAlgorithm = "doubler";
  static constexpr std::string_view kDefaultMethod = "sum";
  struct Arguments {
    int value = 0;
  };
  int result = 0;
  std::string method;
  int device_index = 0;
};

struct Other {
  static constexpr std::string_view kAlgorithm = "other";
  struct Arguments {};
};

BackendRegistry::Factory<Doubler> doubler(const std::string& method) {
  return [method](const BackendContext& context,
                  const Doubler::Arguments& arguments) -> Result<std::unique_ptr<Doubler>> {
    if (arguments.value < 0) return fail(ErrorKind::invalid_argument, "the value is negative");
    return std::make_unique<Doubler>(Doubler{2 * arguments.value, method, context.device_index});
  };
}

class RegistryTest : public testing::Test {
 protected:
  RegistryTest() {
    registry_.add<Doubler>(Device::cpu, doubler("sum"));
    registry_.add<Doubler>("shift", Device::cpu, doubler("shift"));
    registry_.add<Doubler>("sum", Device::cuda, doubler("sum on cuda"));
  }
  BackendRegistry registry_;
};

TEST_F(RegistryTest, MethodsAndDevicesAreApart) {
  const BackendContext second_gpu{nullptr, 1};
  EXPECT_EQ(registry_.create<Doubler>(Device::cpu, {}, {21}).value()->result, 42);
  EXPECT_EQ(registry_.create<Doubler>(Device::cpu, {}, {1}).value()->method, "sum") << "the default method";
  EXPECT_EQ(registry_.create<Doubler>("shift", Device::cpu, {}, {1}).value()->method, "shift");
  const auto on_gpu = registry_.create<Doubler>(Device::cuda, second_gpu, {1});
  EXPECT_EQ((*on_gpu)->method, "sum on cuda");
  EXPECT_EQ((*on_gpu)->device_index, 1);
  EXPECT_EQ(registry_.methods("doubler", Device::cpu), (std::vector<std::string>{"shift", "sum"}));
  EXPECT_TRUE(registry_.has<Doubler>(Device::cuda) && !registry_.has<Doubler>("shift", Device::cuda));
  EXPECT_FALSE(registry_.has<Other>(Device::cpu));
  EXPECT_EQ(registry_.entries().size(), 3u);
}

TEST_F(RegistryTest, WhatIsMissingIsNamedWithWhatThereIs) {
  const auto elsewhere = registry_.create<Doubler>("shift", Device::cuda, {}, {1});
  ASSERT_FALSE(elsewhere);
  EXPECT_EQ(elsewhere.error().kind, ErrorKind::unsupported);
  const std::string message = elsewhere.error().message();
  for (const char* part : {"method shift", "on cuda", "doubler.method=sum", "--backend cpu"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
  const auto nowhere = registry_.create<Doubler>("product", Device::cpu, {}, {1});
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message().find("not part of this program"), std::string::npos)
      << nowhere.error().message();
  EXPECT_FALSE(registry_.create<Other>(Device::cpu, {}, {}));
}

TEST_F(RegistryTest, ADevicesBackendsCarryItAndPassErrorsOn) {
  const DeviceBackends backends(&registry_, Device::cuda, {nullptr, 3});
  EXPECT_TRUE(backends && backends.on_gpu() && backends.has<Doubler>());
  EXPECT_EQ(backends.create<Doubler>({5}).value()->device_index, 3);
  EXPECT_FALSE(backends.create<Doubler>("shift", {5}));
  const auto refused = backends.create<Doubler>({-1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::invalid_argument);
  EXPECT_FALSE(DeviceBackends());
}

}  // namespace
}  // namespace vantage
