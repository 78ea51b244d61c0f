// Appearances that walkers lack: people doing sport bend far, wear little, and tight or peaked caps;
// recordings of them hide faces under coarse squares or blur.
#pragma once

#include "core/image/image_view.h"
#include "core/synth/camera_ring.h"
#include "core/synth/detail/body.h"
#include "core/synth/random.h"

namespace vantage::synth {

// Changes a walker's appearance and posture; trunks bend by up to 63 degrees to each side, 52 forward. True
// where the face is to be veiled.
bool do_sport(Random& random, PersonLook* look, Posture* posture);

// Coarse squares or blur over the middle and lower part of a head's box.
void veil_face(const PixelBox& head, Random& random, ImageView<uint8_t> luma);

}  // namespace vantage::synth
