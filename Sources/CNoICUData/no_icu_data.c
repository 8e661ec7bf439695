// Foundation brings its own copy of ICU, whose tables for all languages take 34 MB of every program that links
// Foundation statically. No program uses them: sorting and searching are done by the system's ICU (see Collation),
// and nothing is formatted for a language. The linker takes these empty tables instead of Foundation's, because it
// finds them first. Where Foundation's ICU has another version, its own tables are linked, and all works as before.

#include <stdint.h>

struct empty_tables {
  uint16_t header_bytes;
  uint8_t magic[2];
  uint16_t info_bytes;
  uint16_t reserved;
  uint8_t is_big_endian;
  uint8_t charset_family;
  uint8_t character_bytes;
  uint8_t reserved_byte;
  uint8_t format[4];
  uint8_t format_version[4];
  uint8_t data_version[4];
  uint8_t padding[8];
  uint32_t table_count;
};

// NB: hidden, so that Foundation as a shared library, in tests, keeps its own tables.
__attribute__((visibility("hidden"), aligned(16))) const struct empty_tables icudt76_dat = {
    .header_bytes = 32,
    .magic = {0xDA, 0x27},
    .info_bytes = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .character_bytes = 2,
    .format = {'C', 'm', 'n', 'D'},
    .format_version = {1, 0, 0, 0},
    .table_count = 0,
};
