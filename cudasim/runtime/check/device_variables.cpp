#include "device_variables.h"

#include "device_sections.h"
#include "region_map.h"
#include "symbols.h"

namespace cudasim {

struct Section {
  char *begin, *end;
  RegionKind kind;
  RegionMap map;
};

static Section sections[] = {
    {__start_cudasim_device, __stop_cudasim_device, RegionKind::variable, {}},
    {__start_cudasim_constant, __stop_cudasim_constant, RegionKind::constant, {}},
    {__start_cudasim_managed, __stop_cudasim_managed, RegionKind::managed, {}},
};

static void create_map(Section &section) {
  section.map.create(section.begin, section.end, 2);
  for (const Symbol &symbol : object_symbols(section.begin, section.end)) {
    Region *region = new Region(section.kind, symbol.begin, symbol.bytes);
    region->name = symbol.name;
    region->set_initialised(0, symbol.bytes);
    section.map.set(symbol.begin, symbol.begin + symbol.bytes, region);
  }
  section.map.fill_gaps(64);
}

static bool create_maps() {
  for (Section &section : sections)
    if (section.begin != section.end) create_map(section);
  return true;
}

Region *variable_region(const void *p) {
  static bool created = create_maps();
  for (Section &section : sections)
    if (created && p >= section.begin && p < section.end) return section.map.at(p);
  return nullptr;
}

}  // namespace cudasim
