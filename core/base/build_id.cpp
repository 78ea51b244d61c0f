#include "core/base/build_id.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstring>

#include "core/base/formatted.h"

namespace vantage {
namespace {

struct Search {
  uintptr_t address = 0;  // of code of ours
  std::string id;
};

bool holds(const dl_phdr_info& object, uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    const uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= begin && address < begin + segment.p_memsz) return true;
  }
  return false;
}

size_t padded(size_t size) {
  return (size + 3) / 4 * 4;
}

// The build's note among the notes of a segment.
std::string id_in(const char* at, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const size_t length = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (length > size) return {};
    const char* const name = at + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      const auto* const bytes = reinterpret_cast<const unsigned char*>(name + padded(note.n_namesz));
      std::string id;
      for (size_t i = 0; i < note.n_descsz; ++i) id += formatted("%02x", static_cast<unsigned>(bytes[i]));
      return id;
    }
    at += length, size -= length;
  }
  return {};
}

int look_at(dl_phdr_info* object, size_t, void* data) {
  auto* const search = static_cast<Search*>(data);
  if (!holds(*object, search->address)) return 0;
  for (int i = 0; i < object->dlpi_phnum && search->id.empty(); ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE)
      search->id = id_in(reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz);
  }
  return 1;
}

std::string of_file() {
  Dl_info object = {};
  struct stat about = {};
  if (::dladdr(reinterpret_cast<const void*>(&of_file), &object) == 0 || !object.dli_fname ||
      ::stat(object.dli_fname, &about) != 0)
    return {};
  return formatted("%llx-%llx", static_cast<unsigned long long>(about.st_size),
                   static_cast<unsigned long long>(about.st_mtime));
}

}  // namespace

const std::string& build_id() {
  static const std::string id = [] {
    Search search{reinterpret_cast<uintptr_t>(&of_file), {}};
    ::dl_iterate_phdr(look_at, &search);
    return search.id.empty() ? of_file() : search.id;
  }();
  return id;
}

}  // namespace vantage
