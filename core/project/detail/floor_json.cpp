#include "core/project/detail/floor_json.h"

#include <array>
#include <set>
#include <string_view>

namespace vantage::project_detail {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Throw json::exception, or a text with what is wrong.
Eigen::Vector2d place_from(const json& value) {
  if (!value.is_array() || value.size() != 2)
    throw std::string("a position is two numbers, [x, y] in metres");
  return {value[0].get<double>(), value[1].get<double>()};
}
ordered_json place_json(const Eigen::Vector2d& place) {
  return {place.x(), place.y()};
}

template <size_t N>
size_t index_of(const std::array<std::string_view, N>& names, const std::string& name) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == name) return i;
  throw std::string("'" + name + "' is not understood here");
}

FloorZone zone_from(const json& value) {
  FloorZone zone{value.at("name").get<std::string>(), {}};
  for (const json& corner : value.at("corners_m")) zone.corners_m.push_back(place_from(corner));
  zone.kind =
      static_cast<ZoneKind>(index_of(kZoneKindNames, value.value("kind", std::string(kZoneKindNames[0]))));
  if (zone.corners_m.size() < 3) throw std::string("a zone has at least three corners");
  return zone;
}

FloorLine line_from(const json& value) {
  FloorLine line{value.at("name").get<std::string>(), place_from(value.at("from_m")),
                 place_from(value.at("to_m"))};
  if (line.from_m == line.to_m) throw std::string("a line has two ends");
  return line;
}

FloorRule rule_from(const json& value) {
  FloorRule rule;
  rule.name = value.at("name").get<std::string>();
  rule.kind = static_cast<RuleKind>(index_of(kRuleKindNames, value.at("kind").get<std::string>()));
  rule.where = value.value("where", std::string());
  rule.way = static_cast<CrossingWay>(
      index_of(kCrossingWayNames, value.value("way", std::string(kCrossingWayNames[0]))));
  rule.limit = value.value("limit", 0.0);
  rule.delay_s = value.value("delay_s", 0.0);
  rule.clear_s = value.value("clear_s", 0.0);
  return rule;
}

ordered_json rule_json(const FloorRule& rule) {
  ordered_json entry = {{"name", rule.name}, {"kind", kRuleKindNames[static_cast<size_t>(rule.kind)]}};
  if (!rule.where.empty()) entry["where"] = rule.where;
  if (rule.way != CrossingWay::either) entry["way"] = kCrossingWayNames[static_cast<size_t>(rule.way)];
  if (rule.limit != 0) entry["limit"] = rule.limit;
  if (rule.delay_s != 0) entry["delay_s"] = rule.delay_s;
  if (rule.clear_s != 0) entry["clear_s"] = rule.clear_s;
  return entry;
}

