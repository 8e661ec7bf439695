// Connects the panes, the address and the agent's events.

import { AccessRequests } from "./access-requests.js";
import { combined, read } from "./api.js";
import { CardPane } from "./card-pane.js";
import { drafts } from "./drafts.js";
import { AgentEvents } from "./events.js";
import { showBrokerNotice } from "./first-run.js";
import { share } from "./group-tools.js";
import { listenToDrops } from "./file-drop.js";
import { GroupsPane } from "./groups-pane.js";
import { importJob } from "./import-job.js";
import { listenToKeys, showHelp } from "./keyboard.js";
import { ListPane } from "./list-pane.js";
import { PlacePane } from "./place-pane.js";
import { printList } from "./print-list.js";
import { currentRoute, go, goUp, onRoute } from "./route.js";
import { SessionEnded } from "./session.js";
import { showSilence } from "./session-end.js";
import { StatusIndicator } from "./status.js";
import { deviceName, text } from "./texts.js";
import { announce, runToastAction, showToast } from "./toasts.js";

// The same widths as in style.css.
const narrow = matchMedia("(max-width: 759px)");
const withoutGroups = matchMedia("(max-width: 1019px)");
// Moving through the list reads a card only when the selection rests.
const restMilliseconds = 60;

/** The page. */
export class App {
  #groups = [];
  #selectTimer = 0;
  #refreshPending = false;
  #known = null;
  #status = null;
  #events = new AgentEvents();
  #requests = new AccessRequests(() => this.#groupsRead());
  #groupActions = {
    changed: () => { this.#readGroups(); this.#readRequests(); }, gone: (group) => this.#groupGone(group), groups: () => this.#groups,
    events: this.#events,
  };

