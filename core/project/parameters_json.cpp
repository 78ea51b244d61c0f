#include "core/project/parameters_json.h"

namespace vantage {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

Status set_from_json(const json& value, const std::string& stage, const std::string& name,
                     ParameterStore* store) {
  if (value.is_string()) return store->set_from_text(stage + '.' + name + '=' + value.get<std::string>());
  if (value.is_boolean()) return store->set(stage, name, value.get<bool>() ? 1 : 0);
  if (value.is_number()) return store->set(stage, name, value.get<double>());
  return fail(ErrorKind::bad_data, "a number, true, false or a name is expected");
}

}  // namespace

ordered_json parameter_value_json(const ParameterDescription& entry, double value) {
  if (entry.type == ParameterType::boolean) return value != 0;
  if (entry.type == ParameterType::choice) return ParameterStore::to_text(entry, value);
  if (entry.type == ParameterType::integer) return static_cast<int64_t>(value);
  return value;
}

ordered_json parameters_json(const ParameterStore& store, bool changed_only) {
  ordered_json json = ordered_json::object();
  for (const ParameterTable* table : store.tables())
    for (const ParameterDescription& entry : table->entries)
      if (!changed_only || !store.is_default(table->stage, entry.name))
        json[table->stage][entry.name] =
            parameter_value_json(entry, store.get(table->stage, entry.name).value_or(entry.default_value));
  return json;
}

Status read_parameters_json(const json& object, ParameterStore* store, std::vector<std::string>* warnings) {
  if (!object.is_object()) return fail(ErrorKind::bad_data, "an object is expected");
  for (const ParameterTable* table : store->tables()) {
    const auto stage = object.find(table->stage);
    if (stage == object.end()) continue;
    const std::string pointer = '/' + table->stage;
    if (!stage->is_object()) return fail(ErrorKind::bad_data, "an object is expected", pointer);
    for (const auto& [name, value] : stage->items()) {
      const ParameterDescription* entry = table->find(name);
      if (!entry) continue;
      if (name != entry->name && stage->contains(entry->name)) {
        warnings->push_back(pointer + '/' + name + " is not used: it is the former name of " + entry->name +
                            ", which is there too");
        continue;
      }
      if (const Status set = set_from_json(value, table->stage, name, store); !set)
        return fail(ErrorKind::bad_data, set.error().message(), pointer + '/' + name);
    }
  }
  return {};
}

}  // namespace vantage
