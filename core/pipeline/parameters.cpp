#include "core/pipeline/detail/person_appearance.h"

namespace vantage {

template <>
const ParameterTable& parameter_table<AppearanceParameters>() {
  using P = AppearanceParameters;
  static const ParameterTable table = ParameterTable::make<P>(
      "appearance", "Colours of people",
      {
          boolean<&P::enabled>("Measure colours",
                               "Keep the colours of people's clothes that each camera sees; paths then tell "
                               "people apart by them where they cross."),
      });
  return table;
}

}  // namespace vantage
