#include "core/project/board_json.h"

#include <cmath>
#include <set>
#include <string>

#include "core/geometry/lens_inverse.h"

namespace vantage {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kMaxCount = 1000;  // far beyond the limits of check_board()

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

namespace vantage::project_detail {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr size_t kMaxBoards = 100, kMaxHandHeld = 100;

LensModel board_lens_from(const std::string& name) {
  for (const LensModel model : {LensModel::polynomial, LensModel::rational, LensModel::fisheye})
    if (name == lens_model_name(model)) return model;
  throw "the lens model '" + name + "' is not polynomial, rational or fisheye";
}

// Throws json::exception, or a text with what is wrong.
ProjectBoards boards_from(const json& value, const std::filesystem::path& folder) {
  static const std::set<std::string> known = {"boards", "hand_held",   "hold_lenses",        "lens_model",
                                              "still",  "out_of_step", "board_above_floor_m"};
  if (!value.is_object()) throw std::string("an object is expected");
  for (const auto& [key, ignored] : value.items())
    if (!known.contains(key)) throw "the key '" + key + "' is not understood here";
  const json list = value.value("boards", json::array()), held = value.value("hand_held", json::array());
  if (!list.is_array() || list.size() > kMaxBoards) throw std::string("boards is a list of up to 100");
  if (!held.is_array() || held.size() > kMaxHandHeld) throw std::string("hand_held is a list of up to 100");
  ProjectBoards boards;
  for (const json& board : list) boards.boards.push_back(board_from(board));
  for (const json& path : held)
    boards.hand_held.push_back((folder / path.get<std::string>()).lexically_normal().string());
  boards.solve_lens = !value.value("hold_lenses", false);
  if (value.contains("lens_model")) boards.model = board_lens_from(value["lens_model"].get<std::string>());
  boards.still = value.value("still", false);
  boards.out_of_step = value.value("out_of_step", false);
  if (boards.still && boards.out_of_step)
    throw std::string("a board at rest (still) does not determine offsets (out_of_step)");
  boards.board_above_floor_m = value.value("board_above_floor_m", 0.0);
  if (!std::isfinite(boards.board_above_floor_m)) throw std::string("board_above_floor_m is in metres");
  return boards;
}

}  // namespace

void write_boards(const ProjectBoards& boards, const std::filesystem::path& folder, ordered_json* document) {
  if (boards == ProjectBoards()) return;
  ordered_json value = ordered_json::object();
  for (const Board& board : boards.boards) value["boards"].push_back(board_json(board));
  for (const std::string& path : boards.hand_held) {
    const std::string relative = std::filesystem::path(path).lexically_relative(folder).string();
    value["hand_held"].push_back(relative.empty() ? path : relative);
  }
  if (!boards.solve_lens) value["hold_lenses"] = true;
  if (boards.model) value["lens_model"] = lens_model_name(*boards.model);
  if (boards.still) value["still"] = true;
  if (boards.out_of_step) value["out_of_step"] = true;
  if (boards.board_above_floor_m != 0) value["board_above_floor_m"] = boards.board_above_floor_m;
  (*document)["board_calibration"] = std::move(value);
}

Status read_boards(const json& document, const std::filesystem::path& file, ProjectBoards* boards) {
  const auto value = document.find("board_calibration");
  if (value == document.end() || value->is_null()) return {};
  const auto bad = [&](const std::string& what) {
    return fail(ErrorKind::bad_data, what, file.string() + " at /board_calibration",
                "Correct the file, or remove the key from it.");
  };
  try {
    *boards = boards_from(*value, file.parent_path());
  } catch (const json::exception& error) {
    return bad(error.what());
  } catch (const std::string& what) {
    return bad(what);
  }
  return {};
}

}  // namespace vantage::project_detail
