// A document of headings, text, tables, pictures and a map, written as one HTML file that needs nothing else,
// and as PDF on pages of A4, with the same content.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/report.h"
#include "core/base/result.h"

namespace vantage {

struct DocumentHeading {
  std::string text;
};
// Text; parts between backquotes are set as code where the format can.
struct DocumentText {
  std::string text;
};
struct DocumentTable {
  std::vector<std::string> head;  // empty: the first column names what is next to it
  std::vector<std::vector<std::string>> rows;
};
struct DocumentPicture {
  std::string name;
  std::string png;  // the file's bytes
};
struct DocumentPictures {
  std::vector<DocumentPicture> pictures;
};

using DocumentColor = std::array<uint8_t, 3>;
// In the units of the map, y downwards.
struct MapLine {
  std::vector<std::pair<double, double>> points;
  double width = 0;
  DocumentColor color = {0, 0, 0};
  bool closed = false;
  std::string name = {};
  DocumentColor inside = {255, 255, 255};  // where it is closed
};
struct MapDot {
  double x = 0, y = 0, radius = 0;
};
struct MapWord {
  double x = 0, y = 0, size = 0;
  std::string text;
  DocumentColor color = {0, 0, 0};
};
struct DocumentMap {
  std::string name;
  double left = 0, top = 0, width = 0, height = 0;
  std::vector<MapLine> lines;
  std::vector<MapDot> dots;
  std::vector<MapWord> words;
};

using DocumentPart =
    std::variant<DocumentHeading, DocumentText, DocumentTable, DocumentPictures, DocumentMap>;
struct Document {
  std::string title;
  std::vector<DocumentPart> parts;
};

// Appends a report, as people read it, to the existing parts: tables, sentences, sections under headings.
void add_parts(const Report& report, Document* to);

std::string document_html(const Document& document);
// `created`: as Canvas::pdf() has it. Errors: those of Canvas.
Result<std::string> document_pdf(const Document& document, const std::string& created);

}  // namespace vantage
