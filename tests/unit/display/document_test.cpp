// A document says the same as HTML and as PDF, whatever its texts hold, on as many pages as it needs.
#include "core/display/document.h"

#include <gtest/gtest.h>

#include <regex>

#include "core/image/image_files.h"

namespace vantage {
namespace {

constexpr const char* kCreated = "2026-05-01T14:32:05Z";

std::string png(int width, int height) {
  Image rgb = Image::make(ImageType::u8, 3 * width, height, HostPool::shared()).value();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < 3 * width; ++x) rgb.writable_view<uint8_t>().at(x, y) = static_cast<uint8_t>(x + y);
  return encode_png_rgb(rgb).value();
}

size_t count(const std::string& text, const std::string& pattern) {
  const std::regex wanted(pattern);
  return static_cast<size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), wanted), std::sregex_iterator()));
}

size_t pages(const Document& document) {
  const auto pdf = document_pdf(document, kCreated);
  EXPECT_TRUE(pdf) << (pdf ? "" : pdf.error().message());
  return pdf ? count(*pdf, "/Type */Page[^s]") : 0;
}

Document small() {
  Document document{"Case: a <test>", {}};
  document.parts.emplace_back(DocumentTable{{}, {{"Exported by", "A. Jones & co"}}});
  document.parts.emplace_back(DocumentHeading{"Pictures"});
  document.parts.emplace_back(DocumentPictures{{{"cam1", png(64, 48)}, {"cam \"2\"", png(48, 64)}}});
  document.parts.emplace_back(DocumentText{"See `data/x < y`, then go on."});
  DocumentMap map{"Map", 0, 0, 4, 3, {}, {}, {}};
  map.lines = {{{{0, 0}, {1, 0}, {1, 1}}, 0.05, {119, 119, 119}, true, "shop"},
               {{{0, 2}, {4, 2}}, 0.05, {0, 0, 0}, false, "door"},
               {{}, 0.05, {0, 0, 0}, false, "nobody"}};
  map.dots = {{2, 2, 0.1}};
  map.words = {{2, 2, 0.3, "cam1", {0, 0, 0}}};
  document.parts.emplace_back(std::move(map));
  return document;
}

TEST(Document, HtmlIsEscapedAndWhole) {
  const std::string html = document_html(small());
  for (const char* part : {"<h1>Case: a &lt;test&gt;</h1>", "<th>Exported by</th><td>A. Jones &amp; co</td>",
                           "<h2>Pictures</h2>", "alt=\"cam &quot;2&quot;\"",
                           "<code>data/x &lt; y</code>, then go on.", "<polygon", "<circle"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  EXPECT_EQ(count(html, "<img "), 2U);
}

// A report's values, rows and sections; a shape has its colour inside.
TEST(Document, AReportBecomesParts) {
  Report camera, floor{"The floor"}, report;
  camera.add("name", "camera", "<cam1>"), camera.add_number("rms_px", "RMS", 0.25, {"px", 2});
  camera.add_data("hidden", "nobody reads it");
  floor.add_number("median_m", "Middle", 0.031, {"cm", 1, 100});
  report.add_row("cameras", camera), report.add_section("floor", floor), report.add_sentence("It fits.");
  Document document{"Calibration", {}};
  add_parts(report, &document);
  document.parts.emplace_back(DocumentMap{
      "Map", 0, 0, 1, 1, {{{{0, 0}, {1, 0}, {1, 1}}, 0, {0, 0, 0}, true, "", {255, 16, 0}}}, {}, {}});
  const std::string html = document_html(document);
  for (const char* part :
       {"<th>camera</th><th>RMS</th>", "<td>&lt;cam1&gt;</td><td>0.25 px</td>",
        "<h2>The floor</h2>\n<p>Middle: 3.1 cm</p>", "<p>It fits.</p>", "fill=\"#ff1000\""})
    EXPECT_NE(html.find(part), std::string::npos) << part << " in " << html;
  EXPECT_EQ(html.find("nobody"), std::string::npos);
  EXPECT_EQ(pages(document), 1U);
}

TEST(Document, PdfHasPicturesAFontAndTheSameBytesAgain) {
  const auto pdf = document_pdf(small(), kCreated);
  ASSERT_TRUE(pdf) << pdf.error().message();
  EXPECT_TRUE(pdf->starts_with("%PDF-1.4"));
  EXPECT_EQ(count(*pdf, "/Subtype */Image"), 2U);
  EXPECT_GE(count(*pdf, "/FontFile"), 1U);
  EXPECT_GE(count(*pdf, "/ToUnicode"), 1U) << "letters can be searched";
  EXPECT_NE(pdf->find("20260501143205"), std::string::npos) << "when it was made, as stated";
  EXPECT_EQ(pages(small()), 2U) << "the map has no room below the pictures";
  EXPECT_EQ(document_pdf(small(), kCreated).value(), *pdf);
}

TEST(Document, GoesOnOnFurtherPages) {
  Document document{"long", {}};
  DocumentTable table{{"Time", "What"}, {}};
  for (int i = 0; i < 200; ++i) table.rows.push_back({std::to_string(i), "somebody came in"});
  document.parts.emplace_back(table);
  const size_t rows = pages(document);
  EXPECT_GE(rows, 3U);
  EXPECT_LE(rows, 6U);
  // A cell that no page holds is cut, a word that no line holds, too.
  document.parts = {DocumentTable{{"What"}, {{std::string(60'000, 'w')}}}};
  EXPECT_GT(pages(document), 3U);
  DocumentPictures many;
  for (int i = 0; i < 9; ++i) many.pictures.push_back({"cam" + std::to_string(i), png(40, 30)});
  document.parts = {std::move(many)};
  EXPECT_EQ(pages(document), 2U);
}

TEST(Document, WhateverIsWrittenDoesNotBreakIt) {
  Document document{
      "\xff\xfe"
      "bad \xc3",
      {}};
  document.parts.emplace_back(
      DocumentText{std::string("nul ") + '\0' + " in it, tab\t, \xed\xa0\x80, 雪, \xf0\x9f\x98\x80"});
  document.parts.emplace_back(DocumentTable{{"a", "b"}, {{}, {""}, {"x", "y", "z"}}});
  document.parts.emplace_back(DocumentTable{{}, {}});
  document.parts.emplace_back(DocumentPictures{});
  document.parts.emplace_back(DocumentMap{});
  EXPECT_EQ(pages(document), 1U);
  document.parts = {DocumentPictures{{{"no picture", "text"}}}};
  EXPECT_EQ(document_pdf(document, kCreated).error().kind, ErrorKind::bad_data);
}

}  // namespace
}  // namespace vantage
