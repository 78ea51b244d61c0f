// Parameters as JSON, {"stage": {"name": value}}: numbers, true or false, a choice by its name.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/parameters.h"

namespace vantage {

nlohmann::ordered_json parameter_value_json(const ParameterDescription& entry, double value);
nlohmann::ordered_json parameters_json(const ParameterStore& store, bool changed_only);

// Sets those that the store knows, by their name or a former one; others are left alone. Where both names are
// there, the former is not used, which `warnings` says. Errors: bad_data, `where` the position in `object`
// ("/stage/name").
Status read_parameters_json(const nlohmann::json& object, ParameterStore* store,
                            std::vector<std::string>* warnings);

}  // namespace vantage
