// The list of contacts. Only the rows near the visible part exist, whatever the length of the list.

import { avatar } from "./avatar.js";
import { element } from "./elements.js";
import { RowLayout } from "./pages.js";
import { text } from "./texts.js";

const rowHeight = 60;
const headingHeight = 28;
// Rows above and below the visible ones, so that scrolling does not show gaps.
const spareRows = 8;

/** The rows, the section headings and the keyboard of a list. */
export class ContactList {
  #pages = null;
  #layout = null;
  #rows = new Map();
  #headings = new Map();
  #active = -1;
  #selected = null;
  #frame = 0;

  /** `onSelect(contact)` follows the keyboard and the pointer; `onOpen(contact)` moves on to the card. */
  constructor({ onSelect, onOpen, onSection }) {
    Object.assign(this, { onSelect, onOpen, onSection });
    this.space = element("div", { class: "list-space", role: "presentation" });
    this.sticky = element("div", { class: "list-heading sticky", "aria-hidden": "true", hidden: true });
    this.node = element(
      "div",
      {
        id: "list-rows", class: "list-rows", role: "listbox", tabindex: "0", "aria-label": text("list.label"),
        on: {
          scroll: () => this.#schedule(), keydown: (event) => this.#pressed(event),
          click: (event) => this.#clicked(event), focus: () => this.#focused(),
        },
      },
      this.sticky, this.space);
    new ResizeObserver(() => this.#schedule()).observe(this.node);
  }

  get visibleRange() {
    if (!this.#layout) return [0, 20];
    const top = this.node.scrollTop;
    return [this.#layout.index(top), this.#layout.index(top + this.node.clientHeight)];
  }

  /** Shows `pages`. The scroll position stays unless `fromTop` is set. */
  show(pages, { fromTop = false } = {}) {
    this.#pages = pages;
    if (fromTop) {
      this.node.scrollTop = 0;
      this.#active = -1;
    }
    for (const heading of this.#headings.values()) heading.remove();
    this.#headings.clear();
    this.#measure();
    this.#draw();
    this.select(this.#selected);
  }

  /** Marks a contact as the selected one, and scrolls to it if `reveal` is set. */
  select(id, { reveal = false } = {}) {
    this.#selected = id;
    const positions = id && this.#pages ? this.#pages.positions(id) : [];
    // A favorite has two rows: the one that the user has come to stays the active one.
    if (positions.length && !positions.includes(this.#active)) [this.#active] = positions;
    if (positions.length && reveal) this.#reveal(this.#active);
    this.#mark();
  }

  /** Scrolls to the first contact of a section. */
  showSection(number) {
    this.node.scrollTop = this.#layout.headingTop(number);
    this.#active = this.#layout.sections[number].start;
    this.#draw();
    this.#mark();
  }

  #measure() {
    this.#layout = new RowLayout(this.#pages, rowHeight, headingHeight);
    this.space.style.height = `${this.#layout.height}px`;
  }

  #schedule() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
      this.#mark();
    });
  }

  #draw() {
    if (!this.#pages) return;
    const [top, bottom] = this.visibleRange;
    const first = Math.max(top - spareRows, 0);
    const last = Math.min(bottom + spareRows, this.#pages.total - 1);
    this.#removeOutside(first, last);
    let missing = -1;
    for (let index = first; index <= last; index += 1) {
      const contact = this.#pages.contact(index);
      if (!contact && missing < 0) missing = index;
      this.#drawRow(index, contact);
    }
    this.#drawHeadings(first, last);
    if (missing >= 0) this.#loadMissing(missing, last);
  }

  #removeOutside(first, last) {
    for (const [index, row] of this.#rows) {
      if (index < first || index > last) {
        row.remove();
        this.#rows.delete(index);
      }
    }
  }

  async #loadMissing(first, last) {
    const pages = this.#pages;
    try {
      await Promise.all([pages.load(first), pages.load(last)]);
    } catch {
      return; // The notice of a lost connection is shown already; the next event or scroll loads again.
    }
    if (pages !== this.#pages) return;
    if (this.#layout.total !== pages.total) this.#measure();
    this.#schedule();
  }

  #drawRow(index, contact) {
    const known = this.#rows.get(index);
    // A row that looks the same stays, so that its photo does not flicker.
    const same = known && sameRow(known.contact, contact);
    const row = same ? known
      : contact ? contactRow(contact) : element("div", { class: "row empty", "aria-hidden": "true" });
    row.contact = contact;
    row.dataset.index = index;
    row.style.transform = `translateY(${this.#layout.top(index)}px)`;
    if (contact) {
      row.id = `row-${index}`;
      row.setAttribute("aria-posinset", index + 1);
      row.setAttribute("aria-setsize", this.#pages.complete ? this.#pages.total : -1);
    }
    if (!known) this.space.append(row);
    else if (!same) known.replaceWith(row);
    this.#rows.set(index, row);
  }

  #drawHeadings(first, last) {
    const sections = this.#layout.sections;
    const from = this.#layout.sectionNumber(first), through = this.#layout.sectionNumber(last);
    for (const [number, heading] of this.#headings) {
      if (number < from || number > through) {
        heading.remove();
        this.#headings.delete(number);
      }
    }
    for (let number = Math.max(from, 0); number <= through; number += 1) {
      if (this.#headings.has(number)) continue;
      const heading = element("div", {
        class: "list-heading", "aria-hidden": "true", text: sections[number].label,
      });
      heading.style.transform = `translateY(${this.#layout.headingTop(number)}px)`;
      this.space.append(heading);
      this.#headings.set(number, heading);
    }
    const visible = this.#layout.sectionNumber(this.visibleRange[0]);
    this.sticky.hidden = visible < 0;
    this.sticky.textContent = sections[visible]?.label ?? "";
    this.onSection(visible);
  }

  #mark() {
    let current = null;
    for (const [index, row] of this.#rows) {
      if (!row.contact) continue;
      row.setAttribute("aria-selected", row.contact.id === this.#selected);
      row.classList.toggle("active", index === this.#active);
      if (index === this.#active) current = row.id;
    }
    if (current) this.node.setAttribute("aria-activedescendant", current);
    else this.node.removeAttribute("aria-activedescendant");
  }

  #focused() {
    if (this.#active < 0 && this.#pages?.total) this.#active = this.visibleRange[0];
    this.#mark();
  }

  #clicked(event) {
    const row = event.target.closest(".row");
    if (!row?.contact) return;
    this.#active = +row.dataset.index;
    this.onOpen(row.contact, { byPointer: true });
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#pages?.total) return;
    const page = Math.max(Math.floor(this.node.clientHeight / rowHeight) - 1, 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      event.preventDefault();
      this.#moveTo(this.#active + steps[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      const contact = this.#pages.contact(this.#active);
      event.preventDefault();
      if (contact) this.onOpen(contact, { byPointer: false });
    }
  }

  async #moveTo(wanted) {
    const pages = this.#pages;
    const index = Math.min(Math.max(wanted, 0), pages.total - 1);
    this.#active = index;
    this.#reveal(index);
    await pages.load(index);
    // A newer key press or another list may have moved on meanwhile.
    if (pages !== this.#pages || index !== this.#active) return;
    this.#draw();
    this.#mark();
    const contact = pages.contact(index);
    if (contact) this.onSelect(contact);
  }

  #reveal(index) {
    const top = this.#layout.top(index) - headingHeight;
    const bottom = this.#layout.top(index) + rowHeight;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (bottom > this.node.scrollTop + this.node.clientHeight) {
      this.node.scrollTop = bottom - this.node.clientHeight;
    }
    this.#draw();
    this.#mark();
  }
}

const sameRow = (one, other) => one === other
  || (one && other && one.id === other.id && one.version === other.version && one.synced === other.synced);

function contactRow(contact) {
  const second = [contact.company !== contact.name ? contact.company : "", contact.phones[0]?.value,
    contact.emails[0]?.value].find(Boolean) ?? "";
  return element(
    "div", { class: "row", role: "option" },
    avatar(contact),
    element(
      "span", { class: "row-texts" },
      element("span", { class: "row-name", dir: "auto", text: contact.name || text("contact.unnamed") }),
      second ? element("span", { class: "row-second", dir: "auto", text: second }) : null),
    contact.synced ? null
      : element("span", { class: "row-mark", title: text("contact.unsent"), "aria-label": text("contact.unsent"), role: "img" }));
}
