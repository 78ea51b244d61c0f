#include "core/base/parameters.h"

#include <gtest/gtest.h>

namespace vantage {

enum class Shape { square, round };
struct ToyParameters {
  double size = 0.5;
  int count = 3;
  bool on = true;
  Shape shape = Shape::round;
};
template <>
const ParameterTable& parameter_table<ToyParameters>() {
  using P = ToyParameters;
  using enum ParameterOption;
  static const ParameterTable table =
      ParameterTable::make<P>("toy", "Toy",
                              {real<&P::size>("Size", "m", 0, 2, "Its size."),
                               integer<&P::count>("Count", "", 1, 9, "How many.", relearns),
                               boolean<&P::on>("On", "Whether.", expert, logarithmic),
                               choice<&P::shape>("Shape", {"square", "round"}, "Which.")});
  return table;
}

namespace {

ParameterStore toy_store() {
  return ParameterStore({&parameter_table<ToyParameters>()});
}

TEST(Parameters, DefaultsComeFromTheStruct) {
  const ToyParameters toy = toy_store().get<ToyParameters>();
  EXPECT_EQ(toy.size, 0.5);
  EXPECT_EQ(toy.count, 3);
  EXPECT_TRUE(toy.on);
  EXPECT_EQ(toy.shape, Shape::round);
}

TEST(Parameters, ALineSaysEverything) {
  const ParameterTable& table = parameter_table<ToyParameters>();
  ASSERT_EQ(table.entries.size(), 4u);
  const ParameterDescription &size = table.entries[0], &count = table.entries[1], &on = table.entries[2],
                             &shape = table.entries[3];
  EXPECT_EQ(size.name, "size") << "the member's name";
  EXPECT_EQ(size.display_name, "Size");
  EXPECT_EQ(size.unit, "m");
  EXPECT_EQ(size.help, "Its size.");
  EXPECT_EQ(size.minimum, 0);
  EXPECT_EQ(size.maximum, 2);
  EXPECT_EQ(size.default_value, 0.5);
  EXPECT_FALSE(size.expert || size.logarithmic || size.relearns);
  EXPECT_EQ(count.name, "count");
  EXPECT_EQ(count.type, ParameterType::integer);
  EXPECT_TRUE(count.relearns && !count.expert && !count.logarithmic);
  EXPECT_EQ(on.type, ParameterType::boolean);
  EXPECT_TRUE(on.expert && on.logarithmic && !on.relearns);
  EXPECT_EQ(shape.type, ParameterType::choice);
  EXPECT_EQ(shape.choices, (std::vector<std::string>{"square", "round"}));
  EXPECT_EQ(shape.maximum, 1);
}

TEST(Parameters, TextSetsEveryType) {
  ParameterStore store = toy_store();
  ASSERT_TRUE(store.set_from_text("toy.size=1.25"));
  ASSERT_TRUE(store.set_from_text("toy.count=9"));
  ASSERT_TRUE(store.set_from_text("toy.on=false"));
  ASSERT_TRUE(store.set_from_text("toy.shape=square"));
  const ToyParameters toy = store.get<ToyParameters>();
  EXPECT_EQ(toy.size, 1.25);
  EXPECT_EQ(toy.count, 9);
  EXPECT_FALSE(toy.on);
  EXPECT_EQ(toy.shape, Shape::square);
  EXPECT_FALSE(store.is_default("toy", "size"));
  store.reset("toy", "size");
  EXPECT_TRUE(store.is_default("toy", "size"));
  EXPECT_EQ(store.get<ToyParameters>().size, 0.5);
}

TEST(Parameters, WrongInputIsNamed) {
  ParameterStore store = toy_store();
  EXPECT_NE(store.set_from_text("toy.sise=1").error().message().find("Did you mean toy.size?"),
            std::string::npos);
  EXPECT_NE(store.set_from_text("toy.size=3").error().message().find("0 to 2 m"), std::string::npos);
  EXPECT_NE(store.set_from_text("toy.shape=oval").error().message().find("square, round"), std::string::npos);
  for (const char* text : {"", "=", "toy", "toy.size", "toy.size=", "toy.size=1x", "toy.count=1.5",
                           "toy.size=nan", "toy.on=2", ".=1", "=a.b"})
    EXPECT_FALSE(store.set_from_text(text)) << text;
  EXPECT_EQ(store.get<ToyParameters>().size, 0.5) << "a refused value must not stick";
}

TEST(Parameters, HashFollowsValuesAndReturnsWithThem) {
  ParameterStore store = toy_store();
  const uint64_t before = store.hash("toy");
  ASSERT_TRUE(store.set("toy", "count", 4));
  EXPECT_NE(store.hash("toy"), before);
  ASSERT_TRUE(store.set("toy", "count", 3));
  EXPECT_EQ(store.hash("toy"), before);
  EXPECT_TRUE(store.is_default("toy", "count"));
}

}  // namespace
}  // namespace vantage
