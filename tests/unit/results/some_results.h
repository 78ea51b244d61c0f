// A project of two cameras and frames of its chain, for tests of what is written of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/pipeline/stages.h"
#include "core/results/results_writer.h"
#include "tests/support/data.h"

namespace vantage {

using nlohmann::json;

inline json schema_of(const char* definition) {
  const auto text =
      read_file(std::filesystem::path(VANTAGE_SOURCE_DIR) / "resources/schema/results.schema.json");
  return parse_json_or_throw(text.value())["$defs"][definition];
}

inline Project some_project() {
  Project project;
  project.parameters = default_parameters();
  project.path = "/somewhere/hall.vantage";
  for (const char* name : {"cam1", "cam\xff"}) {
    ProjectCamera camera;
    camera.name = name;
    camera.video = "/somewhere/video.mp4";
    project.cameras.push_back(camera);
  }
  PinholeCamera<double> model;
  model.width_px = 64, model.height_px = 48, model.fx_px = model.fy_px = 50;
  project.cameras[0].calibration = Camera::make("cam1", model).value();
  project.cameras[0].background = "/somewhere/empty.mp4";
  EXPECT_TRUE(project.parameters.set("carving", "threshold", 0.5));
  // Files have the chain's IDs; tests of paths state so.
  EXPECT_TRUE(project.parameters.set_from_text("tracking.method=greedy"));
  return project;
}

inline RunDescription some_run() {
  RunDescription run;
  run.device_description = "CPU, 2 threads";
  run.frame_rate = 25;
  run.videos.resize(2);
  run.videos[0].content_hash = 0xabc;
  run.grid = VoxelGrid{{0, 0, 0}, 0.1, 10, 10, 10};
  run.coverage = FloorCoverage{2, 2, 2, {3, 3, 0, 3}, {3, 3, 3, 3}};
  return run;
}

inline FrameResultRef some_result(int64_t frame) {
  auto result = std::make_shared<FrameResult>();
  result->frame = frame;
  auto frames = std::make_shared<FrameSetArtifact>();
  frames->frames.frame = frame;
  frames->frames.time_ns = frame * 40'000'000;
  frames->frames.cameras.resize(2);
  frames->frames.cameras[0].camera_frame = frame;
  frames->frames.cameras[1].problem = "no frame here";
  auto foreground = std::make_shared<ForegroundArtifact>();
  foreground->cameras.resize(2);
  foreground->cameras[0].mask = Image::make(ImageType::u8, 64, 48, HostPool::shared()).value();
  foreground->cameras[0].mask_count = int64_t{768};
  foreground->host_masks = std::vector<Image>{foreground->cameras[0].mask, {}};
  auto volume = std::make_shared<VolumeArtifact>();
  volume->volume.grid = *some_run().grid;
  volume->volume.counts = VolumeCounts{30, 42};
  volume->volume.frame = frame;
  Image shell_ids = Image::make(ImageType::u32, 64, 1, HostPool::shared()).value();
  for (int i = 0; i < 30; ++i) shell_ids.writable_view<uint32_t>().at(i, 0) = static_cast<uint32_t>(7 * i);
  volume->volume.shell_ids = std::move(shell_ids);
  auto people = std::make_shared<PeopleArtifact>();
  people->covered_share = 0.8;
  people->found.peaks = 3;
  people->found.people = {{0.25, -1, 1.75, 60, 0.9, 4}, {1.5, 0.5, 1.6, 50, 0.8, 3}};
  people->found.rejected = {{{0, 0, 1.7, 20, 0.6, 4}, RejectReason::ghost}};
  people->fused.resize(2);
  people->fused[0] = {0.25,  -1,   1.75, 0.025, 0.015,
                      0.025, 0.05, 11.5, 0.9,   {{0, 2, 6.25, 1}, {1, -1, -0.5, 0.5, 0.375, 3}}};
  auto tracks = std::make_shared<TracksArtifact>();
  tracks->tracked = {{7, 0.25, -1, 1.74}, {0, 1.5, 0.5, 1.6}};
  auto motion = std::make_shared<MotionArtifact>();
  motion->people = {PersonMotion{{0.51234, -1, 0}, 0.125, 3, 400}, std::nullopt};
  result->artifacts.video = frames, result->artifacts.foreground = foreground;
  result->artifacts.carving = volume, result->artifacts.people = people;
  result->artifacts.tracking = tracks, result->artifacts.motion = motion;
  result->versions = {{"video", 1}, {"foreground", 2}, {"carving", 3}};
  return result;
}

// Complete lines: the last one of a file in progress may be partial.
inline std::vector<json> lines_of(const std::filesystem::path& path) {
  const std::string text = read_file(path).value();
  std::vector<json> lines;
  for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(parse_json_or_throw(text.substr(begin, end - begin)));
  return lines;
}

}  // namespace vantage
