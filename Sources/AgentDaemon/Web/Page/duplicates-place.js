// Contacts that are probably the same, and merging two of them.

import { avatar } from "./avatar.js";
import { call, read } from "./api.js";
import { button, element, stateView } from "./elements.js";
import { reportFailure } from "./failure.js";
import { fieldName } from "./fields.js";
import { isSame, linesOf } from "./merged-contact.js";
import { ReadingPlace } from "./reading-place.js";
import { formats, hasText, text } from "./texts.js";
import { offerUndo } from "./undo.js";

// A search in a large address book takes seconds, so it does not follow each change.
const slowMilliseconds = 400;

/** Lists pairs of contacts with the reasons; the address names the pair that is compared, `ID+ID`. */
export default class DuplicatesPlace extends ReadingPlace {
  #pairs = null;
  #isSlow = false;
  // Which of the two contacts stays.
  #kept = null;

  async show(item) {
    this.#kept = null;
    await super.show(item);
    if (item) this.place.content.querySelector("input")?.focus({ preventScroll: true });
  }

  async read() {
    if (this.item) {
      const [one, other] = this.item.split("+");
      const [results, ...contacts] = await Promise.all([previews(one, other), read(`contacts/${one}`), read(`contacts/${other}`)]);
      return { contacts, results, reasons: this.#pairs?.find((pair) => keyOf(pair) === this.item)?.reasons ?? [] };
    }
    if (!this.#pairs || !this.#isSlow) await this.#search();
    return null;
  }

  async #search() {
    const start = performance.now();
    this.#pairs = (await read("duplicates")).duplicates;
    this.#isSlow = performance.now() - start > slowMilliseconds;
  }

  draw(pair) {
    if (pair) this.#compare(pair);
    else this.#list();
  }

  #list() {
    const pairs = this.#pairs;
    this.place.present(
      pairs.length
        ? element("ul", { class: "cards" }, ...pairs.map((pair) => this.#row(pair)))
        : stateView({ picture: "check", title: text("duplicates.none"), sentence: text("duplicates.none.hint") }), {
        note: pairs.length ? text("duplicates.count", { count: pairs.length }) : "",
        tools: [button(text("duplicates.again"), () => this.#searchAgain(), "", { data: { key: "again" } })],
      });
  }

  async #searchAgain() {
    this.#pairs = null;
    await this.refresh();
  }

  #row(pair) {
    const [one, other] = pair.contacts;
    const names = one.name === other.name ? one.name : `${one.name} · ${other.name}`;
    return element(
      "li", { class: "card-row" }, element("span", { class: "avatars" }, avatar(one), avatar(other)),
      element(
        "div", { class: "row-texts" }, element("span", { class: "row-name", dir: "auto", text: names }),
        element("span", { class: "row-second", dir: "auto", text: reasonSentence(pair.reasons) })),
      button(text("duplicates.compare"), () => this.place.navigate.place("duplicates", keyOf(pair)), "", {
        "aria-label": text("duplicates.compare.of", { names }), data: { key: `compare/${keyOf(pair)}` },
      }));
  }

  #compare({ contacts, results, reasons }) {
    this.#kept ??= contacts[0].id;
    const kept = contacts.find(({ id }) => id === this.#kept) ?? contacts[0];
    const given = contacts.find((contact) => contact !== kept);
    this.place.present(
      element(
        "div", { class: "place-column wide" },
        reasons.length ? element("p", { class: "place-intro", dir: "auto", text: reasonSentence(reasons) }) : null,
        element(
          "fieldset", { class: "pair" }, element("legend", { class: "visually-hidden", text: text("duplicates.stays") }),
          ...contacts.map((contact) => this.#side(contact, contact === kept, { contacts, results }))),
        this.#result(kept, given, results.get(kept.id))), {
        note: text("duplicates.compare"), tools: [],
      });
  }

  #side(contact, isKept, { contacts, results }) {
    const common = commonLines(contact, contacts.find((other) => other !== contact));
    const choice = element("input", {
      type: "radio", name: "kept", value: contact.id, checked: isKept, data: { key: `kept/${contact.id}` },
      on: { change: () => { this.#kept = contact.id; this.#compare({ contacts, results, reasons: this.#reasons() }); } },
    });
    const group = this.place.groups().find(({ id }) => id === contact.group);
    return element(
      "div", { class: isKept ? "side kept" : "side" },
      element(
        "label", { class: "side-heading" }, choice, avatar(contact),
        element(
          "span", { class: "row-texts" }, element("span", { class: "row-name", dir: "auto", text: contact.name || text("contact.unnamed") }),
          element("span", { class: "row-second", dir: "auto", text: [text(isKept ? "duplicates.kept" : "duplicates.given"), group?.title].filter(Boolean).join(" · ") }))),
      lineList(linesOf(contact), (field, line) => !common.has(`${field}/${line}`)));
  }

  #reasons() { return this.#pairs?.find((pair) => keyOf(pair) === this.item)?.reasons ?? []; }

  #result(kept, given, { contact, moved }) {
    const isWritable = this.place.groups().filter(({ id }) => [kept.group, given.group].includes(id)).every(({ writable }) => writable);
    return element(
      "section", { class: "panel", "aria-labelledby": "merged-title" },
      element("header", { class: "panel-heading" }, avatar(kept), element("h3", { id: "merged-title", text: text("duplicates.result") })),
      lineList(linesOf(contact)),
      ...moved.map(({ field, other, to }) => element("p", {
        class: "hint", dir: "auto", text: text("duplicates.moved", { field: fieldName(field), value: other, to: fieldName(to) }),
      })),
      given.photo && kept.photo && given.photo.digest !== kept.photo.digest
        ? element("p", { class: "hint", text: text("duplicates.photo") }) : null,
      isWritable ? null : element("p", { class: "problem", text: text("duplicates.readonly") }),
      element(
        "div", { class: "form-actions" },
        button(text("duplicates.merge"), () => this.#merge(kept, given), "primary", { data: { key: "merge" }, disabled: !isWritable }),
        button(text("duplicates.later"), () => this.place.navigate.up(), "", { data: { key: "later" } })));
  }

  async #merge(kept, given) {
    try {
      const { headers } = await call("POST", `contacts/${kept.id}/merge`, { body: { with: given.id }, key: crypto.randomUUID() });
      this.#pairs = this.#pairs?.filter(({ contacts }) => !contacts.some(({ id }) => id === given.id)) ?? null;
      offerUndo(text("duplicates.merged", { name: kept.name }), headers.get("Undo-Action"), () => this.#searchAgain());
      this.place.navigate.up();
    } catch (error) {
      reportFailure(error);
    }
  }
}

/** What the agent says each of two contacts will have if it stays, by its id. */
async function previews(one, other) {
  const results = await Promise.all([[one, other], [other, one]].map(async ([kept, given]) => {
    const { data } = await call("POST", `contacts/${kept}/merge`, { query: { dryRun: "true" }, body: { with: given } });
    return data;
  }));
  return new Map(results.map((result) => [result.id, result]));
}

const keyOf = ({ contacts }) => contacts.map(({ id }) => id).join("+");

function reasonSentence(reasons) {
  return reasons.map(({ fact, value }) => {
    const noun = hasText(`fact.${fact}`) ? text(`fact.${fact}`) : fact;
    return fact === "uid" ? noun : text("duplicates.reason", { noun, value: fact === "birthday" ? formats.day(value) : value });
  }).join(" · ");
}

/** The lines of `one` that `other` has too. */
function commonLines(one, other) {
  const others = new Map(linesOf(other));
  return new Set([...linesOf(one)].flatMap(([field, lines]) =>
    lines.filter((line) => others.get(field)?.some((theirs) => isSame(field, line, theirs))).map((line) => `${field}/${line}`)));
}

/** The values of a contact; those for which `isSpecial` is true are marked, because the other contact lacks them. */
function lineList(fields, isSpecial = () => false) {
  return element("dl", { class: "lines" }, ...[...fields].map(([field, lines]) => element(
    "div", {}, element("dt", { text: fieldName(field) }),
    ...lines.map((line) => element(
      "dd", { class: isSpecial(field, line) ? "special" : null, dir: "auto" }, formats.day(line.length > 300 ? `${line.slice(0, 300)}…` : line),
      isSpecial(field, line) ? element("span", { class: "visually-hidden", text: ` ${text("duplicates.only")}` }) : null)))));
}
