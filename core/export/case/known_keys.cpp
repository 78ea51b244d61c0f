#include "core/export/case/known_keys.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/process_owner.h"

namespace vantage {
namespace {

constexpr char kKeysSchema[] = "vantage-case-keys-1";

}  // namespace

std::filesystem::path KnownKeys::default_path() {
  return config_folder() / "case_keys.json";
}

Result<KnownKeys> KnownKeys::read(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return KnownKeys();
  VANTAGE_ASSIGN(const std::string text, read_file(file));
  const nlohmann::json document = parse_json(text);
  try {
    if (document.at("schema") == kKeysSchema)
      return KnownKeys{document.at("keys").get<std::map<std::string, std::string>>(),
                       document.at("cases").get<std::map<std::string, std::string>>()};
  } catch (const nlohmann::json::exception&) {
    // Said below, as for another schema.
  }
  return fail(ErrorKind::bad_data, "is not a list of known keys", file.string(),
              "Move it away: another one is made with the next case.");
}

Status KnownKeys::write(const std::filesystem::path& file) const {
  VANTAGE_TRY(make_folder(file.parent_path()));
  const nlohmann::ordered_json document = {{"schema", kKeysSchema}, {"keys", names}, {"cases", cases}};
  return write_file_atomically(file, json_text(document, 2) + "\n");
}

}  // namespace vantage
