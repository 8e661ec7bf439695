// The functions of the system's ICU that Collation uses. The types are this header's own: a program that also
// loads Foundation's copy of ICU as a module would otherwise see each of ICU's types defined twice.
#pragma once

#include <stdint.h>

typedef struct icu_collator icu_collator;
typedef struct icu_set icu_set;
typedef struct icu_transliterator icu_transliterator;

// Scripts of ISO 15924 by ICU's numbers.
#define ICU_SCRIPT_COMMON 0
#define ICU_SCRIPT_INHERITED 1
#define ICU_SCRIPT_HAN 17
#define ICU_SCRIPT_HIRAGANA 20
#define ICU_SCRIPT_KATAKANA 22
#define ICU_SCRIPT_LATIN 25

void icu_get_version(uint8_t version[4]);

// Texts are UTF-16. Functions that write one return its length, or -1 where they fail.

int32_t icu_fold_case(const uint16_t *text, int32_t length, uint16_t *result, int32_t capacity);

// Writes the compatibility decomposition, NFKD.
int32_t icu_decompose(const uint16_t *text, int32_t length, uint16_t *result, int32_t capacity);

// Writes the canonical decomposition of one scalar; -1 also where it has none.
int32_t icu_decompose_scalar(uint32_t scalar, uint16_t *result, int32_t capacity);

int32_t icu_get_script(uint32_t scalar);

// Opens the collator of a locale that compares digits as numbers; NULL where it fails.
icu_collator *icu_open_collator(const char *locale);
void icu_close_collator(icu_collator *collator);
void icu_get_collator_version(const icu_collator *collator, uint8_t version[4]);

// The locale whose rules the collator has; NULL where that is unknown. It lives as long as the collator.
const char *icu_get_rules_locale(const icu_collator *collator);

// Writes a key that ends with a zero, and returns the bytes it needs: more than `capacity` where it did not fit.
int32_t icu_get_sort_key(
    const icu_collator *collator, const uint16_t *text, int32_t length, uint8_t *result, int32_t capacity);

// Return a set to be closed, or NULL: the strings of several characters with rules of their own, and the index
// letters that a language defines itself.
icu_set *icu_copy_contractions(const icu_collator *collator);
icu_set *icu_copy_index_letters(const char *language);

void icu_close_set(icu_set *set);
int32_t icu_get_item_count(const icu_set *set);

// Returns 0 for a range from `first` to `last`, the length for a string that was written to `text`, or -1.
int32_t icu_get_item(
    const icu_set *set, int32_t index, uint32_t *first, uint32_t *last, uint16_t *text, int32_t capacity);

icu_transliterator *icu_open_transliterator(const uint16_t *name, int32_t length);

// Replaces the text, and returns the new length.
int32_t icu_transliterate(
    icu_transliterator *transliterator, uint16_t *text, int32_t length, int32_t capacity);

// Names of languages: an identifier of ICU for a BCP 47 tag, the tag, and the code of the language alone.
int32_t icu_get_identifier(const char *tag, char *result, int32_t capacity);
int32_t icu_get_tag(const char *identifier, char *result, int32_t capacity);
int32_t icu_get_language(const char *identifier, char *result, int32_t capacity);
