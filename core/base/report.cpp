#include "core/base/report.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/json.h"

namespace vantage {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const ReportValue& value) {
  if (const auto* truth = std::get_if<bool>(&value.value)) return *truth;
  if (const auto* count = std::get_if<int64_t>(&value.value)) return *count;
  if (const auto* number = std::get_if<double>(&value.value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
  if (const auto* json = std::get_if<std::shared_ptr<const ordered_json>>(&value.value)) return **json;
  const auto* list = std::get_if<std::vector<ReportValue>>(&value.value);
  if (!list) return nullptr;
  ordered_json json = ordered_json::array();
  for (const ReportValue& one : *list) json.push_back(json_of(one));
  return json;
}

// Columns that a terminal gives it.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string with_label(const ReportItem& item, const char* between) {
  return item.label.empty() ? item.text : item.label + between + item.text;
}

bool is_cell(const ReportItem& item) {
  return item.kind == ReportItem::Kind::value && !item.label.empty() && !item.text.empty();
}

bool starts_as_number(const std::string& text) {
  return text.find_first_of("+-0123456789") == 0;
}

class Writer {
 public:
  std::string take() { return std::move(text_); }

  void write(const Report& report, const std::string& indent) {
    for (const ReportItem& item : report.items) write(item, indent);
  }

 private:
  void write(const ReportItem& item, const std::string& indent) {
    if (item.kind == ReportItem::Kind::value && !item.text.empty()) line(indent + with_label(item, ": "));
    if (item.kind >= ReportItem::Kind::rows && !item.parts.empty() && item.parts.front().title.empty())
      return table(item.parts, indent);
    for (const Report& part : item.parts)
      if (part.title.empty()) {
        paragraph(part, indent);
      } else {
        line(indent + part.title + (part.summary.empty() ? "" : ": " + part.summary));
        write(part, indent + "  ");
      }
  }

  void line(const std::string& text) { text_ += text + "\n"; }

  // Values one behind the other.
  void paragraph(const Report& section, const std::string& indent) {
    constexpr size_t kMaxWidth = 110;
    std::string text;
    for (const ReportItem& item : section.items) {
      if (!is_cell(item)) continue;
      const std::string next = with_label(item, " ");
      if (!text.empty() && width_of(indent + text + next) > kMaxWidth) line(indent + std::exchange(text, {}));
      text += (text.empty() ? "" : "  ") + next;
    }
    if (!text.empty()) line(indent + text);
    for (const ReportItem& item : section.items)
      if (!is_cell(item)) write(item, indent);
  }

  void table(const std::vector<Report>& rows, const std::string& indent) {
    const ReportTable table = table_of(rows);
    std::vector<size_t> widths;
    std::vector<bool> numbers(table.head.size(), false);
    for (size_t c = 0; c < table.head.size(); ++c) {
      widths.push_back(width_of(table.head[c]));
      for (const std::vector<std::string>& row : table.rows)
        widths[c] = std::max(widths[c], width_of(row[c])),
        numbers[c] = numbers[c] || starts_as_number(row[c]);
    }
    const auto write_row = [&](const std::vector<std::string>& cells) {
      std::string text;
      for (size_t c = 0; c < cells.size(); ++c) {
        const std::string gap(widths[c] - width_of(cells[c]), ' ');
        text += (numbers[c] ? gap + cells[c] : cells[c] + gap) + "  ";
      }
      text.erase(text.find_last_not_of(' ') + 1);
      if (!cells.empty()) line(indent + text);
    };
    write_row(table.head);
    const std::string below(widths.empty() ? 0 : widths.front() + 2, ' ');
    for (size_t r = 0; r < rows.size(); ++r) {
      write_row(table.rows[r]);
      for (const ReportItem& item : rows[r].items)
        if (!is_cell(item)) write(item, indent + below);
    }
  }

  std::string text_;
};

}  // namespace

ReportValue ReportValue::ready(const ordered_json& json) {
  ReportValue made;
  made.value = std::make_shared<const ordered_json>(json);
  return made;
}

std::string unit_text(double value, const Unit& unit) {
  return (unit.sign ? fmt::format("{:+.{}f}", unit.factor * value, unit.digits)
                    : fmt::format("{:.{}f}", unit.factor * value, unit.digits)) +
         (*unit.name == '\0' || std::string_view(unit.name) == "\u00b0" ? "" : " ") + unit.name;
}

std::string unit_text(double value, double std, const Unit& unit) {
  if (!(std > 0)) return unit_text(value, unit);
  const Unit bare{"", unit.digits, unit.factor, unit.sign}, with_name{unit.name, unit.digits, unit.factor};
  return unit_text(value, bare) + " \u00b1 " + unit_text(std, with_name);
}

