// The texts of a form, next to the contact that they started from. A draft knows what the user has changed, takes
// over what other devices change, and is written to the agent as the user types.

import { DraftWriter } from "./draft-writer.js";
import { entryLists, lineFields, textFields } from "./fields.js";

/**
 * A draft. Texts have the paths of the agent's error messages: `firstName`, `phones/ENTRY/value`,
 * `addresses/ENTRY/city`. The entries that the user adds are `new-1` and so on.
 */
export class Draft {
  /** A draft that continues a stored one. */
  static continuing(stored) {
    const { target, version, base, texts } = stored;
    return new Draft({ id: target, version: version ?? undefined, base: { ...base }, mine: { ...texts }, stored });
  }

  /** A draft of `contact`; without one, of a new contact in `group`. */
  static of(contact, group) {
    const base = contact ? flatten(contact) : { group };
    return new Draft({ id: contact?.id ?? null, version: contact?.version, base, mine: { ...base } });
  }

  constructor({ id, version, base, mine, stored = null }) {
    Object.assign(this, { id, version, base, mine });
    this.writer = new DraftWriter({ kind: "contact", target: id, continued: stored });
  }

  /** Whether a save adds a contact: a new one, or one that is gone from the trash too. */
  get isNew() { return this.version === undefined; }

  get changed() { return Object.keys(this.body()).length > 0; }

  text(path) { return this.mine[path] ?? ""; }

  set(path, value) {
    this.mine[path] = value;
    this.#store();
  }

  /** The ids of the entries of a list, in order. */
  entries(list) {
    return [...new Set(Object.keys(this.mine).filter((path) => path.startsWith(`${list}/`)).map((path) => path.split("/")[1]))];
  }

  /** Adds an empty entry and returns its id. */
  addEntry(list, label) {
    const numbers = this.entries(list).map((used) => Number(/^new-(\d+)$/.exec(used)?.[1] ?? 0));
    const id = `new-${Math.max(0, ...numbers) + 1}`;
    for (const part of ["label", ...entryLists[list]]) this.mine[`${list}/${id}/${part}`] = part === "label" ? label : "";
    this.#store();
    return id;
  }

  removeEntry(list, id) {
    for (const path of Object.keys(this.mine)) if (path.startsWith(`${list}/${id}/`)) delete this.mine[path];
    this.#store();
  }

  /** What a save sends: only what the user has changed. */
  body() {
    const body = {};
    for (const field of [...textFields, "emergency", "group"]) {
      const value = this.text(field);
      if (value === (this.base[field] ?? "")) continue;
      if (field === "emergency") body[field] = value === "yes";
      else if (lineFields.includes(field)) body[field] = value.split("\n").map((line) => line.trim()).filter(Boolean);
      else body[field] = value;
    }
    for (const [list, parts] of Object.entries(entryLists)) {
      const changes = this.#entryChanges(list, parts);
      if (changes.length) body[list] = changes;
    }
    if (this.isNew && Object.keys(body).length && this.mine.group) body.group = this.mine.group;
    return body;
  }

  /** Makes this a draft of a contact to add: the one that it started from is gone. The draft of another new contact stays. */
  becomeNew() {
    Object.assign(this, { version: undefined, base: { group: this.mine.group } });
    this.#store();
  }

  /**
   * A key for what is sent, the same if the same body of this draft is sent again, also by another tab, so that a repeated
   * request adds a contact once.
   */
  keyOf(body) { return digest(JSON.stringify([this.writer.root, this.version ?? null, body])); }

  /** The texts were saved or discarded. */
  remove() { return this.writer.remove(); }

  /** The form is left, and the draft stays. */
  close() { this.writer.close(); }