  start() {
    this.panes = document.getElementById("panes");
    document.getElementById("toasts").setAttribute("aria-label", text("toasts"));
    this.status = new StatusIndicator(document.getElementById("status"), { help: showHelp });
    this.groupsPane = new GroupsPane(document.getElementById("groups"), {
      choose: (group) => go({ group, contact: null, mode: "list" }), visit: (place) => this.#visit(place),
      changed: () => this.#readGroups(), join: () => this.#visit("accept"),
    });
    this.listPane = new ListPane(document.getElementById("list"), {
      select: (contact) => this.#select(contact), open: (contact, how) => this.#open(contact, how),
      add: () => this.#add(), up: goUp, group: this.#groupActions, join: () => this.#visit("accept"), status: () => this.#status,
    });
    this.cardPane = new CardPane(document.getElementById("card"), {
      groups: () => this.#groups, status: () => this.#status,
      navigate: {
        place: (place, item) => this.#visit(place, item),
        up: () => this.#leave(), edit: () => go({ mode: "edit" }), show: (contact) => go({ contact, mode: "card" }, { replace: true }),
        showNew: (contact) => {
          this.listPane.reveal(contact);
          go({ contact: contact.id, mode: "card" }, { replace: true });
        },
        groupForNew: () => (this.#group()?.writable ? this.#group() : this.#groups[0])?.id,
      },
    });
    this.placePane = new PlacePane(document.getElementById("place"), {
      navigate: {
        up: () => this.#leave(), place: (place, item) => this.#visit(place, item),
        contact: (contact) => go({ group: null, contact, mode: "card" }), group: (group) => this.#goToGroup(group),
      },
      groups: () => this.#groups, status: () => this.#status,
    });
    onRoute((route) => this.#show(route));
    listenToKeys({
      search: () => this.#search(), edit: () => this.#edit(), add: () => this.#add(), back: () => this.#back(),
      save: () => this.cardPane.save(), undo: runToastAction, help: showHelp,
      visit: (view) => this.#visitByKey(view),
    });
    addEventListener("keydown", (event) => this.#printList(event));
    listenToDrops((file) => this.#import(file));
    this.#listen();
    this.#readStatus();
    this.#readGroups().then(() => { this.#show(currentRoute()); this.#readRequests(); });
    this.#show(currentRoute());
  }

  #listen() {
    const on = (type, listener) => this.#events.addEventListener(type, ({ detail }) => listener(detail));
    on("status", (status) => this.#showStatus(status));
    for (const type of ["change", "notification", "synced", "reset", "link", "status", "sync.finished"]) on(type, (detail) => this.placePane.event(type, detail));
    on("silent", showSilence);
    on("notification", (notification) => this.#notified(notification));
    on("link", (reachable) => this.#setReachable(reachable));
    on("change", (change) => this.#changed(change));
    on("synced", () => this.#refreshAll());
    on("reset", () => this.#refreshAll());
    this.#events.start();
  }

  #setReachable(reachable) {
    this.status.setReachable(reachable);
    // What could not be read meanwhile is read now.
    if (reachable) {
      drafts.reconnected().then(() => drafts.refresh());
      this.#refreshAll();
      this.#readStatus();
      this.#readRequests();
    }
  }

  async #notified({ reason, title, alert, group: id, name }) {
    const isNews = ["requested", "joined", "gained", "kept"].includes(reason);
    if (!isNews && reason !== "lost") return;
    if (reason === "requested") this.#readRequests(); else await this.#readGroups();
    if (!isNews) return;
    const group = this.#groups.find((each) => each.id === id);
    const sentence = reason === "requested" ? alert ?? title : text(`request.${reason}`, { name, title: group?.title ?? (["gained", "kept"].includes(reason) ? name : title) });
    const showGroup = () => (["gained", "kept"].includes(reason) ? this.#goToGroup(id) : group && share(group, this.#groupActions));
    showToast(sentence, { label: text("request.show"), run: showGroup });
  }

  #changed(change) {
    if (change.type === "Contact" && change.id === this.cardPane.contact?.id) {
      if (change.change === "deleted") {
        this.cardPane.deleted(change);
      } else {
        // The card is what the user looks at: it does not wait for the list.
        this.cardPane.refresh();
        if (!change.local) announce(text("card.changed.elsewhere", { name: change.name, device: deviceName(change.by) }));
      }
    }
    this.#refreshSoon();
  }

  #refreshAll() {
    this.cardPane.refresh();
    this.#refreshSoon();
  }

  /** Reads groups and list once for all events that arrive before the next frame. */
  #refreshSoon() {
    if (this.#refreshPending) return;
    this.#refreshPending = true;
    setTimeout(() => {
      this.#refreshPending = false;
      this.#readGroups();
      this.listPane.refresh();
      this.placePane.refresh();
    }, 16);
  }

  async #readStatus() {
    await this.#quietly(async () => this.#showStatus(await read("status")));
  }

  #showStatus(status) {
    const wasSignedOut = this.#status?.state === "signed out";
    // A draft may have been written or discarded in another browser; sign-out ends the list.
    if (this.#status && (this.#status.drafts !== status.drafts || wasSignedOut !== (status.state === "signed out"))) drafts.refresh();
    this.#status = status;
    this.status.show(status);
    showBrokerNotice(document.getElementById("notice"), status);
    this.cardPane.conflictsChanged();
    this.#showGroups(currentRoute());
    this.#showList(currentRoute());
    // The account's contacts go and come without an event for each.
    if (wasSignedOut !== (status.state === "signed out")) this.#refreshAll();
  }

  #readGroups = combined(() => this.#quietly(async () => {
    this.#groups = (await read("groups")).groups;
    this.#groupsRead();
  }));

  #groupsRead() {
    this.#groups = this.#groups.map((group) => ({ ...group, requests: this.#requests.count(group.id) }));
    this.#showGroups(currentRoute());
    this.#showList(currentRoute());
    this.cardPane.groupsChanged();
  }

  #readRequests() { return this.#requests.refresh(this.#groups); }

  /** Shows a group that the account has just joined, or all contacts for null. */
  async #goToGroup(group) {
    await this.#readGroups();
    go({ group, contact: null, mode: "list" });
  }

