// The drafts: texts of this account that are not saved, from all tabs and also those of earlier ones.

import { drafts } from "./drafts.js";
import { button, element, stateView } from "./elements.js";
import { reportFailure } from "./failure.js";
import { ReadingPlace } from "./reading-place.js";
import { go } from "./route.js";
import { draftTexts } from "./draft-texts.js";
import { formats, text } from "./texts.js";
import { announce } from "./toasts.js";

/** Lists the drafts, continues them and discards them. */
export default class DraftsPlace extends ReadingPlace {
  #listeners = new AbortController();

  constructor(place) {
    super(place);
    drafts.addEventListener("changed", () => this.draw(drafts.all), { signal: this.#listeners.signal });
  }

  close() {
    super.close();
    this.#listeners.abort();
  }

  async read() {
    await drafts.refresh();
    return drafts.all;
  }

  draw(all) {
    this.place.present(
      all.length
        ? element(
          "div", { class: "place-column" }, element("p", { class: "place-intro", text: text("drafts.intro") }),
          element("ul", { class: "cards" }, ...all.map((draft) => this.#row(draft))))
        : stateView({ picture: "check", title: text("drafts.none"), sentence: text("drafts.none.hint") }), {
        note: all.length ? text("drafts.count", { count: all.length }) : "", tools: [],
      });
  }

  #row(draft) {
    const name = draftName(draft);
    const facts = [
      formats.shortMoment(draft.changed), drafts.isOpen(draft) ? text("drafts.open") : null, draft.isHere ? text("drafts.here") : null,
    ].filter(Boolean);
    return element(
      "li", { class: "card-row draft-row", data: { id: draft.id } },
      element(
        "div", { class: "row-texts" }, element("span", { class: "row-name", dir: "auto", text: name }),
        element("span", { class: "row-second", text: facts.join(" · ") }),
        element("p", { class: "draft-text", dir: "auto", text: draftTexts(draft).slice(0, 600) })),
      button(text("draft.continue"), () => this.#continue(draft), "", {
        "aria-label": text("draft.continue.one", { name }), data: { key: `continue/${draft.id}` },
      }),
      button(text("draft.discard.short"), () => this.#discard(draft), "quiet", {
        "aria-label": text("draft.discard.one", { name }), data: { key: `discard/${draft.id}` },
      }));
  }

  async #continue(shown) {
    await drafts.refresh();
    const draft = drafts.all.find(({ id }) => id === shown.id);
    // It was saved or discarded elsewhere; the list shows it.
    if (!draft) return;
    drafts.choose(draft);
    const { kind, target } = draft;
    if (kind === "contact" && target === null) go({ mode: "new", place: null, item: null, contact: null });
    else if (kind === "contact") go({ mode: "edit", place: null, item: null, contact: target });
    else {
      const [, place, item] = draft.address.split("/");
      this.place.navigate.place(place, item ?? null);
    }
  }

  async #discard(draft) {
    try {
      await drafts.discard(draft);
      announce(text("draft.discarded"));
    } catch (error) {
      reportFailure(error);
    }
    await this.refresh();
  }
}

/** “Changes of Ada Lovelace”, “New contact”, “Comment on …”. */
function draftName({ kind, target, title }) {
  if (kind === "contact" && target === null) return title ? text("draft.name.new", { name: title }) : text("contact.new");
  if (kind === "post") return text("post.new");
  return text(`draft.name.${kind}`, { name: title || text("contact.unnamed") });
}
