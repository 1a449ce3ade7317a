#include "symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

namespace cudasim {

struct SymbolTable {
  const Elf64_Sym *begin, *end;
  const char *names;
};

// The program may have an `open` and a `close` of its own, so files are read with C's own functions.
template <class Item>
static Item *read_items(FILE *file, size_t offset, size_t bytes) {
  void *items = malloc(bytes);
  bool done = items && fseek(file, long(offset), SEEK_SET) == 0 && fread(items, 1, bytes, file) == bytes;
  if (done) return static_cast<Item *>(items);
  free(items);
  return nullptr;
}

static SymbolTable read_symbol_table(FILE *file, const Elf64_Shdr *sections, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const Elf64_Shdr &table = sections[i], &names = sections[table.sh_link];
    if (table.sh_type != SHT_SYMTAB) continue;
    auto begin = read_items<Elf64_Sym>(file, table.sh_offset, table.sh_size);
    auto text = read_items<char>(file, names.sh_offset, names.sh_size);
    if (begin && text) return {begin, begin + table.sh_size / sizeof(Elf64_Sym), text};
  }
  return {};
}

static SymbolTable read_symbol_table(FILE *file) {
  Elf64_Ehdr header;
  if (fread(&header, sizeof header, 1, file) != 1) return {};
  auto sections = read_items<Elf64_Shdr>(file, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
  SymbolTable table = sections ? read_symbol_table(file, sections, header.e_shnum) : SymbolTable();
  free(sections);
  return table;
}

static SymbolTable read_symbol_table() {
  FILE *file = fopen("/proc/self/exe", "r");
  if (!file) return {};
  SymbolTable table = read_symbol_table(file);
  fclose(file);
  return table;
}

static const SymbolTable &symbol_table() {
  static const SymbolTable table = read_symbol_table();
  return table;
}

static void widen(char *&begin, char *&end, char *first, size_t bytes) {
  if (!begin || first < begin) begin = first;
  if (first + bytes > end) end = first + bytes;
}

// The first object that the dynamic linker lists is the program.
static int read_image(dl_phdr_info *info, size_t, void *result) {
  Image &image = *static_cast<Image *>(result);
  char *base = reinterpret_cast<char *>(info->dlpi_addr), *relro_end = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    char *begin = base + part.p_vaddr;
    if (part.p_type == PT_GNU_RELRO) relro_end = begin + part.p_memsz;
    if (part.p_type != PT_LOAD) continue;
    widen(image.begin, image.end, begin, part.p_memsz);
    if (part.p_flags & PF_W) widen(image.writable_begin, image.writable_end, begin, part.p_memsz);
  }
  if (relro_end > image.writable_begin) image.writable_begin = relro_end;
  return 1;
}

const Image &program_image() {
  static const Image image = [] {
    Image found = {};
    dl_iterate_phdr(read_image, &found);
    return found;
  }();
  return image;
}

// In a position independent program the first segment's address is 0, in others it is not.
static char *load_bias() {
  static char *bias = [] {
    auto header = reinterpret_cast<const Elf64_Ehdr *>(program_image().begin);
    return header->e_type == ET_DYN ? program_image().begin : nullptr;
  }();
  return bias;
}

unsigned long link_address(unsigned code) {
  return (unsigned long)(program_image().begin - load_bias()) + code;
}

// The `(` that opens the parameter list which ends the text, or its end.
static const char *parameters_of(const char *text, const char *end) {
  if (end == text || end[-1] != ')') return end;
  int depth = 0;
  for (const char *p = end; p > text;) {
    --p;
    if (*p == ')') ++depth;
    if (*p == '(' && --depth == 0) return p;
  }
  return end;
}

// After the last `::` or blank outside of brackets.
static const char *last_part(const char *text, const char *end) {
  int depth = 0;
  for (const char *p = end; p > text; --p) {
    char c = p[-1];
    if (c == '>' || c == ')') ++depth;
    if (c == '<' || c == '(') --depth;
    if (depth == 0 && (c == ' ' || c == ':')) return p;
  }
  return text;
}

// A name that is not mangled could be taken for a mangled type: `c` for `char`.
static const char *readable_name(const char *mangled) {
  if (strncmp(mangled, "_Z", 2) != 0) return mangled;
  char *text = abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr);
  if (!text) return mangled;
  const char *end = parameters_of(text, text + strlen(text));
  const char *begin = last_part(text, end);
  const char *name = strndup(begin, size_t(end - begin));
  free(text);
  return name;
}

static bool is_ours(const char *mangled) {
  static const char *const prefixes[] = {"_ZN7cudasim", "_ZZN7cudasim", "cudasim_"};
  for (const char *prefix : prefixes)
    if (strncmp(mangled, prefix, strlen(prefix)) == 0) return true;
  return false;
}

// Thread-local symbols count from the start of the thread's block; one whose address is
// known gives that start.
static char *thread_local_start() {
  const SymbolTable &table = symbol_table();
  for (const Elf64_Sym *s = table.begin; s != table.end; ++s)
    if (ELF64_ST_TYPE(s->st_info) == STT_TLS &&
        strcmp(table.names + s->st_name, "cudasim_dynamic_shared") == 0)
      return cudasim_dynamic_shared - s->st_value;
  return nullptr;
}

static bool is_guard(const char *mangled) { return strncmp(mangled, "_ZGV", 4) == 0; }

template <class Predicate>
static std::vector<Symbol> find_thread_local(Predicate is_wanted) {
  std::vector<Symbol> found;
  const SymbolTable &table = symbol_table();
  char *start = thread_local_start();
  for (const Elf64_Sym *s = table.begin; s != table.end; ++s) {
    const char *name = table.names + s->st_name;
    if (ELF64_ST_TYPE(s->st_info) == STT_TLS && s->st_size && s->st_shndx != SHN_UNDEF &&
        is_wanted(name))
      found.push_back({readable_name(name), start + s->st_value, s->st_size});
  }
  return found;
}

std::vector<Symbol> thread_local_symbols() {
  return find_thread_local([](const char *name) { return !is_ours(name) && !is_guard(name); });
}

std::vector<Symbol> thread_local_guards() { return find_thread_local(is_guard); }

std::vector<Symbol> object_symbols(const char *begin, const char *end) {
  std::vector<Symbol> found;
  const SymbolTable &table = symbol_table();
  for (const Elf64_Sym *s = table.begin; s != table.end; ++s) {
    char *address = load_bias() + s->st_value;
    if (ELF64_ST_TYPE(s->st_info) == STT_OBJECT && address >= begin && address < end)
      found.push_back({readable_name(table.names + s->st_name), address, s->st_size});
  }
  return found;
}

const char *function_name(const void *address) {
  const SymbolTable &table = symbol_table();
  for (const Elf64_Sym *s = table.begin; s != table.end; ++s)
    if (ELF64_ST_TYPE(s->st_info) == STT_FUNC && load_bias() + s->st_value == address)
      return readable_name(table.names + s->st_name);
  return nullptr;
}

const char *program_path() {
  static char path[4096];
  if (!path[0] && readlink("/proc/self/exe", path, sizeof path - 1) < 0) return "";
  return path;
}

}  // namespace cudasim
