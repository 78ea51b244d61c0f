// Rules over zones and lines, and the events that they raise from tracks.
//
//   enters, leaves    a person comes into the zone, or goes out of it
//   stays_longer      a person is in the zone for more than `limit` s
//   more_than         more than `limit` people are in the zone
//   crosses           a person crosses the line (either way, or one)
//   faster_than       a person moves faster than `limit` m/s, in the zone or, without one, anywhere
//
// A condition that lasts (stays_longer, more_than, faster_than; enters: being inside; leaves: being outside
// after it while the track lasts) must hold for delay_s before an event is raised, which is over when the
// condition has not held for clear_s. Crossing a line is an event of one frame. Frames whose people are
// unknown change nothing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/floor_shapes.h"
#include "core/people/floor_person.h"

namespace vantage {

enum class RuleKind : uint8_t { enters, leaves, stays_longer, more_than, crosses, faster_than };
enum class CrossingWay : uint8_t { either, to_left, to_right };
// Names in files and on the command line, by value.
inline constexpr std::array<std::string_view, 6> kRuleKindNames = {"enters",    "leaves",  "stays_longer",
                                                                   "more_than", "crosses", "faster_than"};
inline constexpr std::array<std::string_view, 3> kCrossingWayNames = {"either", "to_left", "to_right"};

struct FloorRule {
  std::string name;
  RuleKind kind = RuleKind::enters;
  std::string where = {};  // name of a zone or line; empty: everywhere
  CrossingWay way = CrossingWay::either;
  double limit = 0;
  double delay_s = 0, clear_s = 0;
  bool operator==(const FloorRule&) const = default;
};

// "alarm=enters,where=shop,delay=2,clear=1", "gate=crosses,where=door,way=to_left",
// "full=more_than,where=shop,limit=4". Errors: invalid_argument.
Result<FloorRule> parse_rule(const std::string& text);

struct FloorEvent {
  std::string rule;
  int64_t id = 0;                     // the person; 0: the zone itself
  int64_t first_frame = 0;            // the first frame in which the condition held
  int64_t raised_frame = 0;           // after the delay
  std::optional<int64_t> last_frame;  // nothing: the condition held until the end
  double x_m = 0, y_m = 0;            // position of the person when it was raised; of a zone: its middle
  double value = 0;                   // the value compared with the limit, when it was raised
};

struct TrackedRange {
  std::span<const PersonPath> paths;
  std::span<const int64_t> frames;  // with known people, ascending
  double frame_rate = 0;
};

// Sorted by the frame in which they were raised. Errors (invalid_argument): a rule names a zone or line that
// does not exist.
Result<std::vector<FloorEvent>> find_events(const TrackedRange& range, std::span<const FloorRule> rules,
                                            std::span<const FloorZone> zones,
                                            std::span<const FloorLine> lines);

// Applies rules to people frame after frame, and returns the events of find_events() once they are raised.
//
// Keeps paths of the last kMemory_s, or of kMemoryOfLongest times the duration of the slowest rule, and
// evaluates them every kEvery_s; an event is reported at most that much after it was raised. A longer
// condition stays one event; entering and leaving then end with the person.

class RuleWatch {
 public:
  static constexpr double kMemory_s = 600, kMemoryOfLongest = 3, kEvery_s = 0.5;

  // Errors (invalid_argument): a rule names a zone or line that does not exist.
  static Result<RuleWatch> make(std::vector<FloorRule> rules, std::vector<FloorZone> zones,
                                std::vector<FloorLine> lines, double frame_rate);

  // Adds a frame with known people; frames ascend. Returns the events that were raised or ended since the
  // last call: each comes once when it is raised, and once more with its last frame.
  std::vector<FloorEvent> add(int64_t frame, std::span<const FloorPerson> people);
  int64_t raised() const { return raised_; }  // so far

 private:
  using Key = std::tuple<std::string, int64_t, int64_t>;  // rule, person, first frame
  using Who = std::pair<std::string, int64_t>;            // rule and person
  RuleWatch() = default;
  std::vector<FloorEvent> look(int64_t frame);
  std::vector<FloorEvent> follow_open(const std::vector<FloorEvent>& found, int64_t frame);
  bool still_here(int64_t id) const;
  int64_t memory_frames() const;
  void forget_before(int64_t frame);

  std::vector<FloorRule> rules_;
  std::vector<FloorZone> zones_;
  std::vector<FloorLine> lines_;
  double frame_rate_ = 0, memory_s_ = kMemory_s;
  std::map<int64_t, PersonPath> paths_;
  std::vector<int64_t> frames_;
  int64_t next_look_ = INT64_MIN, last_look_ = INT64_MIN, raised_ = 0;
  std::set<Key> reported_;
  std::map<Who, FloorEvent> open_;  // as reported
};

}  // namespace vantage
