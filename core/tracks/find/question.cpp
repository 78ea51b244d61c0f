#include "core/tracks/find/question.h"

namespace vantage {
namespace {

constexpr size_t kMaxDigits = 18;  // an ID's

}  // namespace

std::vector<FoundMoment> answer(const TrackIndex& index, const FindQuestion& question) {
  switch (question.kind) {
    case FindKind::visits:
      return index.visits_of(question.zone, question.filter);
    case FindKind::crossings:
      return index.crossings_of(question.line, question.way, question.filter);
    case FindKind::meetings:
      return index.meetings(question.closer_m, question.filter);
    case FindKind::present:
      break;
  }
  return index.present(question.filter);
}

Result<std::vector<int64_t>> people_called(const std::string& text, const PersonNames& names) {
  std::vector<int64_t> people;
  for (const auto& [id, name] : names)
    if (name == text) people.push_back(id);
  if (!people.empty()) return people;
  const bool number =
      !text.empty() && text.find_first_not_of("0123456789") == std::string::npos && text.size() <= kMaxDigits;
  if (!number)
    return fail(ErrorKind::invalid_argument, "no one is called '" + text + "', and it is not an ID", {},
                "Give a name as it is typed in the results, or an ID.");
  return std::vector<int64_t>{std::stoll(text)};
}

}  // namespace vantage
