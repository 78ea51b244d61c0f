#include "core/project/rename.h"

#include <gtest/gtest.h>

#include "tests/unit/pipeline/footage.h"

namespace vantage {
namespace {

// Two cameras and everything that states a name.
Project named_project() {
  Project project;
  for (const char* name : {"cam1", "cam2"}) {
    ProjectCamera& camera = project.cameras.emplace_back();
    camera.name = name;
    camera.video = std::string("/nowhere/") + name + ".mp4";
    camera.calibration = test::footage_camera(static_cast<int>(project.cameras.size()) - 1, 2);
    camera.calibration->set_name(name);
    camera.later_calibrations = {{40, *camera.calibration}};
  }
  project.points = {{"mark", {{"cam1", {1, 2}}, {"cam2", {3, 4}}}, {}}};
  project.measures = {{MeasureKind::distance, {{"cam1", {1, 2}}, {"", {3, 4}}}}};
  project.zones = {{"door", {{0, 0}, {1, 0}, {1, 1}}}};
  project.lines = {{"gate", {0, 0}, {1, 0}}};
  project.rules = {{.name = "in", .kind = RuleKind::enters, .where = "door"},
                   {.name = "through", .kind = RuleKind::crosses, .where = "gate"},
                   {.name = "anywhere", .kind = RuleKind::faster_than}};
  return project;
}

TEST(Rename, EverythingOfACameraFollows) {
  const Project before = named_project();
  Project project = before;
  ASSERT_TRUE(rename_part(&project, NamedPart::camera, "cam1", "Main door"));
  const ProjectCamera& camera = project.cameras[0];
  EXPECT_EQ(camera.name, "Main door");
  EXPECT_EQ(camera.calibration->name(), "Main door");
  EXPECT_EQ(camera.later_calibrations[0].camera.name(), "Main door");
  EXPECT_EQ(project.points[0].clicks[0].camera, "Main door");
  EXPECT_EQ(project.points[0].clicks[1].camera, "cam2");
  EXPECT_EQ(project.measures[0].clicks[0].camera, "Main door");
  EXPECT_EQ(project.measures[0].clicks[1].camera, "") << "a click on the floor is no camera's";
  const std::vector<CameraRename> renamed = renamed_cameras(before, project);
  ASSERT_EQ(renamed.size(), 1U);
  EXPECT_EQ(renamed[0].from, "cam1");
  EXPECT_EQ(renamed[0].to, "Main door");
  project.cameras[0].video = "/nowhere/other.mp4";
  EXPECT_TRUE(renamed_cameras(before, project).empty()) << "another camera in its place";
}

TEST(Rename, RulesFollowTheirZoneOrLine) {
  Project project = named_project();
  project.rules.push_back({.name = "same word", .kind = RuleKind::crosses, .where = "door"});
  ASSERT_TRUE(rename_part(&project, NamedPart::zone, "door", "entrance"));
  ASSERT_TRUE(rename_part(&project, NamedPart::line, "gate", "rope"));
  EXPECT_EQ(project.zones[0].name, "entrance");
  EXPECT_EQ(project.lines[0].name, "rope");
  EXPECT_EQ(project.rules[0].where, "entrance");
  EXPECT_EQ(project.rules[1].where, "rope");
  EXPECT_EQ(project.rules[2].where, "");
  EXPECT_EQ(project.rules[3].where, "door") << "a rule about a line";
}

TEST(Rename, NamesThatCannotBeAreRefusedAndNothingChanges) {
  const Project before = named_project();
  Project project = before;
  const auto refused = [&](NamedPart part, const std::string& from, const std::string& to, ErrorKind kind) {
    const Status done = rename_part(&project, part, from, to);
    ASSERT_FALSE(done) << to;
    EXPECT_EQ(done.error().kind, kind) << to;
    EXPECT_FALSE(done.error().message().empty());
    EXPECT_FALSE(difference(before, project).any()) << to;
  };
  for (const std::string& name :
       {std::string(), std::string(" x"), std::string("x "), std::string("cam2"), std::string("a/b"),
        std::string("a\\b"), std::string("..\n"), std::string(".hidden"), std::string(101, 'x')})
    refused(NamedPart::camera, "cam1", name, ErrorKind::invalid_argument);
  refused(NamedPart::zone, "door", "gate", ErrorKind::invalid_argument);
  refused(NamedPart::camera, "cam3", "x", ErrorKind::not_found);
  refused(NamedPart::zone, "gate", "x", ErrorKind::not_found);
  EXPECT_NE(rename_part(&project, NamedPart::camera, "cam3", "x").error().message().find("cam1, cam2"),
            std::string::npos);
  EXPECT_TRUE(rename_part(&project, NamedPart::camera, "cam1", "cam1"));
  EXPECT_TRUE(rename_part(&project, NamedPart::camera, "cam1", "Tür 1"));
}

}  // namespace
}  // namespace vantage
