// The first pane: all contacts, the account's own groups, the groups that other accounts share, and the places.

import { call } from "./api.js";
import { button, element, icon, iconButton } from "./elements.js";
import { places } from "./places.js";
import { formats, text } from "./texts.js";
import { announce, showToast } from "./toasts.js";

/** Shows the groups and the places, and marks what the other panes show. */
export class GroupsPane {
  #groups = [];
  #drawn = "";
  #total = 0;
  #selected = {};
  #status = null;
  // A group that the user has just added gets the focus as soon as it is shown.
  #added = null;

  constructor(node, { choose, visit, changed, join }) {
    Object.assign(this, { choose, visit, changed, join });
    this.lists = element("div", { class: "group-lists" });
    this.places = element("ul", { class: "group-list place-list" });
    this.content = element(
      "div", { class: "groups-content", on: { keydown: (event) => this.#pressed(event) } }, this.lists, this.places);
    node.setAttribute("aria-label", text("groups"));
    node.append(this.content);
  }

  /** `selected` has the `group` or the `place` of the other panes; `status` is null before it is known. */
  show(groups, total, selected, status) {
    this.#groups = groups;
    this.#total = total;
    this.#selected = selected;
    this.#status = status;
    const listed = places.filter(({ isHidden }) => !isHidden);
    const counts = listed.map((place) => place.count?.(status, groups) ?? 0);
    // Drawing the pane again must not take the focus from a user who moves through it, or close the form.
    const wanted = JSON.stringify([groups, total, selected, counts, status?.state === "signed out"]);
    if (this.content.querySelector("form") || wanted === this.#drawn) return;
    this.#drawn = wanted;
    const focused = document.activeElement?.closest?.("[data-key]")?.dataset.key;
    const isSignedOut = status?.state === "signed out";
    const own = groups.filter((group) => group.role === "owner");
    const others = groups.filter((group) => group.role !== "owner");
    this.lists.replaceChildren(
      element("ul", { class: "group-list" }, this.#row(null, text("groups.all"), total, { picture: "person" })),
      ...(isSignedOut ? [] : [
        this.#heading(text("groups.own"), iconButton("add", text("groups.new"), () => this.#edit(), { data: { key: "group-new" } })), this.#section(own),
        this.#heading(text("groups.others"), iconButton("add", text("join"), this.join, { data: { key: "group-join" } })), this.#section(others),
      ]));
    this.places.replaceChildren(...listed.map((place, number) => this.#place(place, counts[number])));
    if (focused !== undefined) this.#focus(focused);
    if (this.#added !== null && groups.some(({ id }) => id === this.#added)) {
      this.#focus(`group/${this.#added}`);
      this.#added = null;
    }
  }

  #focus(key) { this.content.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus(); }

  /** The arrows go from entry to entry. */
  #pressed(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || event.target.closest("form") || event.ctrlKey || event.metaKey || event.altKey) return;
    const entries = [...this.content.querySelectorAll(".group")];
    const next = entries.indexOf(event.target.closest(".group")) + steps[event.key];
    event.preventDefault();
    entries[Math.min(Math.max(next, 0), entries.length - 1)].focus();
  }

  #heading(title, action) {
    return element("div", { class: "group-heading" }, element("h2", { text: title }), action);
  }

  #section(groups) {
    return element("ul", { class: "group-list" }, ...groups.map((group) =>
      this.#row(group.id, group.title, group.contacts, { picture: group.shared ? "people" : "person", note: groupNote(group), requests: group.requests })));
  }

  #row(id, title, count, { picture, note = "", requests = 0 }) {
    return element("li", {}, element(
      "button",
      {
        type: "button", class: "group", data: { key: `group/${id ?? ""}` },
        "aria-current": this.#selected.place === null && id === this.#selected.group ? "true" : null,
        on: { click: () => this.choose(id) },
      },
      icon(picture),
      element(
        "span", { class: "group-texts" }, element("span", { class: "group-title", dir: "auto", text: title, title }),
        note ? element("span", { class: "group-note", dir: "auto", text: note }) : null),
      requests ? element("span", { class: "badge", text: requests.toLocaleString(formats.locale) },
        element("span", { class: "visually-hidden", text: ` ${text("groups.requests")}` })) : null,
      element("span", { class: "group-count", text: count.toLocaleString(formats.locale) },
        element("span", { class: "visually-hidden", text: ` ${text("groups.contacts")}` }))));
  }

  #place({ name, picture }, count) {
    return element("li", {}, element(
      "button",
      {
        type: "button", class: "group", data: { key: `place/${name}` },
        "aria-current": this.#selected.place === name ? "true" : null, on: { click: () => this.visit(name) },
      },
      icon(picture), element("span", { class: "group-texts" }, element("span", { class: "group-title", text: text(`place.${name}`) })),
      count ? element("span", { class: "badge" }, count.toLocaleString(formats.locale),
        element("span", { class: "visually-hidden", text: ` ${text("place.waiting")}` })) : null));
  }

  #edit() {
    const problem = element("p", { class: "problem", id: "group-problem", role: "alert" });
    const field = element("input", {
      name: "title", class: "field", "aria-label": text("groups.name"), placeholder: text("groups.name"),
      maxlength: "255", dir: "auto", "aria-describedby": "group-problem", autocomplete: "off",
    });
    const end = () => {
      form.remove();
      this.#drawn = "";
      this.show(this.#groups, this.#total, this.#selected, this.#status);
      this.changed();
      this.#focus("group-new");
    };
    const form = element(
      "form",
      {
        class: "group-form",
        on: {
          submit: (event) => { event.preventDefault(); this.#add(field, problem, end); },
          keydown: (event) => { if (event.key === "Escape") { event.stopPropagation(); end(); } },
        },
      },
      field, problem, element("div", { class: "form-actions" },
        element("button", { class: "button primary", text: text("groups.add") }), button(text("cancel"), end)));
    this.content.querySelector(".group-heading").after(form);
    field.focus();
  }

  async #add(field, problem, end) {
    try {
      const { data } = await call("POST", "groups", { body: { title: field.value.trim() }, key: crypto.randomUUID() });
      this.#added = data.id;
      end();
      announce(text("groups.added", { title: data.title }));
      this.choose(data.id);
    } catch (error) {
      if (error.code === undefined) throw error;
      problem.textContent = error.message;
      field.setAttribute("aria-invalid", "true");
      if (error.code === "agentUnreachable") showToast(text("agent.unreachable"));
    }
  }
}

function groupNote(group) {
  if (group.role !== "owner") {
    const owner = text("groups.by", { owner: group.ownerDisplayName });
    return group.writable ? owner : `${owner} · ${text("groups.readonly")}`;
  }
  return group.shared ? text("groups.shared") : "";
}
