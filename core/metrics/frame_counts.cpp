#include "core/metrics/frame_counts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/metrics/detail/clear_count.h"
#include "core/metrics/detail/track_sequence.h"
#include "core/metrics/set_distance.h"

namespace vantage {

using namespace metrics_detail;

// Row numbers are those of the frame; -1: none.
struct MatchedTracks::Matches {
  struct InFrame {
    std::vector<int> clear, hota, set;  // for each true row the given one
    std::vector<char> switched, identity;
  };
  std::vector<TrackRow> truth, given;
  EvaluationOptions options;
  Sequence sequence;
  std::vector<InFrame> frames;
  std::map<std::pair<int, int>, std::array<double, HotaMetrics::kAlphas>> association;  // A(c) of each pair

  void match_clear();
  void match_identities();
  void match_hota();
  void match_sets();
  void add(size_t frame, const Belongs& belongs, FrameCounts* to) const;
  // True when a person is in that part.
  bool add_sets(size_t frame, const std::vector<char>& true_in, const std::vector<char>& given_in,
                FrameCounts* to) const;
};

namespace {

double row_distance_m(const TrackRow& a, const TrackRow& b) {
  return std::hypot(a.x_m - b.x_m, a.y_m - b.y_m);
}

}  // namespace

void MatchedTracks::Matches::match_clear() {
  PlaceMetrics places;
  ClearCount count(sequence, min_similarity(options), &places);
  for (size_t f = 0; f < frames.size(); ++f) {
    const Frame& frame = sequence.frames[f];
    const size_t before = count.switches().size();
    frames[f].clear.assign(frame.truth.size(), -1);
    frames[f].switched.assign(frame.truth.size(), 0);
    for (const auto& [i, j] : count.add(frame)) frames[f].clear[i] = j;
    for (size_t s = before; s < count.switches().size(); ++s)
      for (size_t i = 0; i < frame.truth.size(); ++i)
        frames[f].switched[i] |= frame.true_rows[i]->id == count.switches()[s].true_id;
  }
}

void MatchedTracks::Matches::match_identities() {
  const double min = min_similarity(options);
  const std::vector<int> pairs = identity_pairs(sequence, min);
  for (size_t f = 0; f < frames.size(); ++f) {
    const Frame& frame = sequence.frames[f];
    frames[f].identity.assign(frame.truth.size(), 0);
    for (size_t i = 0; i < frame.truth.size(); ++i)
      for (size_t j = 0; j < frame.given.size(); ++j)
        frames[f].identity[i] |= pairs[frame.truth[i]] == frame.given[j] &&
                                 reaches(frame.similarity.at(static_cast<int>(i), static_cast<int>(j)), min);
  }
}

void MatchedTracks::Matches::match_hota() {
  std::vector<std::vector<int>> matches = hota_matches(sequence);
  for (const auto& [pair, counts] : count_pairs(sequence, matches))
    for (size_t a = 0; a < counts.size(); ++a)
      association[pair][a] = pair_association(sequence, pair, counts[a]);
  for (size_t f = 0; f < frames.size(); ++f) frames[f].hota = std::move(matches[f]);
}

void MatchedTracks::Matches::match_sets() {
  if (options.space == TrackSpace::image) return;
  for (size_t f = 0; f < frames.size(); ++f)
    frames[f].set = set_pairs(floor_points(sequence.frames[f].true_rows),
                              floor_points(sequence.frames[f].given_rows), set_options(options));
}

bool MatchedTracks::Matches::add_sets(size_t f, const std::vector<char>& true_in,
                                      const std::vector<char>& given_in, FrameCounts* to) const {
  const Frame& frame = sequence.frames[f];
  std::vector<double> pairs_m;
  size_t missed = 0, false_found = 0;
  std::vector<char> paired(frame.given.size());
  for (size_t i = 0; i < frame.truth.size(); ++i) {
    const int j = frames[f].set[i];
    if (j >= 0) paired[j] = 1;
    if (!true_in[i]) continue;
    if (j < 0)
      ++missed;
    else
      pairs_m.push_back(row_distance_m(*frame.true_rows[i], *frame.given_rows[j]));
  }
  for (size_t j = 0; j < frame.given.size(); ++j) false_found += given_in[j] && !paired[j];
  const SetDistance distance = set_distance(pairs_m, missed, false_found, set_options(options));
  to->ospa_m += distance.ospa_m, to->gospa_m += distance.gospa_m;
  to->localisation += distance.localisation;
  to->missed += distance.missed, to->false_found += distance.false_found;
  return pairs_m.size() + missed + false_found > 0;
}

void MatchedTracks::Matches::add(size_t f, const Belongs& belongs, FrameCounts* to) const {
  const Frame& frame = sequence.frames[f];
  const InFrame& in = frames[f];
  std::vector<char> true_in(frame.truth.size()), given_in(frame.given.size()), taken(frame.given.size());
  for (size_t i = 0; i < frame.truth.size(); ++i) true_in[i] = belongs(*frame.true_rows[i], true);
  for (size_t j = 0; j < frame.given.size(); ++j) given_in[j] = belongs(*frame.given_rows[j], false);
  to->frame = frame.number;
  const double before = to->true_rows + to->given_rows;
  double similarity = 0, matched = 0;
  for (size_t i = 0; i < frame.truth.size(); ++i) {
    const int j = in.clear[i];
    if (j >= 0) taken[j] = 1;
    if (!true_in[i]) continue;
    ++to->true_rows;
    to->switches += in.switched[i], to->identity_matched += in.identity[i];
    if (const int h = in.hota[i]; h >= 0) {
      const double alike = frame.similarity.at(static_cast<int>(i), h);
      const auto pair = association.find({frame.truth[i], frame.given[h]});
      for (int a = 0; pair != association.end() && a < HotaMetrics::kAlphas; ++a) {
        if (!reaches(alike, hota_alpha(a))) break;
        ++to->hota_matched[a];
        to->hota_association[a] += pair->second[a];
      }
    }
    if (j < 0) continue;
    ++matched;
    similarity += frame.similarity.at(static_cast<int>(i), j);
    if (options.space == TrackSpace::world)
      to->floor_error_m += row_distance_m(*frame.true_rows[i], *frame.given_rows[j]);
  }
  to->given_rows += matched;
  for (size_t j = 0; j < frame.given.size(); ++j) to->given_rows += given_in[j] && !taken[j];
  to->matched += matched, to->similarity += similarity;
  if (matched > 0) to->mean_similarity += similarity / matched, ++to->frames_with_match;
  bool somebody = to->true_rows + to->given_rows > before;
  if (options.space == TrackSpace::world) somebody |= add_sets(f, true_in, given_in, to);
  to->frames += somebody;
}

MatchedTracks::MatchedTracks(std::unique_ptr<Matches> matches) : matches_(std::move(matches)) {}
MatchedTracks::MatchedTracks(MatchedTracks&&) noexcept = default;
MatchedTracks& MatchedTracks::operator=(MatchedTracks&&) noexcept = default;
MatchedTracks::~MatchedTracks() = default;

Result<MatchedTracks> MatchedTracks::make(std::vector<TrackRow> truth, std::vector<TrackRow> given,
                                          const EvaluationOptions& options) {
  auto matches = std::make_unique<Matches>();
  matches->truth = std::move(truth), matches->given = std::move(given), matches->options = options;
  VANTAGE_ASSIGN(matches->sequence, make_sequence(matches->truth, matches->given, options));
  matches->frames.resize(matches->sequence.frames.size());
  matches->match_clear();
  matches->match_identities();
  matches->match_hota();
  matches->match_sets();
  return MatchedTracks(std::move(matches));
}

const EvaluationOptions& MatchedTracks::options() const {
  return matches_->options;
}

std::vector<FrameCounts> MatchedTracks::counts(const Belongs& belongs) const {
  std::vector<FrameCounts> all;
  for (size_t f = 0; f < matches_->frames.size(); ++f) {
    FrameCounts counts;
    matches_->add(f, belongs, &counts);
    if (counts.frames > 0) all.push_back(counts);
  }
  return all;
}

std::vector<FrameCounts> MatchedTracks::counts() const {
  return counts([](const TrackRow&, bool) { return true; });
}

std::vector<int64_t> MatchedTracks::true_ids() const {
  std::vector<int64_t> ids = matches_->sequence.true_ids;
  std::sort(ids.begin(), ids.end());
  return ids;
}

FrameCounts& FrameCounts::operator+=(const FrameCounts& other) {
  for (const auto sum :
       {&FrameCounts::frames, &FrameCounts::true_rows, &FrameCounts::given_rows, &FrameCounts::matched,
        &FrameCounts::switches, &FrameCounts::similarity, &FrameCounts::mean_similarity,
        &FrameCounts::frames_with_match, &FrameCounts::floor_error_m, &FrameCounts::identity_matched,
        &FrameCounts::ospa_m, &FrameCounts::gospa_m, &FrameCounts::localisation, &FrameCounts::missed,
        &FrameCounts::false_found})
    this->*sum += other.*sum;
  for (size_t a = 0; a < hota_matched.size(); ++a)
    hota_matched[a] += other.hota_matched[a], hota_association[a] += other.hota_association[a];
  return *this;
}

FrameCounts sum_of(const std::vector<FrameCounts>& frames) {
  FrameCounts sum;
  for (const FrameCounts& one : frames) sum += one;
  return sum;
}

}  // namespace vantage