  /**
   * Takes over what another device has changed, except where the user has typed something else. Returns the paths of
   * both kinds: `taken`, and `differing` with the other device's texts. `moved` has the new ids of entries by `LIST/ID`.
   * A change wins over a removal: an entry comes back if one side has removed it and the other has changed it.
   */
  merge(contact) {
    const theirs = flatten(contact), taken = [], differing = {};
    for (const path of new Set([...Object.keys(this.base), ...Object.keys(theirs)])) {
      if (theirs[path] === this.base[path]) continue;
      if (this.mine[path] === this.base[path]) {
        if (theirs[path] === undefined) delete this.mine[path]; else this.mine[path] = theirs[path];
        taken.push(path);
      } else if (this.mine[path] !== theirs[path] && this.mine[path] !== undefined) {
        differing[path] = theirs[path] ?? "";
      }
    }
    taken.push(...this.#takeBack(theirs));
    const before = this.base;
    this.base = theirs;
    this.version = contact.version;
    const moved = this.#restoreRemoved(before);
    this.#store();
    return { taken, differing: renamed(differing, moved), moved };
  }

  /** Takes back the entries that the user has removed and another device has changed. Returns their paths. */
  #takeBack(theirs) {
    const changed = Object.keys(theirs).filter((path) =>
      path.includes("/") && path in this.base && !(path in this.mine) && theirs[path] !== this.base[path]);
    const entries = new Set(changed.map(entryOf));
    const back = Object.keys(theirs).filter((path) => path.includes("/") && entries.has(entryOf(path)));
    for (const path of back) this.mine[path] = theirs[path];
    return back;
  }

  /** An entry that another device removed while the user changed it becomes a new entry with all that the form shows. */
  #restoreRemoved(before) {
    const moved = {};
    for (const list of Object.keys(entryLists)) {
      for (const id of this.entries(list)) {
        if (id.startsWith("new-") || `${list}/${id}/label` in this.base) continue;
        const added = this.addEntry(list, "");
        for (const [path, value] of Object.entries({ ...before, ...this.mine })) {
          if (entryOf(path) === `${list}/${id}`) this.mine[`${list}/${added}/${path.split("/")[2]}`] = value;
        }
        this.removeEntry(list, id);
        moved[`${list}/${id}`] = added;
      }
    }
    return moved;
  }

  #entryChanges(list, parts) {
    const changes = [];
    const kept = new Set(this.entries(list));
    const known = new Set(Object.keys(this.base).filter((path) => path.startsWith(`${list}/`)).map((path) => path.split("/")[1]));
    for (const id of known) if (!kept.has(id) || this.#isEmpty(list, id, parts)) changes.push({ id, removed: true });
    for (const id of kept) {
      if (this.#isEmpty(list, id, parts)) continue;
      const change = known.has(id) ? { id } : {};
      for (const part of ["label", ...parts]) {
        const path = `${list}/${id}/${part}`;
        if (this.text(path) !== (this.base[path] ?? "")) change[part] = this.text(path);
      }
      if (Object.keys(change).some((name) => name !== "id")) changes.push(change);
    }
    return changes;
  }

  #isEmpty(list, id, parts) { return parts.every((part) => this.text(`${list}/${id}/${part}`).trim() === ""); }

  /** What the user has not changed needs no draft: the contact has it. */
  #store() {
    if (!this.changed) return this.writer.clear();
    this.writer.write({
      title: this.#title(), address: this.id === null ? "/new" : `/contact/${this.id}/edit`, version: this.version ?? null,
      base: this.base, texts: this.mine,
    });
  }

  /** What the list of drafts calls the contact. */
  #title() {
    const name = [this.text("firstName"), this.text("lastName")].filter(Boolean).join(" ");
    return (name || this.text("company")).slice(0, 200);
  }
}

/** The beginning of the path of an entry's part: `phones/ENTRY`. */
const entryOf = (path) => path.split("/").slice(0, 2).join("/");

/** Gives the paths of moved entries their new ids. */
const renamed = (texts, moved) => Object.fromEntries(Object.entries(texts).map(([path, value]) => {
  const [list, , part] = path.split("/");
  return [entryOf(path) in moved ? `${list}/${moved[entryOf(path)]}/${part}` : path, value];
}));

async function digest(sent) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sent));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function flatten(contact) {
  const texts = { group: contact.group, emergency: contact.emergency ? "yes" : "" };
  for (const field of textFields) {
    const value = contact[field] ?? "";
    texts[field] = Array.isArray(value) ? value.join("\n") : value;
  }
  for (const [list, parts] of Object.entries(entryLists)) {
    for (const entry of contact[list] ?? []) {
      for (const part of ["label", ...parts]) texts[`${list}/${entry.id}/${part}`] = entry[part] ?? "";
    }
  }
  return texts;
}
