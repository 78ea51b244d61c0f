// The pictures that a head detector learns from and is measured on: rendered pictures, painted ones, and
// those of a folder.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/stop_token.h"
#include "core/head_training/curve.h"
#include "core/synth/head_pictures.h"

namespace vantage::head_training {

inline constexpr int kFramesPerCamera = 6;  // of each scene's two cameras

// The pictures of that many scenes, in order. `done` hears of each scene.
Result<std::vector<synth::HeadPicture>> render_scenes(uint64_t seed, int scenes,
                                                      const synth::HeadPictureShares& shares,
                                                      const std::function<void(int64_t)>& done,
                                                      const StopSource& stop);
Result<std::vector<synth::HeadPicture>> paint_headless(uint64_t seed, int count);
// Every PNG file in and below the folder. Errors: not_found when there is none.
Result<std::vector<synth::HeadPicture>> read_headless(const std::filesystem::path& folder);

synth::HeadPicture mirrored(const synth::HeadPicture& picture);
// Well enough seen to be asked for; smaller ones are not searched for.
bool counts(const synth::RenderedHead& head, double smallest_px);
std::vector<GroundTruthHead> truth_of(const synth::HeadPicture& picture, double smallest_px);
// Does the box lie on a head, near enough to be no mistake?
bool near_head(const synth::HeadPicture& picture, const Detection& box);

}  // namespace vantage::head_training
