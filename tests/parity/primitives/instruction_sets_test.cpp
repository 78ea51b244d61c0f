// The vectorised loops give the same bits with every instruction set that this machine has.
#include <gtest/gtest.h>

#include <random>

#include "core/primitives/integral_image.h"
#include "core/primitives/nms.h"
#include "tests/support/instruction_sets.h"

namespace vantage {
namespace {

constexpr int kWidth = 1003, kHeight = 107;

struct Results {
  std::vector<uint32_t> bytes_to_u32;
  std::vector<float> bytes_to_f32, f32;
  std::vector<double> f64;
  std::vector<int32_t> kept, kept_by_mapreduce;
  bool operator==(const Results&) const = default;
};

template <typename In, typename Out>
std::vector<Out> sums(const std::vector<In>& in) {
  std::vector<Out> out(in.size());
  EXPECT_TRUE(integral_image_cpu(ImageView<const In>{in.data(), kWidth, kHeight, kWidth * sizeof(In)},
                                 ImageView<Out>{out.data(), kWidth, kHeight, kWidth * sizeof(Out)},
                                 IntegralKind::inclusive, 1));
  return out;
}

Results run_all() {
  std::mt19937 random(7);  // the same input for every instruction set
  std::vector<uint8_t> bytes(kWidth * kHeight);
  std::vector<float> reals(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(random());
    reals[i] = std::uniform_real_distribution<float>(-1, 3)(random);
  }
  std::vector<Detection> boxes(1300);
  std::uniform_real_distribution<float> place(0, 400), size(20, 50), score(0, 1);
  for (Detection& d : boxes)
    d = {place(random), place(random), size(random),
         size(random),  score(random), static_cast<int>(random() % 2)};
  return {sums<uint8_t, uint32_t>(bytes),
          sums<uint8_t, float>(bytes),
          sums<float, float>(reals),
          sums<double, double>({reals.begin(), reals.end()}),
          non_maximum_suppression_cpu(boxes, {})->kept,
          non_maximum_suppression_cpu(boxes, published_nms(0.5f), 1)->kept};
}

TEST(InstructionSets, AllGiveTheSameBits) {
  const Results expected = run_all();
  test::for_each_instruction_set([&] { EXPECT_TRUE(run_all() == expected); });
}

}  // namespace
}  // namespace vantage
