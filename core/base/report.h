// The findings of a computation: named values, rows and sentences in their order. Text, JSON and the window's
// rows are made from them.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace vantage {

// A value of JSON: null, a boolean, a number, a text, a list of such or, ready made, anything else.
struct ReportValue {
  std::variant<std::monostate, bool, int64_t, double, std::string, std::vector<ReportValue>,
               std::shared_ptr<const nlohmann::ordered_json>>
      value;

  ReportValue() = default;
  ReportValue(bool truth) : value(truth) {}
  ReportValue(std::integral auto number) : value(static_cast<int64_t>(number)) {}
  ReportValue(std::floating_point auto number) : value(static_cast<double>(number)) {}
  ReportValue(const char* text) : value(std::string(text)) {}
  ReportValue(std::string_view text) : value(std::string(text)) {}
  ReportValue(std::string text) : value(std::move(text)) {}
  ReportValue(std::initializer_list<ReportValue> list) : value(std::vector<ReportValue>(list)) {}
  static ReportValue ready(const nlohmann::ordered_json& json);
  template <typename T>
  ReportValue(const std::optional<T>& known) {
    if (known) *this = ReportValue(*known);
  }
  // A list, or a vector of Eigen's.
  template <typename List>
    requires(!std::convertible_to<const List&, std::string_view> &&
             requires(const List& list) { ReportValue(*list.begin()), list.end(); })
  ReportValue(const List& list) : value(std::vector<ReportValue>(list.begin(), list.end())) {}

  bool known() const { return value.index() != 0; }
};

// Format of a number for people: times a factor, with so many digits, before the unit's name.
struct Unit {
  const char* name = "";
  int digits = 0;
  double factor = 1;
  bool sign = false;  // "+0.5 %"
};
std::string unit_text(double value, const Unit& unit);              // "12.0 mm", "0.31°"
std::string unit_text(double value, double std, const Unit& unit);  // "12.0 ± 0.3 mm"; 0: no deviation

struct Report;

struct ReportItem {
  // named: rows, in JSON an object; the first value of each names it, and is for people alone otherwise.
  enum class Kind : uint8_t { value, section, rows, named };
  std::string key;    // in JSON: "distance_sigma"; empty: people alone read it
  std::string label;  // for people: "Distance"; empty: the text is a sentence
  ReportValue value;
  std::string text;  // as people read it, with its unit; empty: in JSON alone
  Kind kind = Kind::value;
  std::vector<Report> parts = {};  // of a section one
};

struct Report {
  std::string title = {};  // "cam2"; a section without it is one line, rows without it are a table
  std::vector<ReportItem> items = {};
  std::string summary = {};  // of a section, a few words
  bool decides = false;      // holds what decides the outcome

  void add(std::string key, std::string label, ReportValue value, std::string text);
  void add(std::string key, std::string label, const std::string& text);  // the text is the value
  void add_number(std::string key, std::string label, double value, const Unit& unit);
  void add_count(std::string key, std::string label, int64_t count);
  void add_truth(std::string key, std::string label, bool value);
  void add_unknown(std::string key, std::string label, std::string why);
  void add_data(std::string key, ReportValue value);            // in JSON alone
  void add_sentence(std::string text);                          // for people alone
  void add_sentence(std::string key, const std::string& text);  // the text is the value
  void add_sentence(std::string key, ReportValue value, std::string text);
  // A sentence for people, with values that are there already: "{count} people, {height_m:2} m tall, off by
  // {error_m:1*100} cm" has two digits, and one of a hundred times the value.
  void say(std::string_view pattern);
  void add_section(std::string key, Report section);
  void add_row(const std::string& key, Report row);          // behind those of the key: none, no key
  void add_rows(std::string key, std::vector<Report> rows);  // none: an empty list
  void add_named(std::string key, std::vector<Report> rows);

  // Text, rows and section of a key; empty where it is absent.
  const std::string& text(std::string_view key) const;
  const std::vector<Report>& rows(std::string_view key) const;
  const Report& section(std::string_view key) const;
  std::string sentences() const;  // all without a label, of sections too, a line each
};

// Cells of rows: a column for each label; "-" where a row has none.
struct ReportTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
ReportTable table_of(const std::vector<Report>& rows);

// Lines: "Label: text", sentences, sections under their titles, tables with aligned columns.
std::string text_of(const Report& report);
nlohmann::ordered_json json_of(const Report& report);

}  // namespace vantage
