// What a user does with a group as a whole: share, rename, delete or leave it.

import { isDefault } from "./access-requests.js";
import { call, read } from "./api.js";
import { ask, askText } from "./dialogs.js";
import { button, element, icon, iconButton } from "./elements.js";
import { ShareDialog } from "./share-dialog.js";
import { formats, text } from "./texts.js";
import { showToast } from "./toasts.js";
import { offerUndo } from "./undo.js";

/** Opens the dialog about who has a group. */
export const share = (group, actions) => new ShareDialog(group, actions);

/** The buttons of one group. `actions` has `changed()` and `gone()`, and `groups()` returns all groups. */
export class GroupTools {
  #drawn = "";

  constructor(actions) {
    this.actions = actions;
    this.node = element("div", { class: "group-tools" });
  }

  /** Shows the buttons for a group, none for null. */
  show(group) {
    const wanted = JSON.stringify([group?.id, group?.title, group?.role, group?.shared, group?.requests, group?.contacts]);
    if (wanted === this.#drawn || this.node.querySelector(":popover-open")) return;
    this.#drawn = wanted;
    const key = this.node.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    this.node.replaceChildren(...(group ? this.#buttons(group) : []));
    if (key !== undefined) this.node.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }

  #buttons(group) {
    const name = text(group.role === "member" ? "share.people" : "share.open");
    const label = group.requests ? `${name}: ${text("share.requests", { count: group.requests })}` : name;
    const opener = iconButton("people", label, () => share(group, this.actions), { data: { key: "group/share" }, class: "share-button" });
    if (group.requests) opener.append(element("span", { class: "badge", "aria-hidden": "true", text: group.requests.toLocaleString(formats.locale) }));
    const entries = menuEntries(group, this.actions);
    return [opener, ...(entries.length ? menu(entries) : [])];
  }
}

function menuEntries(group, actions) {
  if (isDefault(group)) return [];
  const entries = group.role === "owner"
    ? [["group.rename", "edit", () => rename(group, actions)], ["group.delete", "delete", () => remove(group, actions)]]
    : [["group.leave", "leave", () => leave(group, actions)]];
  return entries;
}

function menu(entries) {
  const panel = element("div", { id: "group-menu", class: "menu", popover: "auto" });
  panel.append(...entries.map(([key, picture, run]) => {
    const entry = button(text(key), () => { panel.hidePopover(); run(); }, "menu-entry", { data: { key } });
    entry.prepend(icon(picture));
    return entry;
  }));
  const opener = iconButton("more", text("group.more"), () => {}, { popovertarget: "group-menu", data: { key: "group/more" } });
  panel.addEventListener("beforetoggle", () => {
    const { bottom, left, right } = opener.getBoundingClientRect();
    panel.style.setProperty("--top", `${bottom + 4}px`);
    panel.style.setProperty("--end", `${document.documentElement.dir === "rtl" ? left : innerWidth - right}px`);
  });
  panel.addEventListener("toggle", ({ newState }) => { if (newState === "open") panel.querySelector("button").focus(); });
  return [opener, panel];
}

function rename(group, actions) {
  return askText({
    title: text("group.rename.title", { title: group.title }), label: text("groups.name"), value: group.title,
    sentences: [group.shared ? text("group.rename.shared") : ""], action: text("save"),
    save: async (title) => {
      if (title === group.title) return;
      const { data, headers } = await call("PATCH", `groups/${group.id}`, { body: { title } });
      actions.changed();
      offerUndo(text("group.renamed", { title: data.title }), headers.get("Undo-Action"), actions.changed);
    },
  });
}

async function remove(group, actions) {
  const rest = actions.groups().find(isDefault)?.title ?? "";
  const choices = [["keep", text("group.delete.keep", { title: rest })], ["delete", text("group.delete.contacts", { count: group.contacts })]];
  let chosen = "keep";
  const content = group.contacts === 0 ? null : element(
    "fieldset", { class: "choices" }, element("legend", { text: text("group.delete.question") }),
    ...choices.map(([value, label]) => element("label", { class: "check" }, element("input", {
      type: "radio", name: "contacts", value, checked: value === chosen, on: { change: () => { chosen = value; } },
    }), label)));
  const losers = await participantNames(group);
  return ask({
    title: text("group.delete.title", { title: group.title }), content, action: text("group.delete.action"), style: "danger",
    sentences: [losers.length ? text("group.delete.shared", { people: names(losers), count: losers.length }) : "", text(group.shared ? "group.delete.undo.shared" : "group.delete.undo")],
    run: async () => {
      const { headers } = await call("DELETE", `groups/${group.id}`, { query: { contacts: chosen, acknowledged: true } });
      actions.gone(group.id);
      offerUndo(text("group.deleted", { title: group.title }), headers.get("Undo-Action"), actions.changed);
    },
  });
}

/** Asks, and leaves a group that another account shares. */
export function leave(group, actions) {
  const owner = group.ownerDisplayName;
  return ask({
    title: text("group.leave.title", { title: group.title }), action: text("group.leave.action"), style: "danger",
    sentences: [text("group.leave.hint", { owner, count: group.contacts })],
    run: async () => {
      await call("POST", `groups/${group.id}/leave`);
      actions.gone(group.id);
      showToast(text("group.left", { title: group.title }));
    },
  });
}

/** Returns the names of the people who lose a group that is deleted, or none if that cannot be found out. */
async function participantNames(group) {
  if (!group.shared) return [];
  try {
    const { participants } = await read(`groups/${group.id}/participants`);
    return others(participants);
  } catch {
    return [text("share.people.all")];
  }
}

/** The names of the participants but the owner. */
export const others = (participants) => participants
  .filter(({ role, status }) => role !== "owner" && status === "accepted")
  .map(({ displayName, name }) => displayName || name);

/** Names in one phrase. */
export const names = (list) => new Intl.ListFormat(formats.locale, { type: "conjunction" }).format(list);
