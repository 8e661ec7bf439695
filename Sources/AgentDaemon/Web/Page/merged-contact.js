// The lines of two contacts that may be merged. What the merged one has, the agent says.

import { addressLines, entryLists, textFields } from "./fields.js";

// How many digits at the end make two phone numbers the same, as the agent compares them.
const [fewestDigits, comparedDigits] = [7, 9];

/** One line of an entry of a list. */
const entryText = (list, entry) => (entryLists[list].length > 1 ? addressLines(entry).join(", ") : entry.value);

/** The values of a contact by field, each as lines: `[field, lines]`. */
export function* linesOf(contact) {
  for (const field of textFields) {
    const value = contact[field];
    if (Array.isArray(value) ? value.length : value) yield [field, [value].flat()];
  }
  for (const list of Object.keys(entryLists)) {
    const lines = (contact[list] ?? []).map((entry) => entryText(list, entry)).filter(Boolean);
    if (lines.length) yield [list, lines];
  }
}

/** Whether two lines of a field are the same value, also phones in another notation. */
export const isSame = (field, one, other) => comparable(field, one) === comparable(field, other);

function comparable(field, value) {
  const digits = field === "phones" ? value.replace(/\P{Nd}/gu, "") : "";
  if (digits.length >= fewestDigits) return digits.slice(-comparedDigits);
  return value.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
