// Shares of red, green and blue in luma, by matrix: ITU-R BT.601, BT.709, BT.2020.
#pragma once

#include "core/image/picture.h"

namespace vantage {

struct LumaWeights {
  double red = 0, blue = 0;
  double green() const { return 1 - red - blue; }
};

inline LumaWeights luma_weights(ColorMatrix matrix) {
  switch (matrix) {
    case ColorMatrix::bt709:
      return {0.2126, 0.0722};
    case ColorMatrix::bt2020:
      return {0.2627, 0.0593};
    case ColorMatrix::bt601:
      break;
  }
  return {0.299, 0.114};
}

}  // namespace vantage
