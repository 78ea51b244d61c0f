#include "core/foreground/knn/knn.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<KnnParameters>() {
  using P = KnnParameters;
  using enum ParameterOption;
  static const ParameterTable table = ParameterTable::make<P>(
      "knn", "Foreground by KNN",
      {
          real<&P::distance>("Distance", "grey levels", 1, 200,
                             "A sample explains a pixel that differs from it by less than this in B, G and R "
                             "together.",
                             added),
          integer<&P::history_frames>("History", "frames", 2, 10000,
                                      "Of how many learnt frames samples are kept.", expert, relearns, added),
          boolean<&P::detect_shadows>("Detect shadows",
                                      "A pixel that is a darker version of a sample is not foreground.",
                                      expert, added),
          real<&P::learning_rate>(
              "Learning rate", "per frame", 0.000001, 1,
              "How fast samples are replaced after the scene was learnt, also where people stand: a person "
              "who stays is absorbed after about 0.05 / rate frames.",
              expert, logarithmic, added),
      });
  return table;
}

}  // namespace vantage
