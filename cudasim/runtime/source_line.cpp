#include "source_line.h"

#include <algorithm>
#include <unistd.h>

#include "symbols.h"

namespace cudasim {

unsigned code_of(const void *address) {
  return unsigned(static_cast<const char *>(address) - program_image().begin);
}

std::string short_path(const std::string &path) {
  char directory[4096];
  if (!getcwd(directory, sizeof directory)) return path;
  std::string prefix = std::string(directory) + "/";
  return path.compare(0, prefix.size(), prefix) == 0 ? path.substr(prefix.size()) : path;
}

std::string SourceLine::text() const {
  return file.empty() ? "unknown place" : short_path(file) + ":" + std::to_string(line);
}

static std::string quoted(const std::string &text) {
  std::string result = "'";
  for (char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

static bool is_our_header(const std::string &file) {
  return file.find("/include/cudasim/") != std::string::npos;
}

// `file:line` or `file:line (discriminator 2)`; unknown parts are `??` and `0` or `?`.
static SourceLine parse_place(const std::string &text) {
  size_t colon = text.rfind(':');
  SourceLine place;
  if (colon == std::string::npos || text.compare(0, 2, "??") == 0) return place;
  place.line = atoi(text.c_str() + colon + 1);
  if (place.line) place.file = text.substr(0, colon);
  return place;
}

static std::string addr2line_command(const unsigned *codes, size_t count) {
  std::string command = "addr2line -a -i -e " + quoted(program_path());
  for (size_t i = 0; i < count; ++i) {
    char address[32];
    snprintf(address, sizeof address, " 0x%lx", link_address(codes[i] - 1));
    command += address;
  }
  return command + " 2>/dev/null";
}

// For each address, addr2line prints it and then the lines of an inlined call, innermost first:
// ours are passed over.
static void ask_addr2line(const unsigned *codes, size_t count, std::vector<SourceLine> &found) {
  FILE *answer = popen(addr2line_command(codes, count).c_str(), "r");
  char line[4200];
  while (answer && fgets(line, sizeof line, answer)) {
    if (strncmp(line, "0x", 2) == 0) {
      found.push_back(SourceLine());
      continue;
    }
    SourceLine place = parse_place(line);
    if (!found.empty() && found.back().file.empty() && !is_our_header(place.file))
      found.back() = place;
  }
  if (answer) pclose(answer);
}

std::vector<SourceLine> source_lines(const std::vector<unsigned> &codes) {
  constexpr size_t most = 500;  // for the length of a command line
  std::vector<SourceLine> found;
  for (size_t i = 0; i < codes.size(); i += most) {
    ask_addr2line(&codes[i], std::min(most, codes.size() - i), found);
    found.resize(std::min(i + most, codes.size()));
  }
  return found;
}

SourceLine source_line(unsigned code) { return code ? source_lines({code})[0] : SourceLine(); }

std::string source_text(const SourceLine &place) {
  FILE *file = place.file.empty() ? nullptr : fopen(place.file.c_str(), "r");
  std::string text;
  if (!file) return text;
  int line = 1;
  for (int c; line <= place.line && (c = getc(file)) != EOF;) {
    if (c == '\n') ++line;
    else if (line == place.line) text += char(c);
  }
  fclose(file);
  return text;
}

}  // namespace cudasim
