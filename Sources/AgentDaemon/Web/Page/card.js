// A contact as a card: all fields, with links and copy buttons.

import { portrait } from "./avatar.js";
import { copyText } from "./command-line.js";
import { drafts } from "./drafts.js";
import { button, element, icon, iconButton } from "./elements.js";
import { isFavorite } from "./favorites.js";
import { addressLines, entryLists, link, moreNameFields } from "./fields.js";
import { deviceName, formats, hasText, text } from "./texts.js";
import { announce } from "./toasts.js";

/**
 * Returns the card of a contact. `actions` has `edit`, `remove`, `history`, `favorite`, `print` and, for drafts of the
 * contact, `discard(draft)` and `drafts`.
 */
export function cardView(contact, { group, drafts: found, actions }) {
  return element(
    "article", { class: "card-view", "aria-labelledby": "card-name" },
    heading(contact, group, actions),
    found.length ? draftNotice(found, actions) : null,
    element("div", { class: "card-notices" }),
    quickLinks(contact),
    element("dl", { class: "values" }, ...rows(contact)),
    otherProperties(contact),
    footer(contact, group, actions));
}

function heading(contact, group, actions) {
  const work = [contact.title, contact.name === contact.company ? "" : contact.company].filter(Boolean).join(" · ");
  const writable = group?.writable ?? true;
  return element(
    "header", { class: "card-heading" },
    portrait(contact),
    element(
      "div", { class: "card-titles" },
      element("h2", { id: "card-name", dir: "auto", text: contact.name || text("contact.unnamed") }),
      work ? element("p", { class: "card-work", dir: "auto", text: work }) : null,
      contact.emergency ? element("p", { class: "card-badge" }, icon("alert"), text("field.emergency")) : null),
    writable
      ? element(
        "div", { class: "card-actions" },
        starButton(contact, actions.favorite),
        iconButton("edit", text("contact.edit"), actions.edit, { "aria-keyshortcuts": "e" }),
        iconButton("delete", text("contact.delete"), actions.remove, { class: "danger" }))
      : element("p", { class: "card-work", text: text("groups.readonly") }));
}

function starButton(contact, toggle) {
  const isStarred = isFavorite(contact);
  return iconButton("star", text("favorite"), toggle, {
    class: isStarred ? "star on" : "star", "aria-pressed": String(isStarred), title: text(isStarred ? "favorite.remove" : "favorite.add"),
  });
}

/** A draft that no form shows can be continued here. Of several, and of one that is open, the list says more. */
function draftNotice(found, actions) {
  const isOne = found.length === 1 && !drafts.isOpen(found[0]);
  const sentence = isOne ? text("draft.kept") : text("draft.kept.several", { count: found.length });
  return element(
    "div", { class: "notice" }, element("p", { text: sentence }),
    element(
      "div", { class: "form-actions" },
      ...(isOne
        ? [button(text("draft.continue"), actions.edit, "primary"), button(text("draft.discard"), () => actions.discard(found[0]))]
        : [button(text("draft.list"), actions.drafts, "primary")])));
}

/** The first phone and the first e-mail as large buttons. */
function quickLinks(contact) {
  const found = [["phones", "phone", "card.call"], ["emails", "mail", "card.mail"]].flatMap(([list, picture, key]) => {
    const entry = contact[list].find((candidate) => link(list, candidate.value));
    if (!entry) return [];
    return element(
      "a", { class: "quick-link", href: link(list, entry.value) }, icon(picture), element("span", { text: text(key) }),
      element("span", { class: "visually-hidden", text: entry.value }));
  });
  return found.length ? element("div", { class: "quick-links" }, ...found) : null;
}

function* rows(contact) {
  for (const [list, parts] of Object.entries(entryLists)) {
    for (const entry of contact[list] ?? []) {
      const value = parts.length > 1 ? addressLines(entry).join("\n") : entry.value;
      if (value === "") continue;
      yield row(labelText(list, entry.label), list === "dates" ? formats.day(value) : value, link(list, value));
    }
  }
  for (const field of ["birthday", "anniversary"]) {
    if (contact[field]) yield row(text(`field.${field}`), formats.day(contact[field]));
  }
  for (const field of [...moreNameFields, "role"]) {
    if (contact[field]) yield row(text(`field.${field}`), contact[field]);
  }
  if (contact.departments?.length) yield row(text("field.departments"), contact.departments.join(", "));
  if (contact.categories?.length) yield row(text("field.categories"), contact.categories.join(", "));
  if (contact.note) yield row(text("field.note"), contact.note);
}

function labelText(list, label) {
  if (label === "") return text(`list.${list}.one`);
  return hasText(`label.${label}`) ? text(`label.${label}`) : label;
}

function row(label, value, target = null) {
  const external = target?.startsWith("http");
  const shown = target
    ? element("a", {
      href: target, dir: "auto", text: value, ...(external ? { target: "_blank", rel: "noopener noreferrer" } : {}),
    })
    : element("span", { dir: "auto", text: value });
  // A printed page ends within a long value, but not within a short one.
  const isLong = value.length > 400 || value.split("\n").length > 6;
  return element(
    "div", { class: isLong ? "value long" : "value" },
    element("dt", { dir: "auto", text: label }),
    element("dd", {}, shown, iconButton("copy", text("card.copy", { label, value: shortened(value) }), () => copy(value), {
      class: "copy",
    })));
}

const shortened = (value) => (value.length > 60 ? `${value.slice(0, 60)}…` : value);

async function copy(value) {
  if (!await copyText(value)) announce(text("card.notcopied"));
}

/** Properties of an imported card that no field represents. */
function otherProperties(contact) {
  const shown = contact.other.filter((property) => property.value !== "");
  if (shown.length === 0) return null;
  return element(
    "details", { class: "other" }, element("summary", { text: text("card.other", { count: shown.length }) }),
    element("dl", { class: "values" }, ...shown.map((property) => element(
      "div", { class: "value" }, element("dt", { text: property.name, dir: "auto" }),
      element("dd", {}, element("span", { dir: "auto", text: property.value }))))));
}

function footer(contact, group, actions) {
  const { modifiedBy: by } = contact;
  const lines = [
    group ? text("card.group", { group: group.title }) : "",
    text("card.changed", {
      account: by.name ?? by.account, device: deviceName(by), time: formats.moment(contact.modified),
    }),
    contact.synced ? "" : text("contact.unsent"),
  ].filter(Boolean);
  return element(
    "footer", { class: "card-footer" }, ...lines.map((line) => element("p", { dir: "auto", text: line })),
    element(
      "div", { class: "footer-actions" },
      ...[["history", actions.history], ["print", actions.print]].map(([name, run]) => element(
        "button", { type: "button", class: "button quiet small", data: { action: name }, "aria-label": text(name), on: { click: run } },
        icon(name), text(name)))));
}
