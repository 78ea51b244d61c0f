// A report said once: its text, its JSON, its tables.
#include "core/base/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/json.h"

namespace vantage {
namespace {

Report camera(const std::string& name, std::optional<double> moved_m) {
  Report row;
  row.add("name", "camera", name);
  if (moved_m) row.add("moved_m", "moved by", *moved_m, unit_text(*moved_m, 0.001, {"mm", 1, 1000}));
  row.add_data("solved", moved_m.has_value());
  if (!moved_m) row.add_sentence("the footage does not determine it");
  return row;
}

TEST(ReportTest, TextAndJsonAreOfTheSameValues) {
  Report report, lens{"Lens"};
  report.add_data("schema", "vantage-test-1");
  report.add_count("frames", "Frames", 12);
  lens.add_number("focal_px", "Focal length", 900, {"px", 2});
  lens.add_unknown("k1", "k1", "not solved");
  report.add_section("lens", lens);
  report.add_row("cameras", camera("cam1", 0.0125));
  report.add_row("cameras", camera("cam20", std::nullopt));
  report.add_rows("pairs", {});
  EXPECT_EQ(text_of(report),
            "Frames: 12\n"
            "Lens\n"
            "  Focal length: 900.00 px\n"
            "  k1: not solved\n"
            "camera       moved by\n"
            "cam1    12.5 \u00b1 1.0 mm\n"
            "cam20               -\n"
            "        the footage does not determine it\n");
  EXPECT_EQ(json_text(json_of(report)),
            R"({"schema":"vantage-test-1","frames":12,"lens":{"focal_px":900.0,"k1":null},)"
            R"("cameras":[{"name":"cam1","moved_m":0.0125,"solved":true},{"name":"cam20","solved":false}],)"
            R"("pairs":[]})");
  EXPECT_EQ(report.rows("cameras")[0].text("moved_m"), "12.5 \u00b1 1.0 mm");
  EXPECT_EQ(report.rows("cameras")[1].sentences(), "the footage does not determine it");
  EXPECT_EQ(report.section("lens").text("k1"), "not solved");
  EXPECT_TRUE(report.section("absent").items.empty());
}

TEST(ReportTest, ValuesKeepTheirTypes) {
  Report report;
  report.add_data("list", std::vector<std::optional<double>>{1.0, std::nullopt, NAN});
  report.add_data("size_px", {640, 480});
  report.add_data("corner", std::array{0.5, 1.0});
  report.add_data("names", std::vector<std::string>{});
  report.add_data("ready", ReportValue::ready({{"b", 1}, {"a", "x"}}));
  report.add_data("count", size_t{3});
  EXPECT_EQ(json_text(json_of(report)),
            R"({"list":[1.0,null,null],"size_px":[640,480],"corner":[0.5,1.0],"names":[],)"
            R"("ready":{"b":1,"a":"x"},"count":3})");
  EXPECT_EQ(text_of(report), "");
}

TEST(ReportTest, SentencesAreFilledWithValues) {
  Report report;
  report.add_data("people", 7), report.add_data("error_m", 0.0123), report.add_data("rate", 12.5);
  report.add_data("camera", "{people}");
  report.say("{people} people, off by {error_m:1*100} cm at {rate} frames/s by {camera}; {absent}.");
  EXPECT_EQ(text_of(report), "7 people, off by 1.2 cm at 12.5 frames/s by {people}; .\n");
}

TEST(ReportTest, RowsThatHaveNamesAreAnObject) {
  Report moda;
  moda.add("moda", "figure", "MODA"), moda.add_number("first", "A", 0.5, {"", 3});
  Report report;
  report.add_named("against", {moda});
  EXPECT_EQ(json_text(json_of(report)), R"({"against":{"moda":{"first":0.5}}})");
  EXPECT_EQ(text_of(report), "figure      A\nMODA    0.500\n");
}

// A section without a title is a paragraph: its lines end before the terminal does.
TEST(ReportTest, ParagraphsAreWrapped) {
  Report report, figures;
  for (int i = 0; i < 12; ++i)
    figures.add_number("f" + std::to_string(i), "figure" + std::to_string(i), i, {"px", 3});
  report.add_section("figures", figures);
  const std::string text = text_of(report);
  EXPECT_EQ(text.substr(0, 35), "figure0 0.000 px  figure1 1.000 px ");
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
  EXPECT_EQ(json_of(report)["figures"].size(), 12u);
}

TEST(ReportTest, NumbersHaveTheirUnits) {
  EXPECT_EQ(unit_text(0.0312, {"%", 1, 100, true}), "+3.1 %");
  EXPECT_EQ(unit_text(12.3456, {"\u00b0", 2}), "12.35\u00b0");
  EXPECT_EQ(unit_text(0.5, {"", 2}), "0.50");
  EXPECT_EQ(unit_text(-0.02, 0.01, {"%", 1, 100, true}), "-2.0 \u00b1 1.0 %");
  EXPECT_EQ(unit_text(0.5, 0, {"m", 1}), "0.5 m") << "no deviation is known";
}

}  // namespace
}  // namespace vantage
