#include "core/project/board_json.h"

#include <cmath>
#include <set>
#include <string>

namespace vantage {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kMaxCount = 1000;  // far beyond what check_board() takes

int count_from(const json& value, const char* key) {
  const json& number = value.at(key);
  if (!number.is_number_integer() || number < 0 || number > kMaxCount)
    throw std::string(key) + " is a whole number up to " + std::to_string(kMaxCount);
  return number.get<int>();
}

double length_from(const json& value, const char* key) {
  const double length_m = value.at(key).get<double>();
  if (!(length_m > 0) || !std::isfinite(length_m)) throw std::string(key) + " is a positive number of metres";
  return length_m;
}

int first_id_from(const json& value, const char* key) {
  if (!value.contains(key)) return 0;
  constexpr int kMaxId = 1'000'000;
  if (!value[key].is_number_integer() || value[key] < 0 || value[key] > kMaxId)
    throw std::string(key) + " is a whole number that is not negative";
  return value[key].get<int>();
}

void refuse_others(const json& value, const std::set<std::string>& known) {
  for (const auto& [key, ignored] : value.items())
    if (!known.contains(key)) throw "the key '" + key + "' is not understood here";
}

}  // namespace

ordered_json board_json(const Board& board) {
  if (board.tags)
    return {{"tag_columns", board.columns / 2},     {"tag_rows", board.rows / 2},
            {"dictionary", board.tags->dictionary}, {"tag_m", board.tags->side_m},
            {"tag_gap_m", board.tags->gap_m},       {"first_tag", board.tags->first_id}};
  ordered_json json = {{"columns", board.columns}, {"rows", board.rows}, {"square_m", board.square_m}};
  if (board.markers) json["dictionary"] = board.markers->dictionary, json["marker_m"] = board.markers->side_m;
  if (board.first_id() != 0) json["first_marker"] = board.first_id();
  return json;
}

Board board_from(const json& value) {
  if (!value.is_object()) throw std::string("a board is an object");
  if (value.contains("tag_columns")) {
    refuse_others(value, {"tag_columns", "tag_rows", "dictionary", "tag_m", "tag_gap_m", "first_tag"});
    return grid_of_tags(count_from(value, "tag_columns"), count_from(value, "tag_rows"),
                        {value.at("dictionary").get<std::string>(), length_from(value, "tag_m"),
                         length_from(value, "tag_gap_m"), first_id_from(value, "first_tag")});
  }
  refuse_others(value, {"columns", "rows", "square_m", "dictionary", "marker_m", "first_marker"});
  Board board{count_from(value, "columns"), count_from(value, "rows"), length_from(value, "square_m")};
  if (value.contains("dictionary"))
    board.markers = {value.at("dictionary").get<std::string>(), length_from(value, "marker_m"),
                     first_id_from(value, "first_marker")};
  return board;
}

}  // namespace vantage