void Report::add(std::string key, std::string label, ReportValue value, std::string text) {
  items.push_back({std::move(key), std::move(label), std::move(value), std::move(text)});
}
void Report::add(std::string key, std::string label, const std::string& text) {
  add(std::move(key), std::move(label), text, text);
}
void Report::add_number(std::string key, std::string label, double value, const Unit& unit) {
  add(std::move(key), std::move(label), value, unit_text(value, unit));
}
void Report::add_count(std::string key, std::string label, int64_t count) {
  add(std::move(key), std::move(label), count, std::to_string(count));
}
void Report::add_truth(std::string key, std::string label, bool value) {
  add(std::move(key), std::move(label), value, value ? "yes" : "no");
}
void Report::add_unknown(std::string key, std::string label, std::string why) {
  add(std::move(key), std::move(label), {}, std::move(why));
}
void Report::add_data(std::string key, ReportValue value) {
  add(std::move(key), {}, std::move(value), {});
}
void Report::add_sentence(std::string text) {
  add({}, {}, {}, std::move(text));
}
void Report::add_sentence(std::string key, const std::string& text) {
  add(std::move(key), {}, text, text);
}
void Report::add_sentence(std::string key, ReportValue value, std::string text) {
  add(std::move(key), {}, std::move(value), std::move(text));
}
void Report::add_section(std::string key, Report section) {
  items.push_back({std::move(key), {}, {}, {}, ReportItem::Kind::section, {std::move(section)}});
}
void Report::add_row(const std::string& key, Report row) {
  if (items.empty() || items.back().kind != ReportItem::Kind::rows || items.back().key != key)
    add_rows(key, {});
  items.back().parts.push_back(std::move(row));
}
void Report::add_rows(std::string key, std::vector<Report> rows) {
  items.push_back({std::move(key), {}, {}, {}, ReportItem::Kind::rows, std::move(rows)});
}

void Report::add_named(std::string key, std::vector<Report> rows) {
  items.push_back({std::move(key), {}, {}, {}, ReportItem::Kind::named, std::move(rows)});
}

namespace {

const ReportItem& item_of(const Report& report, std::string_view key) {
  static const ReportItem none;
  const auto found = std::ranges::find(report.items, key, &ReportItem::key);
  return found == report.items.end() ? none : *found;
}

// "key", "key:2" or "key:1*100".
std::string filled(const Report& report, std::string_view field) {
  const size_t colon = field.find(':'), times = field.find('*');
  const ReportItem& item = item_of(report, field.substr(0, colon));
  const auto* real = std::get_if<double>(&item.value.value);
  if (colon != std::string_view::npos && real)
    return unit_text(*real, {"", field[colon + 1] - '0',
                             times == std::string_view::npos
                                 ? 1
                                 : std::strtod(std::string(field.substr(times + 1)).c_str(), nullptr)});
  if (!item.text.empty()) return item.text;
  if (const auto* count = std::get_if<int64_t>(&item.value.value)) return std::to_string(*count);
  if (const auto* text = std::get_if<std::string>(&item.value.value)) return *text;
  return real ? fmt::format("{:g}", *real) : std::string();
}

}  // namespace

void Report::say(std::string_view pattern) {
  std::string text;
  while (!pattern.empty()) {
    const size_t open = std::min(pattern.find('{'), pattern.size());
    text += pattern.substr(0, open);
    pattern.remove_prefix(open);
    const size_t close = pattern.find('}');
    if (close == std::string_view::npos) break;
    text += filled(*this, pattern.substr(1, close - 1));
    pattern.remove_prefix(close + 1);
  }
  add_sentence(text + std::string(pattern));
}

const std::string& Report::text(std::string_view key) const {
  return item_of(*this, key).text;
}

const std::vector<Report>& Report::rows(std::string_view key) const {
  return item_of(*this, key).parts;
}

const Report& Report::section(std::string_view key) const {
  static const Report none;
  return rows(key).empty() ? none : rows(key).front();
}

std::string Report::sentences() const {
  std::string all;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) all += (all.empty() ? "" : "\n") + text;
  };
  for (const ReportItem& item : items) {
    if (item.label.empty()) add(item.text);
    if (item.kind == ReportItem::Kind::section) add(item.parts.front().sentences());
  }
  return all;
}

ReportTable table_of(const std::vector<Report>& rows) {
  ReportTable table;
  for (const Report& row : rows)
    for (const ReportItem& item : row.items)
      if (is_cell(item) && std::ranges::find(table.head, item.label) == table.head.end())
        table.head.push_back(item.label);
  for (const Report& row : rows) {
    std::vector<std::string>& cells = table.rows.emplace_back(table.head.size(), "-");
    for (const ReportItem& item : row.items)
      if (is_cell(item)) cells[std::ranges::find(table.head, item.label) - table.head.begin()] = item.text;
  }
  return table;
}

std::string text_of(const Report& report) {
  Writer writer;
  writer.write(report, {});
  return writer.take();
}

ordered_json json_of(const Report& report) {
  ordered_json json = ordered_json::object();
  for (const ReportItem& item : report.items) {
    if (item.key.empty()) continue;
    ordered_json& at = json[item.key];
    if (item.kind == ReportItem::Kind::value) at = json_of(item.value);
    if (item.kind == ReportItem::Kind::section) at = json_of(item.parts.front());
    if (item.kind == ReportItem::Kind::rows) at = ordered_json::array();
    if (item.kind == ReportItem::Kind::named) at = ordered_json::object();
    if (item.kind < ReportItem::Kind::rows) continue;
    for (const Report& part : item.parts) {
      ordered_json row = json_of(part);
      if (item.kind == ReportItem::Kind::rows) {
        at.push_back(std::move(row));
      } else {
        const std::string& name = part.items.front().key;
        row.erase(name);
        at[name] = std::move(row);
      }
    }
  }
  return json;
}

}  // namespace vantage
