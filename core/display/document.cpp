#include "core/display/document.h"

#include <fmt/core.h>
#include <algorithm>

#include "core/base/text.h"

namespace vantage {
namespace {

constexpr const char* kStyle =
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:62em;padding:0 1em;color:#1b1b1b}"
    "h1{font-size:1.6em}h2{font-size:1.2em;margin-top:2em}table{border-collapse:collapse}"
    "th,td{border:1px solid #bbb;padding:.3em .6em;text-align:left;vertical-align:top}"
    "figure{display:inline-block;margin:0 1em 1em 0}"
    "img{max-width:100%}code{word-break:break-all}svg{background:#eee;max-width:100%}"
    "@media print{body{margin:0}figure,tr,svg{break-inside:avoid}}";

std::string html_color(const DocumentColor& color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color[0], color[1], color[2]);
}

std::string html_of(const DocumentHeading& heading) {
  return "<h2>" + xml_escaped(heading.text) + "</h2>\n";
}

std::string html_of(const DocumentText& text) {
  std::string out = "<p>";
  bool code = false;
  for (size_t begin = 0; begin <= text.text.size(); code = !code) {
    const size_t end = std::min(text.text.find('`', begin), text.text.size());
    const std::string part = xml_escaped(text.text.substr(begin, end - begin));
    out += code ? "<code>" + part + "</code>" : part;
    begin = end + 1;
  }
  return out + "</p>\n";
}

std::string html_of(const DocumentTable& table) {
  const auto cell = [](const std::string& value, bool head) {
    const std::string tag = head ? "th" : "td";
    return "<" + tag + ">" + xml_escaped(value) + "</" + tag + ">";
  };
  std::string out = "<table>\n";
  if (!table.head.empty()) {
    out += "<tr>";
    for (const std::string& value : table.head) out += cell(value, true);
    out += "</tr>\n";
  }
  for (const std::vector<std::string>& row : table.rows) {
    out += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) out += cell(row[i], i == 0 && table.head.empty());
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

std::string html_of(const DocumentPictures& pictures) {
  std::string out;
  for (const auto& [name, png] : pictures.pictures)
    out += "<figure><img alt=\"" + xml_escaped(name) + "\" src=\"data:image/png;base64," + base64(png) +
           "\"><figcaption>" + xml_escaped(name) + "</figcaption></figure>\n";
  return out;
}

std::string html_of(const DocumentMap& map) {
  constexpr double kWidth_px = 720;
  std::string out = fmt::format(
      "<svg role=\"img\" aria-label=\"{}\" width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"{:.3f} {:.3f} {:.3f} "
      "{:.3f}\">\n",
      xml_escaped(map.name), kWidth_px, kWidth_px * map.height / map.width, map.left, map.top, map.width,
      map.height);
  for (const MapLine& line : map.lines) {
    const std::string tag = line.closed ? "polygon" : "polyline";
    out += "<" + tag + " fill=\"" + (line.closed ? html_color(line.inside) : "none") + "\" stroke=\"" +
           html_color(line.color) + fmt::format("\" stroke-width=\"{:g}\" points=\"", line.width);
    for (const auto& [x, y] : line.points) out += fmt::format("{:.3f},{:.3f} ", x, y);
    out += "\"><title>" + xml_escaped(line.name) + "</title></" + tag + ">\n";
  }
  for (const MapDot& dot : map.dots)
    out += fmt::format("<circle cx=\"{:.3f}\" cy=\"{:.3f}\" r=\"{:g}\"/>\n", dot.x, dot.y, dot.radius);
  for (const MapWord& word : map.words)
    out += fmt::format("<text x=\"{:.3f}\" y=\"{:.3f}\" font-size=\"{:g}\" fill=\"{}\">", word.x, word.y,
                       word.size, html_color(word.color)) +
           xml_escaped(word.text) + "</text>\n";
  return out + "</svg>\n";
}

}  // namespace

void add_parts(const Report& report, Document* to) {
  for (const ReportItem& item : report.items) {
    if (item.kind == ReportItem::Kind::value && !item.text.empty())
      to->parts.emplace_back(DocumentText{item.label.empty() ? item.text : item.label + ": " + item.text});
    if (item.kind == ReportItem::Kind::rows || item.kind == ReportItem::Kind::named) {
      ReportTable table = table_of(item.parts);
      if (!table.head.empty())
        to->parts.emplace_back(DocumentTable{std::move(table.head), std::move(table.rows)});
      continue;
    }
    for (const Report& section : item.parts) {
      if (!section.title.empty()) to->parts.emplace_back(DocumentHeading{section.title});
      add_parts(section, to);
    }
  }
}

std::string document_html(const Document& document) {
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>" +
                     xml_escaped(document.title) + "</title>\n<style>" + kStyle +
                     "</style></head>\n<body>\n<h1>" + xml_escaped(document.title) + "</h1>\n";
  for (const DocumentPart& part : document.parts)
    text += std::visit([](const auto& its) { return html_of(its); }, part);
  return text + "</body></html>\n";
}

}  // namespace vantage
