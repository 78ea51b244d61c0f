// The parameters of all stages: their names and texts, and those stored by version 0.1.
#include "core/base/parameters.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/people/triangulation/triangulation.h"
#include "core/project/detail/project_json.h"
#include "core/project/project.h"
#include "tests/support/data.h"

namespace vantage {
namespace {

using nlohmann::json;

std::vector<const ParameterTable*> all_tables() {
  std::vector<const ParameterTable*> tables = default_parameters().tables();
  tables.push_back(&parameter_table<TriangulationParameters>());
  return tables;
}

TEST(ParameterTables, NamesEndWithTheirUnit) {
  const std::map<std::string, std::string> endings = {
      {"m", "_m"},         {"m²", "_m2"},         {"l", "_l"},           {"px", "_px"},       {"s", "_s"},
      {"min", "_min"},     {"h", "_h"},           {"m/s", "_m_per_s"},   {"MB", "_mb"},       {"GB", "_gb"},
      {"heads", "_heads"}, {"frames", "_frames"}, {"m/s²", "_m_per_s2"}, {"nats/s", "_per_s"}};
  const std::set<std::string> bare = {"",       "1/m",    "nats",       "sigma",     "share",
                                      "points", "factor", "cameras",    "per frame", "per grey level",
                                      "pairs",  "sets",   "grey levels"};
  for (const ParameterTable* table : all_tables())
    for (const ParameterDescription& entry : table->entries) {
      const auto ending = endings.find(entry.unit);
      if (ending != endings.end())
        EXPECT_TRUE(entry.name.ends_with(ending->second)) << table->stage << '.' << entry.name;
      else
        EXPECT_TRUE(bare.contains(entry.unit)) << table->stage << '.' << entry.name << ": " << entry.unit;
    }
}

TEST(ParameterTables, TextsAreWhole) {
  for (const ParameterTable* table : all_tables()) {
    std::set<std::string> names, display_names;
    for (const ParameterDescription& entry : table->entries) {
      const std::string where = table->stage + '.' + entry.name;
      EXPECT_TRUE(names.insert(entry.name).second) << where;
      EXPECT_TRUE(display_names.insert(entry.display_name).second) << where << ": " << entry.display_name;
      EXPECT_TRUE(entry.help.ends_with('.')) << where << ": " << entry.help;
      EXPECT_LE(entry.minimum, entry.default_value) << where;
      EXPECT_GE(entry.maximum, entry.default_value) << where;
    }
  }
}

TEST(ParameterTables, EveryFormerNameIsThatOfAParameter) {
  const std::vector<const ParameterTable*> tables = all_tables();
  for (const FormerParameterName& former : former_parameter_names()) {
    const auto table = std::find_if(tables.begin(), tables.end(),
                                    [&](const ParameterTable* t) { return t->stage == former.stage; });
    ASSERT_NE(table, tables.end()) << former.stage;
    const ParameterDescription* entry = (*table)->find(former.former);
    ASSERT_NE(entry, nullptr) << former.former;
    EXPECT_EQ(entry->name, former.name);
    for (const ParameterDescription& other : (*table)->entries) EXPECT_NE(other.name, former.former);
  }
}

// Parameters that version 0.1 did not have: stored projects leave them at their defaults, and old results of
// their stages are out of date, as the defaults changed them.
const std::set<std::string> kAddedSince = {
    "foreground.whole_recording", "foreground.method",    "knn.distance",
    "knn.history_frames",         "knn.detect_shadows",   "knn.learning_rate",
    "skeletons.enabled",          "skeletons.min_score",  "skeletons.gate_m",
    "skeletons.max_deviation_m",  "foreground.undecided", "foreground.steady",
    "recording.before_s",         "recording.events",     "recording.after_s",
    "recording.past_min",         "recording.past_gb",    "paths.return_s"};

// A new name must not invalidate stored results: these are the hashes of version 0.1, for the defaults and
// the parameters in kept/version_0_1.vantage; those of a stage in kAddedSince are today's.
struct KeptHash {
  const char* stage;
  uint64_t defaults, changed;
};
constexpr KeptHash kHashes[] = {
    {"foreground", 0xa7dfecec9055fe99, 0x41711642b1046675},
    {"carving", 0x43f9a74e6b6f694f, 0xf9f1102eacfb54ac},
    {"floor", 0xa87e1693aeb8a9a0, 0xe6a1a185a27bf481},
    {"people", 0x32ab6338be836637, 0x1770630284f24ec0},
    {"occupancy", 0xf1fca2533735650b, 0xe2d4254f4f9cdee8},
    {"fusion", 0x9b1b34cabb7c1624, 0xab46295a00fd8c04},
    {"tracking", 0x92bebc7979b3c7d7, 0xca53ff23bab1fcd7},
    {"paths", 0xb533893c3acd9f5a, 0x07ca273b6c2e13ed},
    {"heightmap", 0xbe4fd65c354202be, 0xc6fe444547d9dbf5},
    {"daisy", 0xfe71c34c9112389b, 0xc4018d5076b4e6ee},
    {"flow", 0x61da562e3807a3de, 0x98ee018a41a50893},
    {"sync", 0xde7e832bae15afad, 0x0299458d601bda79},
    {"heads", 0x9ca906c4d9058e8a, 0x701140206eadda99},
    {"detections", 0x311d1d6c53c2b5fd, 0xd7f4a1a1020728dd},
    {"appearance", 0x239c1aa3099de62f, 0x22f92fa30913a88e},
    {"recording", 0xb3b2b4511191a502, 0xe97dc11c63a11b54},
};

Result<Project> kept_project(std::vector<std::string>* warnings) {
  const std::filesystem::path file =
      std::filesystem::path(VANTAGE_SOURCE_DIR) / "tests/unit/project/kept/version_0_1.vantage";
  return project_detail::from_json(read_file(file).value(), file, warnings);
}

TEST(KeptParameters, HashesAreThoseOfVersion01) {
  std::vector<std::string> warnings;
  const Result<Project> kept = kept_project(&warnings);
  ASSERT_TRUE(kept) << kept.error().message();
  const ParameterStore defaults = default_parameters();
  for (const KeptHash& hash : kHashes) {
    EXPECT_EQ(defaults.hash(hash.stage), hash.defaults) << hash.stage;
    EXPECT_EQ(kept->parameters.hash(hash.stage), hash.changed) << hash.stage;
  }
}

TEST(KeptParameters, AProjectOfVersion01IsReadWholeAndSavedWithTheNamesOfToday) {
  std::vector<std::string> warnings;
  const Result<Project> kept = kept_project(&warnings);
  ASSERT_TRUE(kept) << kept.error().message();
  EXPECT_EQ(warnings, std::vector<std::string>()) << "every key is understood";
  for (const ParameterTable* table : kept->parameters.tables())
    for (const ParameterDescription& entry : table->entries)
      EXPECT_EQ(kept->parameters.is_default(table->stage, entry.name),
                kAddedSince.contains(table->stage + '.' + entry.name))
          << entry.name;
  EXPECT_EQ(kept->parameters.get("heightmap", "lowest_m").value(), 3);
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "saved.vantage";
  ASSERT_TRUE(save_project(*kept, file));
  const json parameters = parse_json_or_throw(read_file(file).value())["parameters"];
  EXPECT_EQ(parameters["heightmap"]["lowest_m"], 3);
  for (const FormerParameterName& name : former_parameter_names())
    EXPECT_FALSE(parameters.value(std::string(name.stage), json::object()).contains(name.former))
        << name.former;
  const Result<Project> again = load_project(file);
  ASSERT_TRUE(again) << again.error().message();
  for (const KeptHash& hash : kHashes)
    EXPECT_EQ(again->parameters.hash(hash.stage), hash.changed) << hash.stage;
}

TEST(KeptParameters, FormerNamesAreTakenByTheStore) {
  ParameterStore store = default_parameters();
  ASSERT_TRUE(store.set_from_text("sync.least_confidence=0.9"));
  EXPECT_EQ(store.get("sync", "min_confidence").value(), 0.9);
  EXPECT_EQ(store.get("sync", "least_confidence").value(), 0.9);
  EXPECT_FALSE(store.is_default("sync", "min_confidence") || store.is_default("sync", "least_confidence"));
  ASSERT_TRUE(store.set("sync", "min_confidence", 0.8));
  EXPECT_EQ(store.get("sync", "least_confidence").value(), 0.8) << "one value, whatever the name";
  store.reset("sync", "least_confidence");
  EXPECT_TRUE(store.is_default("sync", "min_confidence"));
  const Status refused = store.set_from_text("sync.least_confidence=7");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("0.5 to 0.9999"), std::string::npos);
  EXPECT_FALSE(store.set_from_text("paths.least_confidence=0.9")) << "of another stage";
}

// Formerly a cost per frame, chosen at four frames a second.
TEST(KeptParameters, AFormerUnitIsConverted) {
  ParameterStore store = default_parameters();
  ASSERT_TRUE(store.set_from_text("paths.missed_cost=0.2"));
  EXPECT_DOUBLE_EQ(store.get("paths", "missed_cost_per_s").value(), 0.8);
  EXPECT_DOUBLE_EQ(store.get("paths", "missed_cost").value(), 0.2);
  ASSERT_TRUE(store.set_from_text("paths.missed_cost=0.6"));
  EXPECT_TRUE(store.is_default("paths", "missed_cost_per_s"));
  EXPECT_FALSE(store.set_from_text("paths.missed_cost=21"));
}

TEST(KeptParameters, OfBothNamesThePresentOneCounts) {
  const char* text = R"({"schema": "vantage-project-1", "cameras": [{"name": "a", "video": "a.mp4"}],
    "parameters": {"daisy": {"radius": 5, "radius_px": 9}}})";
  std::vector<std::string> warnings;
  const Result<Project> read = project_detail::from_json(text, "/tmp/both.vantage", &warnings);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->parameters.get("daisy", "radius_px").value(), 9);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("/parameters/daisy/radius is not used"), std::string::npos) << warnings[0];
}

}  // namespace
}  // namespace vantage
