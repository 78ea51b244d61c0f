// Grey pictures of people with the boxes of their heads, to train and evaluate a head detector: rooms and
// clutter, cameras from everywhere above the waist, rolled and zoomed at random, people of all appearances,
// bare-headed or with caps and hats, upright, leaning, with raised arms, degraded by blur, noise and codecs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/synth/camera_ring.h"

namespace vantage::synth {

// A head in a rendered picture.
struct RenderedHead {
  PixelBox box;           // within the picture, including parts hidden by others
  double visibility = 0;  // share of its pixels that no one else hides
  bool cut = false;       // cut by the picture's border
};

struct HeadPicture {
  Image luma;  // u8, host
  std::vector<RenderedHead> heads;
};

inline constexpr int kHeadPictureWidth = 480, kHeadPictureHeight = 360;

struct HeadPictureShares {
  double clutter = 0.25;  // share of pictures with painted clutter behind the people instead of their room
  double textured = 0;    // share of pictures with spotted people, as real skin, hair and clothes are
  double sporty = 0;      // share of people who bend far, half-dressed, capped, some without a face
  double rolled = 0.1;    // share of cameras tilted by up to 23 degrees; the others by up to 3
};

// All pictures of one scene: two cameras, `frames` each. The same arguments give the same pictures.
Result<std::vector<HeadPicture>> render_head_pictures(uint64_t seed, int frames,
                                                      const HeadPictureShares& shares = {});

// A picture without people.
Result<HeadPicture> paint_headless_picture(uint64_t seed);

}  // namespace vantage::synth
