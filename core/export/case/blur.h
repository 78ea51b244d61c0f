// Which parts of a camera's picture are made unrecognisable: everybody, or everybody but some.
//
// A person is covered twice: by the foreground that belongs to them, and by the outline that a body of their
// height has at their place, whether anything moves there or not. Both are grown by a margin. Foreground that
// belongs to no one is covered too. Where people who are kept and people who are not lie over each other in
// the picture, covering comes first: wherever limbs of a person who is covered may be, no one is kept, unless
// the foreground there is a part by itself that shows who is kept, and the other is well seen in another.
//
// A picture for which this cannot be vouched for is covered as a whole; why is said:
//   unknown_people   the results do not tell who was there
//   no_mask          the foreground of the picture is not known
//   view_changed     more than half of it is foreground: the light, or the view
//   not_in_mask      a person who is to be covered should be seen, but the foreground shows nothing of them
//   unknown_body     foreground as large as a person belongs to no one
//   too_near         a person stands so near to the camera that it cannot be said what it shows of them
#pragma once

#include <array>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "core/export/case/case_people.h"
#include "core/geometry/camera.h"
#include "core/image/picture.h"

namespace vantage {

enum class BlurDoubt : uint8_t { unknown_people, no_mask, view_changed, not_in_mask, unknown_body, too_near };
inline constexpr std::array<std::string_view, 6> kBlurDoubtNames = {
    "unknown_people", "no_mask", "view_changed", "not_in_mask", "unknown_body", "too_near"};
std::string_view blur_doubt_text(BlurDoubt doubt);  // for people

struct BlurredPicture {
  Image levels;                    // as pixelated() takes it
  std::optional<BlurDoubt> doubt;  // the whole picture is covered
};

// All of a picture of that size.
Result<BlurredPicture> covered_picture(int width_px, int height_px, BlurDoubt doubt, BufferPool& pool);

class Blur {
 public:
  // Kept: the IDs of those who stay recognisable in frames in which they were seen.
  Blur(const Camera& camera, std::set<int64_t> kept);

  // `mask`: of the picture, u8, host memory; empty: not known. `people`: nothing: not known.
  Result<BlurredPicture> cover(const Image& mask, const std::optional<std::vector<CasePerson>>& people,
                               BufferPool& pool) const;

 private:
  const Camera camera_;
  const std::set<int64_t> kept_;
};

}  // namespace vantage
