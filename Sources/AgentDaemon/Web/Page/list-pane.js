// The middle pane: the title of the group, the search field, the list and its letters.

import { button, element, iconButton, stateView } from "./elements.js";
import { failureView } from "./failure.js";
import { firstContacts, isNameKnown } from "./favorites.js";
import { emptyActions, signedOutView } from "./first-run.js";
import { GroupTools } from "./group-tools.js";
import { JumpLetters } from "./letters.js";
import { ContactList } from "./list.js";
import { choose, setting } from "./page-settings.js";
import { ContactPages } from "./pages.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";
import { announce } from "./toasts.js";

// The favorites change seldom: a list that is read again draws what it has, and asks for them afterwards.
const favoritesMilliseconds = 250;
const sortOrders = ["last", "first", "company", "modified"];

/** Shows one list at a time, and reads it again when contacts have changed. */
export class ListPane {
  #pages = null;
  #group = undefined;
  #query = "";
  #sort = setting("page-sort", "last");
  #loading = null;
  #stale = false;
  #wanted = null;
  #favoritesTimer = 0;

  constructor(node, actions) {
    this.actions = actions;
    this.list = new ContactList({
      onSelect: actions.select, onOpen: actions.open, onSection: (number) => this.letters.mark(number),
    });
    this.letters = new JumpLetters({ onJump: (number) => this.list.showSection(number) });
    this.title = element("h2", { class: "pane-title", dir: "auto" });
    this.count = element("p", { class: "pane-count" });
    this.search = this.#searchField();
    this.body = element("div", { class: "list-body" }, this.list.node, this.letters.node);
    this.state = element("div", { class: "list-state" });
    this.add = iconButton("add", text("contact.new"), actions.add, { class: "filled", "aria-keyshortcuts": "n" });
    this.tools = new GroupTools(actions.group);
    node.setAttribute("aria-label", text("list.label"));
    node.append(
      element(
        "div", { class: "pane-bar" },
        iconButton("back", text("list.back"), actions.up, { class: "back" }),
        element("div", { class: "pane-heading" }, this.title, this.count), this.tools.node, this.add),
      element("div", { class: "pane-tools" }, element("div", { class: "search-box", role: "search" }, this.search), this.#sortChoice()),
      this.body, this.state);
  }

  get query() { return this.#query; }
  get filter() { return { group: this.#group, query: this.#query, sort: this.#sort }; }

  /** Shows the list of a group; null is all contacts. `whole` is the group as the agent has it, once that is known. */
  async show(group, title, writable, whole = null) {
    this.tools.show(whole ?? null);
    this.title.textContent = title;
    const isSignedOut = this.actions.status()?.state === "signed out";
    this.add.hidden = !writable || isSignedOut;
    this.search.disabled = isSignedOut;
    if (group === this.#group) return;
    this.#group = group;
    this.search.value = this.#query = "";
    await this.#load({ fromTop: true });
  }

  /** Reads the list again and keeps the scroll position. Calls during a read are combined into one more. */
  async refresh() {
    if (this.#loading) {
      this.#stale = true;
      return;
    }
    await this.#load({ fromTop: false });
  }

  /** Scrolls to a contact when the list has it: the event about a new one arrives soon. */
  reveal(contact) {
    this.#wanted = contact;
    this.refresh();
  }

  focusSearch() {
    this.search.focus();
    this.search.select();
  }

  /** Empties the search field. Returns whether there was anything in it. */
  clearSearch() {
    if (this.#query === "") return false;
    this.search.value = "";
    this.#searched();
    return true;
  }

  async #load({ fromTop, begin = null }) {
    const pages = new ContactPages(this.filter, begin ?? (fromTop ? null : this.#pages?.begin));
    const knewName = isNameKnown();
    const [first, last] = fromTop ? [0, 20] : this.list.visibleRange;
    if (fromTop) this.#pages?.close();
    this.#loading?.close();
    this.#loading = pages;
    try {
      await pages.open(first, last);
    } catch (error) {
      if (this.#loading === pages) this.#failed(error);
      return;
    }
    // A newer search or another group has replaced this one.
    if (this.#loading !== pages) return;
    this.#loading = null;
    this.#pages = pages;
    this.#present(fromTop);
    clearTimeout(this.#favoritesTimer);
    if (!begin && pages.hasFirst && !(fromTop && knewName)) this.#favoritesTimer = setTimeout(() => this.#readFavorites(pages), fromTop ? 0 : favoritesMilliseconds);
    await this.#showWanted(pages);
    if (this.#stale) {
      this.#stale = false;
      await this.#load({ fromTop: false });
    }
  }

  /** Draws the list again if it begins with other contacts than before. */
  async #readFavorites(pages) {
    try {
      const begin = await firstContacts(pages.filter);
      if (pages === this.#pages && !this.#loading && JSON.stringify(begin) !== JSON.stringify(pages.begin)) {
        await this.#load({ fromTop: false, begin });
      }
    } catch (error) {
      if (!(error instanceof SessionEnded) && error.code === undefined) throw error;
    }
  }

  async #showWanted(pages) {
    const wanted = this.#wanted;
    if (!wanted || await pages.find(wanted) < 0 || pages !== this.#pages) return;
    this.#wanted = null;
    this.list.select(wanted.id, { reveal: true });
  }

  #present(fromTop) {
    const { total, count: contacts, complete, sections } = this.#pages;
    const hadFocus = [this.body, this.state].some((part) => part.contains(document.activeElement));
    this.body.hidden = total === 0;
    this.state.replaceChildren(...(total === 0 ? [this.#emptyState()] : []));
    this.list.show(this.#pages, { fromTop });
    // The last contact has gone, or the first has come.
    if (hadFocus && !document.activeElement.closest(".list-rows, .letters")?.checkVisibility()) {
      (total ? this.list.node : this.state.querySelector("button") ?? this.search).focus({ preventScroll: true });
    }
    this.letters.show(sections);
    const key = this.#query === "" ? "list.count" : "list.found";
    const more = this.#query === "" ? "" : text("list.more");
    const count = complete ? text(key, { count: contacts }) : more;
    if (count !== this.count.textContent && this.#query !== "") announce(count);
    this.count.textContent = count;
  }

  #emptyState() {
    if (this.#query !== "") {
      return stateView({
        picture: "search", title: text("search.none"), sentence: text("search.none.hint", { query: this.#query }),
        actions: [button(text("search.clear"), () => { this.clearSearch(); this.search.focus(); })],
      });
    }
    const first = this.#group === null;
    if (this.actions.status()?.state === "signed out") return signedOutView(this.actions.status());
    return stateView({
      picture: "people", title: text(first ? "list.first" : "list.empty"),
      sentence: text(first ? "list.first.hint" : "list.empty.hint"),
      actions: this.add.hidden ? [] : [button(text("contact.new"), this.actions.add, "primary"), ...(first ? emptyActions(this.actions) : [])],
    });
  }

  #failed(error) {
    this.#loading = null;
    if (this.#pages?.total) return;
    const view = failureView(text("list.failed"), error, () => this.#load({ fromTop: true }));
    if (!view) return;
    this.body.hidden = true;
    this.state.replaceChildren(view);
  }

  #searchField() {
    return element("input", {
      type: "search", class: "search", placeholder: text("search"), "aria-label": text("search"), dir: "auto",
      autocomplete: "off", spellcheck: "false", "aria-keyshortcuts": "/",
      on: { input: () => this.#searched(), keydown: (event) => this.#pressed(event) },
    });
  }

  #sortChoice() {
    const choice = element(
      "select", { class: "sort", "aria-label": text("sort"), on: { change: () => this.#sorted(choice.value) } },
      ...sortOrders.map((order) => element(
        "option", { value: order, text: text(`sort.${order}`), selected: order === this.#sort })));
    return choice;
  }

  #sorted(order) {
    this.#sort = order;
    choose("page-sort", order);
    this.#load({ fromTop: true });
  }

  #searched() {
    const query = this.search.value.trim();
    if (query === this.#query) return;
    this.#query = query;
    this.#load({ fromTop: true });
  }

  #pressed(event) {
    if (event.key === "ArrowDown" && this.#pages?.total) {
      event.preventDefault();
      this.list.node.focus();
    } else if (event.key === "Enter" && this.#pages?.contact(0)) {
      event.preventDefault();
      this.actions.open(this.#pages.contact(0), { byPointer: false });
    }
  }
}
