// ICU's names end with the version of the library, and macros hide that. Swift does not see macros with
// parameters, so each function has an inline one here.
#pragma once
#include <unicode/ucol.h>
#include <unicode/uloc.h>
#include <unicode/ulocdata.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>
#include <unicode/uversion.h>

static inline void icu_u_getVersion(UVersionInfo version) {
  u_getVersion(version);
}

static inline int32_t icu_u_strFoldCase(
    UChar *result, int32_t capacity, const UChar *text, int32_t length, uint32_t options, UErrorCode *status) {
  return u_strFoldCase(result, capacity, text, length, options, status);
}

static inline UCollator *icu_ucol_open(const char *locale, UErrorCode *status) {
  return ucol_open(locale, status);
}

static inline void icu_ucol_close(UCollator *collator) {
  ucol_close(collator);
}

static inline void icu_ucol_setAttribute(
    UCollator *collator, UColAttribute attribute, UColAttributeValue value, UErrorCode *status) {
  ucol_setAttribute(collator, attribute, value, status);
}

static inline void icu_ucol_getVersion(const UCollator *collator, UVersionInfo version) {
  ucol_getVersion(collator, version);
}

static inline const char *icu_ucol_getLocaleByType(
    const UCollator *collator, ULocDataLocaleType type, UErrorCode *status) {
  return ucol_getLocaleByType(collator, type, status);
}

static inline int32_t icu_ucol_getSortKey(
    const UCollator *collator, const UChar *text, int32_t length, uint8_t *result, int32_t capacity) {
  return ucol_getSortKey(collator, text, length, result, capacity);
}

static inline void icu_ucol_getContractionsAndExpansions(
    const UCollator *collator, USet *contractions, USet *expansions, UBool addsPrefixes, UErrorCode *status) {
  ucol_getContractionsAndExpansions(collator, contractions, expansions, addsPrefixes, status);
}

static inline int32_t icu_uloc_forLanguageTag(
    const char *tag, char *result, int32_t capacity, int32_t *parsedLength, UErrorCode *status) {
  return uloc_forLanguageTag(tag, result, capacity, parsedLength, status);
}

static inline int32_t icu_uloc_toLanguageTag(
    const char *locale, char *result, int32_t capacity, UBool isStrict, UErrorCode *status) {
  return uloc_toLanguageTag(locale, result, capacity, isStrict, status);
}

static inline int32_t icu_uloc_getLanguage(
    const char *locale, char *result, int32_t capacity, UErrorCode *status) {
  return uloc_getLanguage(locale, result, capacity, status);
}

static inline ULocaleData *icu_ulocdata_open(const char *locale, UErrorCode *status) {
  return ulocdata_open(locale, status);
}

static inline void icu_ulocdata_close(ULocaleData *data) {
  ulocdata_close(data);
}

static inline USet *icu_ulocdata_getExemplarSet(
    ULocaleData *data, USet *fillIn, uint32_t options, ULocaleDataExemplarSetType type, UErrorCode *status) {
  return ulocdata_getExemplarSet(data, fillIn, options, type, status);
}

static inline const UNormalizer2 *icu_unorm2_getNFDInstance(UErrorCode *status) {
  return unorm2_getNFDInstance(status);
}

static inline const UNormalizer2 *icu_unorm2_getNFKDInstance(UErrorCode *status) {
  return unorm2_getNFKDInstance(status);
}

static inline int32_t icu_unorm2_normalize(
    const UNormalizer2 *normalizer, const UChar *text, int32_t length, UChar *result, int32_t capacity,
    UErrorCode *status) {
  return unorm2_normalize(normalizer, text, length, result, capacity, status);
}

static inline int32_t icu_unorm2_getDecomposition(
    const UNormalizer2 *normalizer, UChar32 scalar, UChar *result, int32_t capacity, UErrorCode *status) {
  return unorm2_getDecomposition(normalizer, scalar, result, capacity, status);
}

static inline UScriptCode icu_uscript_getScript(UChar32 scalar, UErrorCode *status) {
  return uscript_getScript(scalar, status);
}

static inline USet *icu_uset_openEmpty(void) {
  return uset_openEmpty();
}

static inline void icu_uset_close(USet *set) {
  uset_close(set);
}

static inline int32_t icu_uset_getItemCount(const USet *set) {
  return uset_getItemCount(set);
}

static inline int32_t icu_uset_getItem(
    const USet *set, int32_t index, UChar32 *first, UChar32 *last, UChar *text, int32_t capacity,
    UErrorCode *status) {
  return uset_getItem(set, index, first, last, text, capacity, status);
}

static inline UTransliterator *icu_utrans_openU(
    const UChar *id, int32_t idLength, UTransDirection direction, const UChar *rules, int32_t rulesLength,
    UParseError *error, UErrorCode *status) {
  return utrans_openU(id, idLength, direction, rules, rulesLength, error, status);
}

static inline void icu_utrans_transUChars(
    const UTransliterator *transliterator, UChar *text, int32_t *length, int32_t capacity, int32_t start,
    int32_t *limit, UErrorCode *status) {
  utrans_transUChars(transliterator, text, length, capacity, start, limit, status);
}
