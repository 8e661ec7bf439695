// The contacts of a list, loaded in pages as the list is scrolled to them.

import { read } from "./api.js";
import { firstContacts } from "./favorites.js";
import { text } from "./texts.js";

const pageLength = 100;
// A jump far into a long section skips contacts with the longest pages that the agent sends.
const longestPage = 1000;

/**
 * The contacts of one list or one search, by position.
 *
 * A list begins with the user's own card and the favorites, which are also in their sections further down. The
 * positions of the agent, which are in its cursors, do not count these first rows.
 *
 * A list has sections with the number of contacts in each, so that every row has its place before it is loaded.
 * A search has none; its length grows as its pages arrive.
 */
export class ContactPages {
  sections = [];
  total = 0;
  /** How many contacts there are: the first rows of a list are counted once. */
  get count() { return this.total - this.#first.length; }
  /** Whether `total` is the length of the whole list. */
  complete = false;
  // The user's own card and the favorites.
  #first = [];
  #contacts = new Map();
  #cursors = new Map([[0, null]]);
  #loads = new Map();
  #abort = new AbortController();

  /** With `begin`, the list begins with these contacts, as `firstContacts()` has returned them; otherwise it reads what is known. */
  constructor({ group = null, sort = "last", query = "" }, begin = null) {
    this.filter = { group, sort, query };
    this.begin = begin;
  }

  /** Whether the list begins with the user's own card and the favorites. */
  get hasFirst() { return this.filter.query === "" && this.filter.sort !== "modified"; }

  /** Loads the sections, and the pages with the contacts from `first` to `last`. */
  async open(first = 0, last = 20) {
    const { group, sort } = this.filter;
    if (this.hasFirst) {
      const page = first === 0 ? this.#page(0, pageLength) : null;
      page?.catch(() => {}); // If both reads fail, the error of the first one is reported.
      const [reply, begin] = await Promise.all([
        read("sections", { group, sort }, this.#abort.signal), 
        // The list does not wait for the broker, which knows the user's name.
        this.begin ?? firstContacts({ group, sort }, this.#abort.signal, { waits: false }),
      ]);
      this.begin = begin;
      for (const section of reply.sections) this.#cursors.set(section.start, section.cursor);
      this.#begin(begin, reply.sections);
      this.complete = true;
      await page;
    }
    await this.load(Math.min(first, Math.max(this.total - 1, 0)));
    if (this.contact(last) === undefined && last < this.total) await this.load(last);
  }

  /** Stops all loading: another list has replaced this one. */
  close() { this.#abort.abort(); }

  contact(index) { return this.#first[index] ?? this.#contacts.get(index - this.#first.length); }

  /** The positions of a contact among those that are loaded. A favorite has two. */
  positions(id) {
    const found = this.#first.findIndex((contact) => contact.id === id);
    const positions = found < 0 ? [] : [found];
    for (const [index, contact] of this.#contacts) if (contact.id === id) positions.push(index + this.#first.length);
    return positions;
  }

  /** Puts the first rows before the sections. */
  #begin({ own, favorites }, sections) {
    const begun = [["owncard", own], ["favorites", favorites]].filter(([, contacts]) => contacts.length);
    this.#first = begun.flatMap(([, contacts]) => contacts);
    let start = 0;
    this.sections = begun.map(([kind, contacts]) => {
      start += contacts.length;
      return { kind, label: text(kind), contacts: contacts.length, start: start - contacts.length };
    });
    for (const section of sections) this.sections.push({ ...section, start: section.start + this.#first.length });
    this.total = this.#first.length + sections.reduce((sum, section) => sum + section.contacts, 0);
  }

  /** Loads the page with the contact at `position`. */
  async load(position) {
    const index = Math.max(position - this.#first.length, 0);
    while (this.#contacts.get(index) === undefined && (!this.complete || position < this.total || index === 0)) {
      const start = this.#nearestCursor(index);
      const limit = index - start >= pageLength ? longestPage : pageLength;
      const loaded = await this.#page(start, limit);
      // The list has become shorter since its sections were read.
      if (loaded === 0 || (this.#contacts.get(index) === undefined && this.#nearestCursor(index) === start)) return;
    }
  }

  /** Looks for a contact in the pages of its section. Returns its position, or -1 if it is not near the beginning. */
  async find({ id, sectionKey }) {
    const section = this.sections.find(({ label, kind }) => label === sectionKey && !kind);
    const start = section?.start ?? 0, length = Math.min(section?.contacts ?? 0, longestPage);
    for (let index = start; index < start + length && this.positions(id).length === 0; index += pageLength) await this.load(index);
    return this.positions(id)[0] ?? -1;
  }

  #nearestCursor(index) {
    let nearest = 0;
    for (const start of this.#cursors.keys()) if (start <= index && start > nearest) nearest = start;
    return nearest;
  }

  #page(start, limit) {
    if (!this.#loads.has(start)) {
      this.#loads.set(start, this.#fetch(start, limit).finally(() => this.#loads.delete(start)));
    }
    return this.#loads.get(start);
  }

  async #fetch(start, limit) {
    const { group, sort, query } = this.filter;
    const reply = await read(
      "contacts", { group, sort, q: query, limit, cursor: this.#cursors.get(start) }, this.#abort.signal);
    reply.contacts.forEach((contact, offset) => this.#contacts.set(start + offset, contact));
    const end = start + reply.contacts.length;
    if (reply.next) this.#cursors.set(end, reply.next);
    if (!this.complete) {
      this.total = Math.max(this.total, end + (reply.next ? pageLength : 0));
      if (!reply.next) {
        this.total = end;
        this.complete = true;
      }
    }
    return reply.contacts.length;
  }
}

/** Where each row of a list is, in pixels: headings of sections take room between the rows. */
export class RowLayout {
  constructor(pages, rowHeight, headingHeight) {
    Object.assign(this, { sections: pages.sections, total: pages.total, rowHeight, headingHeight });
  }

  get height() { return this.total * this.rowHeight + this.sections.length * this.headingHeight; }

  top(index) { return index * this.rowHeight + (this.sectionNumber(index) + 1) * this.headingHeight; }

  /** The position of the heading of section `number`. */
  headingTop(number) { return this.sections[number].start * this.rowHeight + number * this.headingHeight; }

  /** The row at a height; the first row of a section if its heading is there. */
  index(height) {
    let low = 0, high = this.sections.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.headingTop(middle) <= height) low = middle + 1; else high = middle;
    }
    const index = Math.floor((height - low * this.headingHeight) / this.rowHeight);
    const start = low > 0 ? this.sections[low - 1].start : 0;
    return Math.min(Math.max(index, start, 0), Math.max(this.total - 1, 0));
  }

  /** The number of the section that the row at `index` belongs to; -1 without sections. */
  sectionNumber(index) {
    let low = 0, high = this.sections.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sections[middle].start <= index) low = middle + 1; else high = middle;
    }
    return low - 1;
  }
}
