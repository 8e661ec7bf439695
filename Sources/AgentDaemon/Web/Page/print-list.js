// A list of contacts for the printer. The list on the screen has only the visible rows.

import { read } from "./api.js";
import { element } from "./elements.js";
import { reportFailure } from "./failure.js";
import { addressLines } from "./fields.js";
import { formats, text } from "./texts.js";
import { announce } from "./toasts.js";

/** Reads all contacts of a list and opens the browser's dialog for printing. */
export async function printList({ group = "", query = "", sort = "last" } = {}) {
  announce(text("print.preparing"));
  try {
    const sheet = await listSheet({ group, query, sort });
    document.getElementById("print-sheet")?.remove();
    document.body.append(sheet);
    addEventListener("afterprint", () => sheet.remove(), { once: true });
    print();
  } catch (error) {
    reportFailure(error);
  }
}

/** Returns the list, which only the printer shows. */
async function listSheet({ group, query, sort }) {
  const [{ groups }, contacts] = await Promise.all([read("groups"), everything({ group, q: query, sort })]);
  const title = groups.find(({ id }) => id === group)?.title ?? text("groups.all");
  return element(
    "section", { id: "print-sheet", class: "print-sheet" },
    element("header", {}, element("h1", { text: query ? `${title}: ${query}` : title, dir: "auto" }),
      element("p", { text: `${text("list.count", { count: contacts.length })} · ${new Date().toLocaleDateString(formats.locale, { dateStyle: "long" })}` })),
    ...sections(contacts));
}

async function everything(filter) {
  const contacts = [];
  let cursor = null;
  do {
    const page = await read("contacts", { ...filter, limit: 1000, cursor });
    contacts.push(...page.contacts);
    cursor = page.next;
  } while (cursor);
  return contacts;
}

function sections(contacts) {
  return [...Map.groupBy(contacts, ({ sectionKey }) => sectionKey ?? "")].map(([label, members]) => element(
    "section", {}, label ? element("h2", { text: label }) : null, element("ul", {}, ...members.map(row))));
}

function row(contact) {
  const values = [
    ...contact.phones.map(({ value }) => value), ...contact.emails.map(({ value }) => value),
    ...contact.addresses.map((address) => addressLines(address).join(", ")),
  ].filter(Boolean);
  return element(
    "li", {},
    element(
      "p", { class: "print-name" }, element("span", { text: contact.name || text("contact.unnamed"), dir: "auto" }),
      contact.company && contact.company !== contact.name ? element("span", { class: "print-company", text: ` ${contact.company}`, dir: "auto" }) : null),
    element("p", {}, ...values.flatMap((value, number) => [number ? " · " : "", element("bdi", { text: value })])));
}
