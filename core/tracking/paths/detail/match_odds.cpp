#include "core/tracking/paths/detail/match_odds.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace vantage::path_detail {
namespace {

// Matches that share no end and no start with any other group's. Ends are rows, starts columns, or the
// reverse where there are fewer ends: sets of columns are enumerated.
struct Group {
  std::vector<size_t> matches;  // by number
  std::map<size_t, size_t> rows, columns;
};

std::vector<Group> groups_of(std::span<const Match> matches) {
  std::vector<size_t> parent(matches.size());
  std::iota(parent.begin(), parent.end(), size_t{0});
  const auto root = [&](size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::map<size_t, size_t> by_end, by_start;
  for (size_t i = 0; i < matches.size(); ++i) {
    if (matches[i].odds < kMinOdds) continue;
    for (auto* const by : {&by_end, &by_start}) {
      const size_t key = by == &by_end ? matches[i].end : matches[i].start;
      parent[root(i)] = root(by->try_emplace(key, i).first->second);
    }
  }
  std::map<size_t, Group> by_root;
  for (size_t i = 0; i < matches.size(); ++i) {
    if (matches[i].odds < kMinOdds) continue;
    Group& group = by_root[root(i)];
    group.matches.push_back(i);
    group.rows.try_emplace(matches[i].end, group.rows.size());
    group.columns.try_emplace(matches[i].start, group.columns.size());
  }
  std::vector<Group> groups;
  for (auto& [at, group] : by_root) groups.push_back(std::move(group));
  return groups;
}

struct Entry {
  size_t row = 0, column = 0, match = 0;
};

// Weights of the assignments of the first rows (`before`) and of the others (`behind`), by the columns that
// are taken when the row's turn comes.
void add_exact(std::span<const Match> matches, std::vector<Entry> entries, size_t rows, size_t columns,
               std::vector<double>* probabilities) {
  std::ranges::sort(entries, {}, &Entry::row);
  const size_t sets = size_t{1} << columns;
  const auto row_of = [&](size_t row) { return std::ranges::equal_range(entries, row, {}, &Entry::row); };
  std::vector<std::vector<double>> before(rows + 1, std::vector<double>(sets, 0.0)), behind = before;
  before[0][0] = 1;
  for (size_t row = 0; row < rows; ++row) {
    before[row + 1] = before[row];
    for (const Entry& entry : row_of(row))
      for (size_t set = 0; set < sets; ++set)
        if (const size_t bit = size_t{1} << entry.column; (set & bit) == 0)
          before[row + 1][set | bit] += matches[entry.match].odds * before[row][set];
  }
  behind[rows].assign(sets, 1.0);
  for (size_t row = rows; row-- > 0;) {
    behind[row] = behind[row + 1];
    for (const Entry& entry : row_of(row))
      for (size_t set = 0; set < sets; ++set)
        if (const size_t bit = size_t{1} << entry.column; (set & bit) == 0)
          behind[row][set] += matches[entry.match].odds * behind[row + 1][set | bit];
  }
  for (const Entry& entry : entries) {
    double sum = 0;
    for (size_t set = 0; set < sets; ++set)
      if (const size_t bit = size_t{1} << entry.column; (set & bit) == 0)
        sum += before[entry.row][set] * behind[entry.row + 1][set | bit];
    (*probabilities)[entry.match] = matches[entry.match].odds * sum / behind[0][0];
  }
}

// The assignments without a match that has both are at most (1 + e) (1 + s) times those without the end and
// the start.
void add_bounds(std::span<const Match> matches, const Group& group, std::vector<double>* probabilities) {
  std::map<size_t, double> of_end, of_start;
  for (const size_t i : group.matches)
    of_end[matches[i].end] += matches[i].odds, of_start[matches[i].start] += matches[i].odds;
  for (const size_t i : group.matches) {
    const double odds = matches[i].odds;
    (*probabilities)[i] =
        odds / (odds + (1 + of_end[matches[i].end] - odds) * (1 + of_start[matches[i].start] - odds));
  }
}

}  // namespace

std::vector<double> match_probabilities(std::span<const Match> matches) {
  std::vector<double> probabilities(matches.size(), 0.0);
  for (const Group& group : groups_of(matches)) {
    const bool by_end = group.columns.size() <= group.rows.size();
    const size_t rows = by_end ? group.rows.size() : group.columns.size(),
                 columns = by_end ? group.columns.size() : group.rows.size();
    if (columns > kMaxExact) {
      add_bounds(matches, group, &probabilities);
      continue;
    }
    std::vector<Entry> entries;
    for (const size_t i : group.matches) {
      const size_t end = group.rows.at(matches[i].end), start = group.columns.at(matches[i].start);
      entries.push_back(by_end ? Entry{end, start, i} : Entry{start, end, i});
    }
    add_exact(matches, std::move(entries), rows, columns, &probabilities);
  }
  return probabilities;
}

}  // namespace vantage::path_detail
