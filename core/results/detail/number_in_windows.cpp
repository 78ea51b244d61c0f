#include "core/results/detail/number_in_windows.h"

#include <utility>

#include "core/base/byte_stream.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/results/finalized_lines.h"
#include "core/results/results_reader.h"

namespace vantage::project_detail {
namespace {

// Passes on the lines of one results file as they come.
class WindowedNumbers {
 public:
  WindowedNumbers(PartFile* lines, PartFile* rows, const PathNumbering& numbering,
                  std::shared_ptr<SecondPassPeople> again, std::filesystem::path file)
      : lines_(lines), rows_(rows), numbering_(numbering), again_(std::move(again)), file_(std::move(file)) {}

  // Lines that are not frames, such as a truncated one, are dropped: they cannot be read.
  Status add(std::string_view line) {
    if (!numbers_) return begin(std::string(line));
    auto frame = parse_frame_line(line, versions_);
    if (!frame) return {};
    const int64_t number = frame->frame;
    return numbers_->add(number, std::string(line), seen_by_paths(std::move(*frame)));
  }
  Status finish() {
    if (numbers_) VANTAGE_TRY(numbers_->finish());
    return write_file_atomically(returns_file(file_.parent_path()),
                                 returns_csv(numbers_ ? numbers_->returns() : std::vector<PersonReturn>()));
  }

 private:
  Status begin(const std::string& header) {
    VANTAGE_ASSIGN(const StoredResults of_header, parse_header_line(header, file_));
    versions_ = of_header.versions;
    VANTAGE_ASSIGN(PathFollower follower,
                   PathFollower::make(of_header.frame_rate, numbering_.parameters, numbering_.entrances,
                                      SecondPassPeople::finder(again_)));
    numbers_ = std::make_unique<FinalizedLines>(
        RunningPaths{std::move(follower)}, QueuePolicy::block,
        [this](const std::string& line) { return lines_->write(line + '\n'); },
        [this](const std::string& rows) { return rows_->write(rows); }, nullptr, again_);
    return lines_->write(header_with_window(header, numbering_.parameters.window_s) + '\n');
  }

  PartFile *lines_, *rows_;
  const PathNumbering& numbering_;
  const std::shared_ptr<SecondPassPeople> again_;
  const std::filesystem::path file_;
  std::shared_ptr<const StageVersions> versions_;
  std::unique_ptr<FinalizedLines> numbers_;  // destroyed first: its thread uses the other members
};

}  // namespace

std::string header_with_window(const std::string& header, double window_s) {
  nlohmann::ordered_json json = parse_ordered_json(header);
  if (!json.is_object() || !json.contains("tracker")) return header;
  json["tracker"]["latency_s"] = window_s > 0 ? nlohmann::ordered_json(window_s) : nlohmann::ordered_json();
  return json_text(json);
}

std::optional<SeenFrame> seen_by_paths(StoredFrame frame) {
  if (!frame.searched()) return std::nullopt;
  frame = as_searched(std::move(frame));
  return SeenFrame{frame.frame, std::move(frame.people), std::move(frame.rejected)};
}

Status number_in_windows(const std::filesystem::path& results, const std::filesystem::path& tracks,
                         const PathNumbering& numbering, const std::shared_ptr<SecondPassPeople>& again) {
  VANTAGE_ASSIGN(LineBlocks blocks, LineBlocks::open(results));
  VANTAGE_ASSIGN(PartFile lines, PartFile::open(results));
  VANTAGE_ASSIGN(PartFile rows, PartFile::open(tracks));
  {
    WindowedNumbers numbers(&lines, &rows, numbering, again, results);
    for (;;) {
      VANTAGE_ASSIGN(const std::string_view text, blocks.next());
      if (text.empty()) break;
      Status added;
      for_each_line(text, [&](std::string_view line) {
        if (added && !line.empty()) added = numbers.add(line);
      });
      VANTAGE_TRY(added);
    }
    VANTAGE_TRY(numbers.finish());
  }
  VANTAGE_TRY(lines.complete());
  return rows.complete();
}

}  // namespace vantage::project_detail