Eigen::Vector3d point_from(const json& value) {
  if (!value.is_array() || value.size() != 3)
    throw std::string("a point is three numbers, [x, y, z] in metres");
  return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

ClickedPoint clicked_from(const json& value) {
  ClickedPoint point{value.at("name").get<std::string>(), {}, {}};
  if (value.contains("known_m")) point.known_m = point_from(value["known_m"]);
  std::set<std::string> cameras;
  for (const json& click : value.at("clicks")) {
    const json& pixel = click.at("at_px");
    if (!pixel.is_array() || pixel.size() != 2) throw std::string("a click is two numbers, [x, y] in pixels");
    point.clicks.push_back(
        {click.at("camera").get<std::string>(), {pixel[0].get<double>(), pixel[1].get<double>()}});
    if (!cameras.insert(point.clicks.back().camera).second)
      throw std::string("a point is clicked once in a camera");
  }
  return point;
}

ordered_json clicked_json(const ClickedPoint& point) {
  ordered_json entry = {{"name", point.name}, {"clicks", ordered_json::array()}};
  for (const PointClick& click : point.clicks)
    entry["clicks"].push_back({{"camera", click.camera}, {"at_px", {click.at_px.x(), click.at_px.y()}}});
  if (point.known_m) entry["known_m"] = {point.known_m->x(), point.known_m->y(), point.known_m->z()};
  return entry;
}

constexpr std::array<std::string_view, 3> kMeasureNames = {"distance", "height", "angle"};

ClickedMeasure measure_from(const json& value) {
  ClickedMeasure measure;
  measure.kind = static_cast<MeasureKind>(index_of(kMeasureNames, value.at("kind").get<std::string>()));
  for (const json& click : value.at("clicks")) {
    const bool pictured = click.contains("camera");
    measure.clicks.push_back({pictured ? click["camera"].get<std::string>() : std::string(),
                              place_from(click.at(pictured ? "at_px" : "at_m"))});
  }
  if (measure.clicks.size() != clicks_of(measure.kind))
    throw "a measured " + std::string(kMeasureNames[static_cast<size_t>(measure.kind)]) + " has " +
        std::to_string(clicks_of(measure.kind)) + " clicks";
  return measure;
}

ordered_json measure_json(const ClickedMeasure& measure) {
  ordered_json entry = {{"kind", kMeasureNames[static_cast<size_t>(measure.kind)]},
                        {"clicks", ordered_json::array()}};
  for (const MeasureClick& click : measure.clicks)
    entry["clicks"].push_back(click.camera.empty()
                                  ? ordered_json{{"at_m", place_json(click.at)}}
                                  : ordered_json{{"camera", click.camera}, {"at_px", place_json(click.at)}});
  return entry;
}

PlaceInTime place_in_time_from(const json& value) {
  const Eigen::Vector2d place = place_from(value.at("place_m"));
  return {value.at("frame").get<int64_t>(), place.x(), place.y()};
}
ordered_json place_in_time_json(const PlaceInTime& place) {
  return {{"frame", place.frame}, {"place_m", place_json({place.x_m, place.y_m})}};
}

IdentityRepair repair_from(const json& value) {
  const auto kind = value.at("kind").get<std::string>();
  for (const RepairKind k : kRepairKinds)
    if (kind == repair_name(k))
      return {k, place_in_time_from(value.at("at")),
              value.contains("other") ? place_in_time_from(value.at("other")) : PlaceInTime{},
              k == RepairKind::name ? value.at("name").get<std::string>() : std::string()};
  throw std::string("'" + kind + "' is not understood here");
}

ordered_json repair_json(const IdentityRepair& repair) {
  ordered_json entry = {{"kind", repair_name(repair.kind)}, {"at", place_in_time_json(repair.at)}};
  if (has_second_position(repair.kind)) entry["other"] = place_in_time_json(repair.other);
  if (repair.kind == RepairKind::name) entry["name"] = repair.name;
  return entry;
}

Bookmark bookmark_from(const json& value) {
  Bookmark bookmark{value.at("frame").get<int64_t>(), value.value("note", std::string()), {}};
  if (bookmark.frame < 0) throw std::string("a frame is not negative");
  if (value.contains("place_m")) bookmark.place_m = place_from(value["place_m"]);
  return bookmark;
}

ordered_json bookmark_json(const Bookmark& bookmark) {
  ordered_json entry = {{"frame", bookmark.frame}};
  if (!bookmark.note.empty()) entry["note"] = bookmark.note;
  if (bookmark.place_m) entry["place_m"] = place_json(*bookmark.place_m);
  return entry;
}

TruePerson true_person_from(const json& value) {
  TruePerson person{.id = value.at("id").get<int64_t>(), .height_m = value.value("height_m", 0.0)};
  if (person.id < 1) throw std::string("IDs count from 1");
  for (const json& entry : value.at("keys")) {
    const PlaceInTime place = place_in_time_from(entry);
    if (place.frame < 0) throw std::string("a frame is not negative");
    set_key(&person, {place.frame, place.x_m, place.y_m, entry.value("leaves", false)});
  }
  if (person.keys.empty()) throw std::string("a true person has a position");
  return person;
}

ordered_json true_person_json(const TruePerson& person) {
  ordered_json entry = {{"id", person.id}};
  if (person.height_m > 0) entry["height_m"] = person.height_m;
  entry["keys"] = ordered_json::array();
  for (const TruthKey& key : person.keys) {
    ordered_json place = place_in_time_json({key.frame, key.x_m, key.y_m});
    if (key.leaves) place["leaves"] = true;
    entry["keys"].push_back(std::move(place));
  }
  return entry;
}

template <typename Part, typename From>
Status read_list(const json& document, const char* key, const std::string& file, const From& from,
                 std::vector<Part>* parts) {
  const auto list = document.find(key);
  if (list == document.end() || list->is_null()) return {};
  size_t number = 0;
  const auto wrong = [&](const std::string& what) {
    return fail(ErrorKind::bad_data, what, file + " at /" + key + "/" + std::to_string(number),
                "Correct the file, or draw it again.");
  };
  if (!list->is_array()) return wrong("a list is expected");
  for (const json& value : *list) {
    try {
      parts->push_back(from(value));
    } catch (const json::exception& error) {
      return wrong(error.what());
    } catch (const std::string& what) {
      return wrong(what);
    }
    ++number;
  }
  return {};
}

template <typename Part>
Status check_names(const std::vector<Part>& parts, const char* key, const std::string& file) {
  std::set<std::string> names;
  for (const Part& part : parts)
    if (!names.insert(part.name).second)
      return fail(ErrorKind::bad_data, "two are named " + part.name, file + " at /" + key);
  return {};
}

}  // namespace

