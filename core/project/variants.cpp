#include "core/project/variants.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fstream>
#include <utility>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/project/json_parts.h"

namespace vantage {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr size_t kMaxName = 60;
constexpr const char* kVariantSchema = "vantage-variant-1";

Status check_name(std::string_view name) {
  const auto usual = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == ' ' || c == '.' || c == '-' || c == '_';
  };
  const bool good = !name.empty() && name.size() <= kMaxName &&
                    std::isalnum(static_cast<unsigned char>(name.front())) && name.back() != ' ' &&
                    std::all_of(name.begin(), name.end(), usual);
  if (good) return {};
  return fail(ErrorKind::invalid_argument, "this is not a name of a variant", std::string(name),
              "Use 1 to 60 letters, digits, spaces, dots, - and _, and begin with a letter or digit.");
}

fs::path variant_file(const fs::path& project, std::string_view name) {
  return variants_folder(project) / (std::string(name) + ".json");
}

Result<Variant> parse_variant(const std::string& text, const fs::path& file, const ParameterStore& defaults) {
  const nlohmann::json json = parse_json(text);
  const auto text_of = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (!json.is_object() || text_of("schema").rfind("vantage-variant-", 0) != 0)
    return fail(ErrorKind::bad_data, "this is not a variant", file.string(),
                "Remove the file, or restore it from a copy.");
  if (text_of("schema") != kVariantSchema)
    return fail(ErrorKind::unsupported, "the variant was made by a newer version of the program",
                file.string(), "Use that version.");
  Variant variant{file.stem().string(), text_of("made_utc"), text_of("origin"), text_of("version"), defaults};
  std::vector<std::string> warnings;
  const auto parameters = json.find("parameters");
  const Status read = read_parameters_json(parameters != json.end() ? *parameters : nlohmann::json(),
                                           &variant.parameters, &warnings);
  if (!read) return fail(ErrorKind::bad_data, read.error().message(), file.string());
  return variant;
}

}  // namespace

fs::path variants_folder(const fs::path& project) {
  return fs::path(project).replace_extension(".variants");
}

fs::path variant_results(const fs::path& project, std::string_view name) {
  return variants_folder(project) / (std::string(name) + ".results");
}

StoredVariants read_variants(const fs::path& project, const ParameterStore& defaults) {
  StoredVariants stored;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(variants_folder(project), code)) {
    if (entry.path().extension() != ".json") continue;
    const Result<std::string> text = read_file(entry.path());
    Result<Variant> variant =
        text ? parse_variant(*text, entry.path(), defaults) : Result<Variant>(fail(text.error()));
    if (variant)
      stored.variants.push_back(std::move(*variant));
    else
      stored.damaged.push_back(variant.error());
  }
  std::sort(stored.variants.begin(), stored.variants.end(),
            [](const Variant& a, const Variant& b) { return a.name < b.name; });
  return stored;
}

Result<Variant> read_variant(const fs::path& project, std::string_view name, const ParameterStore& defaults) {
  const fs::path file = variant_file(project, name);
  std::error_code none;
  if (check_name(name) && fs::exists(file, none)) {
    VANTAGE_ASSIGN(const std::string text, read_file(file));
    return parse_variant(text, file, defaults);
  }
  std::string known;
  for (const Variant& one : read_variants(project, defaults).variants) append_item(&known, one.name);
  return fail(ErrorKind::not_found, "there is no variant of that name", std::string(name),
              known.empty() ? "The project has none yet." : "There are " + known + ".");
}

Status write_variant(const fs::path& project, Variant variant, bool replace) {
  VANTAGE_TRY(check_name(variant.name));
  const fs::path file = variant_file(project, variant.name);
  std::error_code none;
  if (!replace && fs::exists(file, none))
    return fail(ErrorKind::invalid_argument, "there is a variant of that name", variant.name,
                "Choose another name, or replace it.");
  VANTAGE_TRY(make_folder(variants_folder(project)));
  const ordered_json json = {{"schema", kVariantSchema},
                             {"made_utc", utc_time(static_cast<double>(utc_now_ns()) * 1e-9)},
                             {"origin", variant.origin},
                             {"version", VANTAGE_VERSION},
                             {"parameters", parameters_json(variant.parameters, true)}};
  return write_file_atomically(file, json_text(json, 2) + "\n");
}

Status remove_variant(const fs::path& project, std::string_view name) {
  const fs::path file = variant_file(project, name);
  std::error_code code;
  if (!check_name(name) || !fs::exists(file, code))
    return fail(ErrorKind::not_found, "there is no variant of that name", std::string(name));
  fs::remove_all(variant_results(project, name), code);
  if (!code) fs::remove(file, code);
  if (code) return fail(ErrorKind::io, "removing failed (" + code.message() + ")", file.string());
  return {};
}

Result<ParametersOfResults> parameters_of_results(const fs::path& results, const ParameterStore& defaults) {
  const fs::path file = fs::is_directory(results) ? results / "results.jsonl" : results;
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line))
    return fail(ErrorKind::not_found, "there are no results", file.string(),
                "Name a folder that `run` wrote.");
  const nlohmann::json header = parse_json(line);
  const bool understood = header.is_object() && header.contains("parameters");
  if (!understood) return fail(ErrorKind::bad_data, "the results name no parameters", file.string());
  ParametersOfResults of{defaults,
                         header.value("version", nlohmann::json()).is_string()
                             ? header["version"].get<std::string>()
                             : std::string(),
                         0};
  while (std::getline(in, line) && !in.eof()) ++of.frames;  // an incomplete line is not a frame
  std::vector<std::string> warnings;
  if (const Status read = read_parameters_json(header["parameters"], &of.parameters, &warnings); !read)
    return fail(ErrorKind::bad_data, read.error().message(), file.string());
  return of;
}

Status keep_results(const fs::path& project, std::string_view name, const fs::path& results,
                    const ParameterStore& defaults) {
  VANTAGE_TRY(check_name(name));
  VANTAGE_ASSIGN(ParametersOfResults of, parameters_of_results(results, defaults));
  const fs::path to = variant_results(project, name),
                 part = to.parent_path() / (to.filename().string() + ".part");
  const Variant variant{
      std::string(name), {}, results.filename().string() + " of version " + of.version, {}, of.parameters};
  std::error_code code;
  if (fs::exists(to, code))
    return fail(ErrorKind::invalid_argument, "there are results of that name", to.string(),
                "Choose another name, or remove them.");
  VANTAGE_TRY(make_folder(to.parent_path()));
  fs::remove_all(part, code);  // left by a program that was ended
  fs::copy(results, part, fs::copy_options::recursive, code);
  const std::string why = code.message();
  Status kept = code ? fail(ErrorKind::io, "copying the results failed (" + why + ")", results.string())
                     : write_variant(project, variant, false);
  if (kept) {
    fs::rename(part, to, code);
    if (!code) return {};
    kept = fail(ErrorKind::io, "keeping the results failed (" + code.message() + ")", to.string());
    fs::remove(variant_file(project, name), code);
  }
  fs::remove_all(part, code);
  return kept;
}

std::vector<ParameterDifference> parameter_differences(const ParameterStore& first,
                                                       const ParameterStore& second) {
  std::vector<ParameterDifference> differences;
  for (const ParameterTable* table : first.tables())
    for (const ParameterDescription& entry : table->entries) {
      const double a = first.get(table->stage, entry.name).value_or(entry.default_value);
      const double b = second.get(table->stage, entry.name).value_or(entry.default_value);
      if (a != b) differences.push_back({table->stage, &entry, a, b});
    }
  return differences;
}

}  // namespace vantage
