// What a contact will have after a merge, as the agent does it: lists are combined, and of a property with one value
// the value of the contact that stays is kept. The other one moves to the note or to the dates.

import { addressLines, entryLists, lineFields, textFields } from "./fields.js";

// The agent's words in the note, whatever the language of the page.
const nouns = {
  displayName: "display name", namePrefix: "name prefix", firstName: "first name", middleName: "middle name", lastName: "last name",
  nameSuffix: "name suffix", phoneticFirstName: "phonetic first name", phoneticMiddleName: "phonetic middle name",
  phoneticLastName: "phonetic last name",
};

const alike = (one, other) => fold(one) === fold(other);
const fold = (value) => value.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

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

/** The lines that `kept` has after it was merged with `given`, and the texts that move: `{ lines, moved }`. */
export function merged(kept, given) {
  const lines = new Map(linesOf(kept)), moved = [];
  const notes = [];
  for (const [field, theirs] of linesOf(given)) {
    const mine = lines.get(field);
    if (!mine) lines.set(field, theirs);
    else if (lineFields.includes(field) || field in entryLists) lines.set(field, union(mine, theirs));
    else if (!alike(mine[0], theirs[0])) moveText(field, mine[0], theirs[0]);
  }
  for (const line of notes) lines.set("note", [...(lines.get("note") ?? []), line]);
  return { lines: inOrder(lines), moved };

  function moveText(field, mine, theirs) {
    if (field === "note" || field === "nickname") {
      if (!mine.includes(theirs)) lines.set(field, [mine, theirs]);
      return;
    }
    const isDate = field === "birthday" || field === "anniversary";
    if (isDate) lines.set("dates", [...(lines.get("dates") ?? []), theirs]);
    else notes.push(`${nouns[field] ?? field}: ${theirs}`);
    moved.push({ field, value: theirs, to: isDate ? "dates" : "note" });
  }
}

/** Whether two lines are the same value, also phones in another notation. */
export const isSame = (one, other) => alike(digits(one), digits(other));
const digits = (value) => (/^[+\d\s().-]+$/.test(value) ? value.replace(/[^\d+]/g, "") : value);

const union = (mine, theirs) => [...mine, ...theirs.filter((value) => !mine.some((own) => isSame(own, value)))];

function inOrder(lines) {
  return [...textFields, ...Object.keys(entryLists)].filter((field) => lines.has(field)).map((field) => [field, lines.get(field)]);
}
