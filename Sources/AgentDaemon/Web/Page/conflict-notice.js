// The notice on the card of a contact that two devices have changed.

import { read } from "./api.js";
import { conflictSentence, conflictSubject } from "./conflict.js";
import { button, element, icon } from "./elements.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";

/** Shows the conflicts of a contact in `place`; none without any. `decide(id)` leads to the choice. */
export async function showConflicts(place, contact, { status, decide }) {
  const found = status?.conflicts ? await conflictsOf(contact) : [];
  const drawn = JSON.stringify(found);
  if (place.dataset.drawn === drawn) return;
  place.dataset.drawn = drawn;
  place.replaceChildren(...found.map((conflict, number) => element(
    "div", { class: "notice" }, icon("conflict"),
    element("p", { dir: "auto", text: text("conflicts.notice", { subject: conflictSubject(conflict), values: conflictSentence(conflict) }) }),
    number === 0 ? button(text("conflicts.decide"), () => decide(contact.id), "", { "aria-label": text("conflicts.decide") }) : null)));
}

async function conflictsOf({ id }) {
  try {
    return (await read("conflicts")).conflicts.filter(({ contact }) => contact === id);
  } catch (error) {
    if (!(error instanceof SessionEnded) && error.code === undefined) throw error;
    return []; // The status says why nothing can be read.
  }
}
