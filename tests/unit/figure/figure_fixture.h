// A rendered recording of two people, and figures of it in a folder of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/algorithms.h"
#include "core/export/figure/figure.h"
#include "core/image/image_files.h"
#include "core/synth/synth.h"
#include "tests/support/data.h"

namespace vantage::test {

inline constexpr int kPicture_px = 320, kPictureHeight_px = 240;
inline constexpr int64_t kFigureFrame = 12;

inline const std::filesystem::path& footage() {
  static const TemporaryFolder folder;
  static const std::filesystem::path project = [] {
    SynthOptions options;
    options.cameras = 3, options.people = 2, options.seconds = 2, options.frame_rate = 10;
    options.width_px = kPicture_px, options.height_px = kPictureHeight_px, options.area_m = 4;
    EXPECT_TRUE(render_recording(options, folder.path() / "hall", {}, {}));
    return folder.path() / "hall" / "hall.vantage";
  }();
  return project;
}

class FigureFixture : public testing::Test {
 protected:
  FigureFixture() { register_cpu_backends(registry_); }
  FigureOptions options(const std::string& file, std::set<FigureOverlay> overlays) const {
    FigureOptions options;
    options.project = load_project(footage()).value();
    options.view = {FigureKind::camera, 0, std::move(overlays), kPicture_px};
    options.frames = {kFigureFrame, kFigureFrame + 1};
    options.out = folder_.path() / file;
    options.backends = {&registry_, Device::cpu, {}};
    return options;
  }
  Image luma(const FigureOptions& options) const {
    const auto made = export_figure(options);
    EXPECT_TRUE(made) << made.error().message();
    return read_png_gray(options.out, HostPool::shared()).value();
  }
  bool left_nothing() const { return std::filesystem::is_empty(folder_.path()); }

  BackendRegistry registry_;
  const TemporaryFolder folder_;
};

}  // namespace vantage::test