void write_floor(const Project& project, ordered_json* document) {
  for (const ClickedPoint& point : project.points) (*document)["points"].push_back(clicked_json(point));
  for (const ClickedMeasure& measure : project.measures)
    (*document)["measures"].push_back(measure_json(measure));
  for (const FloorZone& zone : project.zones) {
    ordered_json corners = ordered_json::array();
    for (const Eigen::Vector2d& corner : zone.corners_m) corners.push_back(place_json(corner));
    ordered_json entry = {{"name", zone.name}, {"corners_m", std::move(corners)}};
    if (zone.kind != ZoneKind::counted) entry["kind"] = kZoneKindNames[static_cast<size_t>(zone.kind)];
    (*document)["zones"].push_back(std::move(entry));
  }
  for (const FloorLine& line : project.lines)
    (*document)["lines"].push_back(
        {{"name", line.name}, {"from_m", place_json(line.from_m)}, {"to_m", place_json(line.to_m)}});
  for (const FloorRule& rule : project.rules) (*document)["rules"].push_back(rule_json(rule));
  for (const IdentityRepair& repair : project.repairs) (*document)["repairs"].push_back(repair_json(repair));
  for (const Bookmark& bookmark : project.bookmarks)
    (*document)["bookmarks"].push_back(bookmark_json(bookmark));
  for (const TruePerson& person : project.truth) (*document)["truth"].push_back(true_person_json(person));
}

Status read_floor(const json& document, const std::string& file, Project* project) {
  VANTAGE_TRY(read_list(document, "points", file, clicked_from, &project->points));
  VANTAGE_TRY(read_list(document, "measures", file, measure_from, &project->measures));
  VANTAGE_TRY(read_list(document, "zones", file, zone_from, &project->zones));
  VANTAGE_TRY(read_list(document, "lines", file, line_from, &project->lines));
  VANTAGE_TRY(read_list(document, "rules", file, rule_from, &project->rules));
  VANTAGE_TRY(check_names(project->points, "points", file));
  VANTAGE_TRY(check_names(project->zones, "zones", file));
  VANTAGE_TRY(check_names(project->lines, "lines", file));
  VANTAGE_TRY(check_names(project->rules, "rules", file));
  VANTAGE_TRY(read_list(document, "repairs", file, repair_from, &project->repairs));
  std::vector<Bookmark> bookmarks;
  VANTAGE_TRY(read_list(document, "bookmarks", file, bookmark_from, &bookmarks));
  for (Bookmark& bookmark : bookmarks) set_bookmark(&project->bookmarks, std::move(bookmark));
  std::vector<TruePerson> truth;
  VANTAGE_TRY(read_list(document, "truth", file, true_person_from, &truth));
  for (TruePerson& person : truth) {
    if (find_true_person(project->truth, person.id))
      return fail(ErrorKind::bad_data, "two have the ID " + std::to_string(person.id), file + " at /truth");
    true_person(&project->truth, person.id) = std::move(person);
  }
  return {};
}

}  // namespace vantage::project_detail
