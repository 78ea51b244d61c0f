#include <algorithm>
#include <array>
#include <span>

#include "core/display/canvas.h"
#include "core/display/document.h"

// Pages of A4: content continues on the next page, tables between their rows.

namespace vantage {
namespace {

constexpr double kPageWidth = 794, kPageHeight = 1123;  // A4, pixels
constexpr double kMargin = 60, kWidth = kPageWidth - 2 * kMargin, kPageBottom = kPageHeight - kMargin;
constexpr double kTitle_px = 22, kHeading_px = 16, kText_px = 11.5, kSmall_px = 9.5;
constexpr double kLeading = 1.35;  // of a line of text
constexpr double kCell = 5;        // between a cell's edge and its text
constexpr MarkColor kBlackInk = {27, 27, 27}, kGreyInk = {110, 110, 110}, kRule = {187, 187, 187},
                    kHeadGround = {238, 238, 238}, kMapGround = {238, 238, 238};

bool continues_letter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

class PdfDocument {
 public:
  PdfDocument(const Document& document, Canvas& pages) : document_(document), pages_(pages) {}

  Status write() {
    for (const std::string& line : lines_of(document_.title, kTitle_px, kWidth)) put_line(line, kTitle_px);
    y_ += 8;
    for (const DocumentPart& part : document_.parts)
      VANTAGE_TRY(std::visit([this](const auto& its) { return add(its); }, part));
    put_foot();
    return {};
  }

 private:
  Status add(const DocumentHeading& heading);
  Status add(const DocumentText& text);
  Status add(const DocumentTable& table);
  Status add(const DocumentPictures& pictures);
  Status add(const DocumentMap& map);

  // Broken at spaces; words longer than a line between letters.
  std::vector<std::string> lines_of(const std::string& text, double size_px, double width) const;
  void append_word(std::string word, double size_px, double width, std::vector<std::string>* lines) const;
  void put_line(const std::string& line, double size_px) {
    require(kLeading * size_px);
    pages_.text(line, kMargin, y_ + size_px, size_px, kBlackInk);
    y_ += kLeading * size_px;
  }
  void put_foot() {
    pages_.text(document_.title.substr(0, document_.title.find('\n')), kMargin, kPageHeight - 30, kSmall_px,
                kGreyInk);
    const std::string number = "page " + std::to_string(page_);
    pages_.text(number, kPageWidth - kMargin - pages_.text_width(number, kSmall_px), kPageHeight - 30,
                kSmall_px, kGreyInk);
  }
  // Starts the next page where so much does not fit on this one.
  bool require(double height) {
    if (y_ + height <= kPageBottom || y_ <= kMargin) return false;
    put_foot();
    pages_.next_page();
    ++page_, y_ = kMargin;
    return true;
  }
  std::vector<double> column_widths(const DocumentTable& table) const;
  void put_row(const std::vector<std::string>& row, const std::vector<double>& widths,
               const DocumentTable& table, bool head);

  const Document& document_;
  Canvas& pages_;
  double y_ = kMargin;  // where the next part begins
  int page_ = 1;
};

void PdfDocument::append_word(std::string word, double size_px, double width,
                              std::vector<std::string>* lines) const {
  const std::string joined = lines->back().empty() ? word : lines->back() + " " + word;
  if (pages_.text_width(joined, size_px) <= width) {
    lines->back() = joined;
    return;
  }
  if (!lines->back().empty()) lines->emplace_back();
  while (pages_.text_width(word, size_px) > width) {
    size_t fits = 0;
    for (size_t end = 1; end <= word.size(); ++end) {
      if (end < word.size() && continues_letter(word[end])) continue;
      if (fits > 0 && pages_.text_width(word.substr(0, end), size_px) > width) break;
      fits = end;
    }
    if (fits == word.size()) break;
    lines->back() = word.substr(0, fits);
    lines->emplace_back();
    word.erase(0, fits);
  }
  lines->back() = word;
}

std::vector<std::string> PdfDocument::lines_of(const std::string& text, double size_px, double width) const {
  std::vector<std::string> lines(1);
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find_first_of(" \n\t", begin), text.size());
    if (end > begin) append_word(text.substr(begin, end - begin), size_px, width, &lines);
    if (end < text.size() && text[end] == '\n') lines.emplace_back();
    begin = end + 1;
  }
  return lines;
}

// Keeps the heading with what follows: none is the last line of a page.
Status PdfDocument::add(const DocumentHeading& heading) {
  constexpr double kBefore = 16, kAfter = 6, kFollowing = 60;
  require(kBefore + kLeading * kHeading_px + kFollowing);
  if (y_ > kMargin) y_ += kBefore;
  put_line(heading.text, kHeading_px);
  y_ += kAfter;
  return {};
}

Status PdfDocument::add(const DocumentText& text) {
  constexpr double kAfter = 6;
  std::string plain = text.text;
  std::erase(plain, '`');
  for (const std::string& line : lines_of(plain, kText_px, kWidth)) put_line(line, kText_px);
  y_ += kAfter;
  return {};
}

