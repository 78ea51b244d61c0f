#include "app/cli/calibrate/calibrate_print.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/cli/calibrate/board_options.h"
#include "app/cli/common/value_or_fail.h"
#include "core/base/file.h"
#include "core/base/formatted.h"
#include "core/base/json.h"
#include "core/setup/boards/board_file.h"
#include "core/setup/boards/board_sheet.h"

namespace vantage::cli {
namespace {

struct PrintCommand {
  BoardOptions board;
  std::string out, paper = "A4", style;
  bool replace = false, json = false;
};

TagStyle style_of(const PrintCommand& command, const Board& board) {
  if (command.style.empty()) return usual_style(board);
  return command.style == "kalibr" ? TagStyle::kalibr : TagStyle::opencv;
}

void print(const PrintCommand& command) {
  const std::vector<Board> boards = boards_of(command.board);
  const Board& board = boards[0];
  const int count = static_cast<int>(boards.size());
  if (command.board.described.size() > 1)
    throw CLI::ValidationError("--board", "print boards that differ one after the other");
  const Paper paper = value_or_fail(paper_named(command.paper));
  const std::string pdf = value_or_fail(board_sheets_pdf(board, count, style_of(command, board), paper));
  if (!command.replace && std::filesystem::exists(command.out))
    fail_command({ErrorKind::invalid_argument, "the file is there already", command.out,
                  "Give another name, or --replace."});
  check_or_fail(write_file_atomically(command.out, pdf));
  if (command.json) {
    nlohmann::ordered_json json = {
        {"file", command.out}, {"board", board_text(board)}, {"options", board_options_text(board, count)}};
    if (count > 1) json["boards"] = count;
    print_json(json);
    return;
  }
  std::printf("%s: %sa %s. Print it at 100 %%, and measure the ruler: 100 mm.\nSolve with: %s\n",
              command.out.c_str(), count > 1 ? formatted("%d pages, each ", count).c_str() : "",
              board_text(board).c_str(), board_options_text(board, count).c_str());
}

}  // namespace

void add_print(CLI::App& calibrate) {
  auto command = std::make_shared<PrintCommand>();
  CLI::App* app = calibrate.add_subcommand("print",
                                           "Writes a board as a PDF page at true size, with a ruler and the "
                                           "options to solve with it; several equal boards get a page each.");
  add_board_options(*app, &command->board);
  app->add_option("--out", command->out, "The PDF file")->required();
  app->add_option("--paper", command->paper,
                  "A0 to A5, letter, legal, tabloid or a size as 900x650mm; upright or on its side");
  app->add_option("--tag-style", command->style,
                  "kalibr: identities from the lowest row up, a border of two bits, squares at the corners; "
                  "opencv: from the highest row down, one bit, white between tags. If absent as usual for "
                  "the dictionary: kalibr for AprilTags")
      ->check(CLI::IsMember({"kalibr", "opencv"}));
  app->add_flag("--replace", command->replace, "Overwrite the file if it is there");
  app->add_flag("--json", command->json, "Print what was written as JSON");
  app->footer(
      "Example:\n  vantage-cli calibrate print --columns 6 --rows 6 --tags DICT_APRILTAG_36h11 --tag 0.03 "
      "--tag-gap 0.009 --paper A3 --out board.pdf");
  app->callback([command] { print(*command); });
}

}  // namespace vantage::cli
