// Grey pictures of people with the boxes of their heads, to train and measure a head detector on: rooms and
// clutter, cameras from everywhere above the waist, rolled and zoomed at random, people of all looks, bare or
// with caps and hats, upright, leaning, with raised arms, worn by blur, noise and codecs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/synth/camera_ring.h"

namespace vantage::synth {

// A head in a rendered picture.
struct RenderedHead {
  PixelBox box;           // as far as the picture reaches; others in front do not shrink it
  double visibility = 0;  // share of its pixels that no one else hides
  bool cut = false;       // by the picture's border
};

struct HeadPicture {
  Image luma;  // u8, host
  std::vector<RenderedHead> heads;
};

inline constexpr int kHeadPictureWidth = 480, kHeadPictureHeight = 360;

struct HeadPictureShares {
  double clutter = 0.25;  // of pictures that show the people before painted clutter, not in their room
  double textured = 0;    // of pictures whose people are spotted, as real skin, hair and clothes are
  double sporty = 0;      // of people who bend far, half-dressed, capped, at times without a face
  double rolled = 0.1;    // of cameras that hang up to 23 degrees askew; the others up to 3
};

// All pictures of one scene: two cameras, `frames` each. The same arguments give the same pictures.
Result<std::vector<HeadPicture>> render_head_pictures(uint64_t seed, int frames,
                                                      const HeadPictureShares& shares = {});

// A picture without people.
Result<HeadPicture> paint_headless_picture(uint64_t seed);

}  // namespace vantage::synth