  #groupGone(group) {
    if (currentRoute().group === group) go({ group: null, contact: null, mode: "list" }, { replace: true });
    this.#refreshAll();
  }

  /** Runs a read whose failure the status shows already. */
  async #quietly(body) {
    try {
      await body();
    } catch (error) {
      if (!(error instanceof SessionEnded) && error.code === undefined) throw error;
    }
  }

  #showGroups({ group, place }) {
    const total = this.#groups.reduce((sum, { contacts }) => sum + contacts, 0);
    this.groupsPane.show(this.#groups, total, { group, place }, this.#status);
  }

  #group() { return this.#groups.find(({ id }) => id === currentRoute().group); }

  #show(route) {
    clearTimeout(this.#selectTimer);
    const pane = { groups: "groups", list: "list", place: "place" }[route.mode] ?? "card";
    const moved = this.panes.dataset.pane !== pane;
    this.panes.dataset.pane = pane;
    this.#showGroups(route);
    this.placePane.show(route.place, route.item);
    this.#showList(route);
    this.listPane.list.select(route.contact);
    this.cardPane.show(route, this.#known?.id === route.contact ? this.#known : null);
    // The pane with the focus may have gone.
    if (moved && (narrow.matches || pane === "place" || !document.activeElement.checkVisibility())) this.#focusPane(pane);
  }

  #showList({ mode, group: id }) {
    if (mode === "groups" || mode === "place") return;
    const group = this.#group();
    this.listPane.show(id, group?.title ?? text("groups.all"), group?.writable ?? true, group);
  }

  #focusPane(pane) {
    if (pane === "card" && this.cardPane.isEditing) return;
    const targets = { card: "card", list: "list-rows", place: "place" };
    const target = document.getElementById(targets[pane]) ?? document.querySelector(".group[aria-current]");
    // An empty list cannot have the focus.
    const visible = target?.checkVisibility() ? target : document.getElementById("list").querySelector(".search");
    visible.focus({ preventScroll: true });
  }

  #select(contact) {
    this.#known = contact;
    this.listPane.list.select(contact.id);
    clearTimeout(this.#selectTimer);
    if (narrow.matches || this.cardPane.isEditing) return;
    this.#selectTimer = setTimeout(() => go({ contact: contact.id, mode: "card" }, { replace: true }), restMilliseconds);
  }

  #open(contact, { byPointer }) {
    clearTimeout(this.#selectTimer);
    this.#known = contact;
    this.listPane.list.select(contact.id, { reveal: !byPointer });
    go({ contact: contact.id, mode: "card" }, { replace: !narrow.matches });
    if (!byPointer) document.getElementById("card").focus();
  }

  #add() {
    if (currentRoute().mode === "place" && this.placePane.add()) return;
    go({ contact: null, mode: "new" });
  }

  #visit(place, item = null) {
    go({ group: null, contact: null, mode: "place", place, item });
  }

  /** Prints the whole list in the place of its visible rows. The browser prints a card by itself. */
  async #printList(event) {
    if (event.key !== "p" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (currentRoute().mode !== "list" || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    printList(this.listPane.filter);
  }

  async #import(file) {
    this.#visit("transfer");
    if (importJob.state === "running") showToast(text("import.busy")); else importJob.check(file);
  }

  /** Opens a view and puts the focus into it. */
  #visitByKey(view) {
    if (view === "contacts") {
      go({ group: null, contact: null, mode: "list", place: null });
      document.getElementById("list-rows").focus({ preventScroll: true });
    } else if (view === "groups") {
      if (withoutGroups.matches) go({ mode: "groups" });
      document.querySelector(".group[aria-current], .group")?.focus();
    } else {
      this.#visit(view);
      this.#focusPane("place");
    }
  }

  #edit() {
    const { mode } = currentRoute();
    if (mode === "place") this.placePane.edit();
    else if (this.cardPane.contact && mode === "card") go({ mode: "edit" });
  }

  #search() {
    const { mode } = currentRoute();
    if (mode === "place" || (narrow.matches && mode !== "list")) go({ contact: null, mode: "list" });
    this.listPane.focusSearch();
  }

  #back() {
    if (this.cardPane.isEditing) return this.cardPane.cancel();
    const inList = document.getElementById("list").contains(document.activeElement);
    if (inList && this.listPane.clearSearch()) return;
    this.#leave();
  }

  /** Goes from a form to its card, and from a card to the list, with the focus. */
  #leave() {
    const { mode, item } = currentRoute();
    if (mode === "list" && !withoutGroups.matches) return;
    if (mode === "place" && !item && !withoutGroups.matches) go({ mode: "list" }); else goUp();
    if (mode === "place") return;
    document.getElementById(mode === "edit" ? "card" : "list-rows")?.focus({ preventScroll: true });
  }
}