// A column gets what it needs if that is within its share; the others divide the rest by their needs.
std::vector<double> PdfDocument::column_widths(const DocumentTable& table) const {
  std::vector<double> wanted(table.head.size(), 0);
  const auto add = [&](const std::vector<std::string>& row) {
    wanted.resize(std::max(wanted.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i)
      wanted[i] = std::max(wanted[i], pages_.text_width(row[i], kText_px) + 2 * kCell + 1);
  };
  add(table.head);
  for (const std::vector<std::string>& row : table.rows) add(row);
  double all = 0;
  for (const double one : wanted) all += one;
  if (all <= kWidth) return wanted;
  const double share = kWidth / static_cast<double>(wanted.size());
  double left = kWidth, others = 0;
  for (const double one : wanted) one <= share ? left -= one : others += one;
  for (double& one : wanted)
    if (one > share) one *= left / others;
  return wanted;
}

void PdfDocument::put_row(const std::vector<std::string>& row, const std::vector<double>& widths,
                          const DocumentTable& table, bool head) {
  std::vector<std::vector<std::string>> cells;
  size_t lines = 1;
  for (size_t i = 0; i < row.size(); ++i) {
    cells.push_back(lines_of(row[i], kText_px, widths[i] - 2 * kCell));
    lines = std::max(lines, cells.back().size());
  }
  const double line = kLeading * kText_px;
  // A row that is higher than a page is cut between its lines.
  for (size_t first = 0; first < lines;) {
    const auto page_lines = static_cast<size_t>((kPageBottom - kMargin - 3 * line) / line);
    const size_t count = std::min(lines - first, page_lines);
    const double height = static_cast<double>(count) * line + kCell;
    if (require(height) && !head && !table.head.empty()) put_row(table.head, widths, table, true);
    double left = kMargin;
    for (size_t i = 0; i < widths.size(); ++i) {
      const bool named = head || (i == 0 && table.head.empty());
      if (named) pages_.fill(std::array{rectangle(left, y_, left + widths[i], y_ + height)}, kHeadGround);
      pages_.stroke(rectangle(left, y_, left + widths[i], y_ + height), 0.7, kRule);
      for (size_t k = 0; i < cells.size() && k < count && first + k < cells[i].size(); ++k)
        pages_.text(cells[i][first + k], left + kCell, y_ + kText_px + 2 + static_cast<double>(k) * line,
                    kText_px, kBlackInk);
      left += widths[i];
    }
    y_ += height;
    first += count;
  }
}

Status PdfDocument::add(const DocumentTable& table) {
  constexpr double kAfter = 8;
  const std::vector<double> widths = column_widths(table);
  if (!table.head.empty()) put_row(table.head, widths, table, true);
  for (const std::vector<std::string>& row : table.rows) put_row(row, widths, table, false);
  y_ += kAfter;
  return {};
}

// Two side by side, with their names below.
Status PdfDocument::add(const DocumentPictures& pictures) {
  constexpr double kBetween = 14;
  constexpr double kPicture = (kWidth - kBetween) / 2, kName = kLeading * kText_px;
  for (size_t i = 0; i < pictures.pictures.size(); i += 2) {
    const size_t end = std::min(i + 2, pictures.pictures.size());
    double height = 0;
    for (size_t k = i; k < end; ++k) {
      VANTAGE_ASSIGN(const double its, Canvas::picture_height(pictures.pictures[k].png, kPicture));
      height = std::max(height, its);
    }
    require(height + kName + kBetween);
    for (size_t k = i; k < end; ++k) {
      const double left = kMargin + static_cast<double>(k - i) * (kPicture + kBetween);
      VANTAGE_TRY(pages_.picture(pictures.pictures[k].png, left, y_, kPicture));
      pages_.text(pictures.pictures[k].name, left, y_ + height + kText_px + 2, kText_px, kBlackInk);
    }
    y_ += height + kName + kBetween;
  }
  return {};
}

Status PdfDocument::add(const DocumentMap& map) {
  constexpr double kMaxHeight = 520, kAfter = 12;
  if (map.width <= 0 || map.height <= 0) return {};
  const double scale = std::min(kWidth / map.width, kMaxHeight / map.height);
  require(scale * map.height + kAfter);
  const auto x = [&](double its) { return kMargin + scale * (its - map.left); };
  const auto y = [&](double its) { return y_ + scale * (its - map.top); };
  pages_.fill(std::array{rectangle(kMargin, y_, x(map.left + map.width), y(map.top + map.height))},
              kMapGround);
  for (const MapLine& line : map.lines) {
    Outline points;
    for (const auto& [px, py] : line.points) points.emplace_back(x(px), y(py));
    if (points.empty()) continue;
    if (line.closed) pages_.fill(std::span(&points, 1), line.inside), points.push_back(points.front());
    pages_.stroke(points, std::max(0.5, scale * line.width), line.color);
  }
  for (const MapDot& dot : map.dots) pages_.disc(x(dot.x), y(dot.y), scale * dot.radius, kBlackInk);
  for (const MapWord& word : map.words)
    pages_.text(word.text, x(word.x), y(word.y), std::max(6.0, scale * word.size), word.color);
  y_ += scale * map.height + kAfter;
  return {};
}

}  // namespace

Result<std::string> document_pdf(const Document& document, const std::string& created) {
  VANTAGE_ASSIGN(Canvas pages, Canvas::pdf(kPageWidth, kPageHeight, document.title, created));
  VANTAGE_TRY(PdfDocument(document, pages).write());
  return pages.finish();
}

}  // namespace vantage
