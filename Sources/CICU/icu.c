#include "include/icu.h"

#include <stdbool.h>
#include <unicode/ucol.h>
#include <unicode/uloc.h>
#include <unicode/ulocdata.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>
#include <unicode/uversion.h>

_Static_assert(ICU_SCRIPT_COMMON == (int32_t)USCRIPT_COMMON, "common");
_Static_assert(ICU_SCRIPT_INHERITED == (int32_t)USCRIPT_INHERITED, "inherited");
_Static_assert(ICU_SCRIPT_HAN == (int32_t)USCRIPT_HAN, "Han");
_Static_assert(ICU_SCRIPT_HIRAGANA == (int32_t)USCRIPT_HIRAGANA, "Hiragana");
_Static_assert(ICU_SCRIPT_KATAKANA == (int32_t)USCRIPT_KATAKANA, "Katakana");
_Static_assert(ICU_SCRIPT_LATIN == (int32_t)USCRIPT_LATIN, "Latin");

static int32_t length_unless_failed(int32_t length, UErrorCode status) {
  return U_SUCCESS(status) ? length : -1;
}

void icu_get_version(uint8_t version[4]) {
  u_getVersion(version);
}

int32_t icu_fold_case(const uint16_t *text, int32_t length, uint16_t *result, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t count = u_strFoldCase(result, capacity, text, length, U_FOLD_CASE_DEFAULT, &status);
  return length_unless_failed(count, status);
}

int32_t icu_decompose(const uint16_t *text, int32_t length, uint16_t *result, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *normalizer = unorm2_getNFKDInstance(&status);
  int32_t count = unorm2_normalize(normalizer, text, length, result, capacity, &status);
  return length_unless_failed(count, status);
}

int32_t icu_decompose_scalar(uint32_t scalar, uint16_t *result, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *normalizer = unorm2_getNFDInstance(&status);
  int32_t count = unorm2_getDecomposition(normalizer, (UChar32)scalar, result, capacity, &status);
  return length_unless_failed(count, status);
}

int32_t icu_get_script(uint32_t scalar) {
  UErrorCode status = U_ZERO_ERROR;
  return (int32_t)uscript_getScript((UChar32)scalar, &status);
}

icu_collator *icu_open_collator(const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  UCollator *collator = ucol_open(locale, &status);
  // “Unit 9” comes before “Unit 10”.
  if (collator != NULL) ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status);
  return (icu_collator *)collator;
}

void icu_close_collator(icu_collator *collator) {
  ucol_close((UCollator *)collator);
}

void icu_get_collator_version(const icu_collator *collator, uint8_t version[4]) {
  ucol_getVersion((const UCollator *)collator, version);
}

const char *icu_get_rules_locale(const icu_collator *collator) {
  UErrorCode status = U_ZERO_ERROR;
  return ucol_getLocaleByType((const UCollator *)collator, ULOC_ACTUAL_LOCALE, &status);
}

int32_t icu_get_sort_key(
    const icu_collator *collator, const uint16_t *text, int32_t length, uint8_t *result, int32_t capacity) {
  return ucol_getSortKey((const UCollator *)collator, text, length, result, capacity);
}

icu_set *icu_copy_contractions(const icu_collator *collator) {
  UErrorCode status = U_ZERO_ERROR;
  USet *set = uset_openEmpty();
  if (set == NULL) return NULL;
  ucol_getContractionsAndExpansions((const UCollator *)collator, set, NULL, false, &status);
  return (icu_set *)set;
}

icu_set *icu_copy_index_letters(const char *language) {
  UErrorCode status = U_ZERO_ERROR;
  ULocaleData *data = ulocdata_open(language, &status);
  if (data == NULL) return NULL;
  USet *set = NULL;
  // Without index letters of its own, a language would get those of the system's default.
  if (language[0] != 0 && status != U_USING_DEFAULT_WARNING) {
    set = ulocdata_getExemplarSet(data, NULL, 0, ULOCDATA_ES_INDEX, &status);
  }
  ulocdata_close(data);
  return (icu_set *)set;
}

void icu_close_set(icu_set *set) {
  uset_close((USet *)set);
}

int32_t icu_get_item_count(const icu_set *set) {
  return uset_getItemCount((const USet *)set);
}

int32_t icu_get_item(
    const icu_set *set, int32_t index, uint32_t *first, uint32_t *last, uint16_t *text, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UChar32 start = 0, end = 0;
  int32_t count = uset_getItem((const USet *)set, index, &start, &end, text, capacity, &status);
  *first = (uint32_t)start;
  *last = (uint32_t)end;
  return length_unless_failed(count, status);
}

icu_transliterator *icu_open_transliterator(const uint16_t *name, int32_t length) {
  UErrorCode status = U_ZERO_ERROR;
  UParseError error;
  return (icu_transliterator *)utrans_openU(name, length, UTRANS_FORWARD, NULL, 0, &error, &status);
}

int32_t icu_transliterate(
    icu_transliterator *transliterator, uint16_t *text, int32_t length, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t limit = length;
  utrans_transUChars((UTransliterator *)transliterator, text, &length, capacity, 0, &limit, &status);
  return length_unless_failed(length, status);
}

int32_t icu_get_identifier(const char *tag, char *result, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  return length_unless_failed(uloc_forLanguageTag(tag, result, capacity, NULL, &status), status);
}

int32_t icu_get_tag(const char *identifier, char *result, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  return length_unless_failed(uloc_toLanguageTag(identifier, result, capacity, false, &status), status);
}

int32_t icu_get_language(const char *identifier, char *result, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  return length_unless_failed(uloc_getLanguage(identifier, result, capacity, &status), status);
}
