// The third pane: a card, a form, or why there is neither.

import { ApiError, call, read } from "./api.js";
import { cardView } from "./card.js";
import { showConflicts } from "./conflict-notice.js";
import { Draft } from "./draft.js";
import { drafts } from "./drafts.js";
import { button, element, iconButton, stateView } from "./elements.js";
import { failureSentence, reportFailure } from "./failure.js";
import { isFavorite, toggleFavorite } from "./favorites.js";
import { ContactForm } from "./form.js";
import { photoEditor } from "./photo-editor.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";
import { announce, showToast } from "./toasts.js";
import { offerUndo, undo } from "./undo.js";

/** Shows one contact at a time, and keeps what the user has typed when others change it. */
export class CardPane {
  #contact = null;
  #route = { contact: null, mode: "list" };
  #form = null;
  // The number of the last read: a slower reply must not replace a newer one.
  #reads = 0;
  #shownGroup = "";
  #shownDrafts = "";

  /** `groups()` and `status()` return the present ones; `navigate` has `edit`, `up`, `show(id)`, `place(name, item)`. */
  constructor(node, { groups, status, navigate }) {
    Object.assign(this, { node, groups, status, navigate });
    this.content = element("div", { class: "card-content" });
    node.setAttribute("aria-label", text("card"));
    node.append(
      element("div", { class: "pane-bar narrow-only" }, iconButton("back", text("card.back"), navigate.up, { class: "back" })),
      this.content);
    addEventListener("paste", (event) => this.#paste(event));
    drafts.addEventListener("changed", () => this.#draftsChanged());
  }

  get contact() { return this.#contact; }
  get isEditing() { return this.#form !== null; }

  /** Shows what a route names. `known` is the contact as the list has it, shown until the newest is read. */
  async show(route, known = null) {
    const same = route.contact === this.#route.contact && route.mode === this.#route.mode;
    this.#route = route;
    if (same && (this.#contact || this.#form)) return;
    this.#closeForm();
    if (route.mode === "new") return this.#showForm(null);
    if (!route.contact) {
      this.#contact = null;
      return this.#replace(stateView({ picture: "person", title: text("card.none"), sentence: text("card.none.hint") }));
    }
    if (this.#contact?.id !== route.contact) this.#contact = known;
    if (this.#contact) this.#present();
    await this.#readContact(route.contact);
  }

  /** Reads the contact again: it may have changed. */
  async refresh() {
    if (this.#route.contact) await this.#readContact(this.#route.contact);
  }

  /** Shows the group of the card, which is known now or has another title. */
  groupsChanged() {
    const card = this.content.querySelector(".card-view");
    if (card && this.#contact && this.#groupText() !== this.#shownGroup) this.#showCard();
  }

  /** Shows the conflicts of the card, which have come or were decided. */
  conflictsChanged() {
    const place = this.content.querySelector(".card-notices");
    if (place && this.#contact) showConflicts(place, this.#contact, { status: this.status(), decide: (id) => this.navigate.place("conflicts", id) });
  }

  /** Shows that a contact was deleted elsewhere. */
  deleted({ id, name, by }) {
    if (id !== this.#route.contact) return;
    const device = by.deviceName ?? by.device;
    this.#contact = null;
    if (this.#form) {
      // What the user typed stays on the screen; saving explains that the contact is gone.
      showToast(text("card.deleted.editing", { name, device }));
      return;
    }
    this.#replace(stateView({
      picture: "delete", title: text("card.deleted", { name }), sentence: text("card.deleted.hint", { device }),
      actions: [button(text("card.tolist"), this.navigate.up)],
    }));
  }

  save() { this.#form?.save(); }

  #paste(event) {
    // What is pasted into a dialog is not for the form behind it.
    if (!document.querySelector("dialog[open]")) this.content.querySelector(".photo-editor")?.paste(event);
  }

  async remove() {
    const contact = this.#contact;
    try {
      const { headers } = await call("DELETE", `contacts/${contact.id}`, { key: crypto.randomUUID() });
      // The user may have gone to another contact meanwhile.
      if (this.#route.contact === contact.id) {
        // The event about the deletion is no news.
        this.#contact = null;
        this.navigate.up();
      }
      offerUndo(text("contact.deleted", { name: contact.name }), headers.get("Undo-Action"), () => this.#showAgain(contact.id));
    } catch (error) {
      reportFailure(error);
    }
  }

  #showAgain(id) {
    this.navigate.show(id);
    return this.refresh();
  }

  async #readContact(id) {
    const number = ++this.#reads;
    try {
      const contact = await read(`contacts/${id}`);
      if (number !== this.#reads || this.#route.contact !== id) return;
      const unchanged = this.#contact && JSON.stringify(contact) === JSON.stringify(this.#contact);
      this.#contact = contact;
      const by = contact.modifiedBy;
      if (this.#form) this.#form.merge(contact, by.deviceName ?? by.device);
      else if (!unchanged || !this.content.querySelector(".card-view, .form")) this.#present();
    } catch (error) {
      if (number === this.#reads) this.#failed(error);
    }
  }

  #present() {
    if (this.#route.mode === "edit" && this.#contact.created) this.#showForm(this.#contact);
    else this.#showCard();
  }

  #closeForm() {
    this.#form?.draft.close();
    this.#form = null;
  }

  /** Shows or removes the notice about drafts of the card. */
  #draftsChanged() {
    const card = this.content.querySelector(".card-view");
    if (card && this.#contact && this.#draftText() !== this.#shownDrafts) this.#showCard();
  }

  #draftText() { return drafts.of("contact", this.#contact.id).map((draft) => `${draft.id}/${drafts.isOpen(draft)}`).join(); }

  #showCard() {
    const { id } = this.#contact;
    const focused = this.content.contains(document.activeElement) ? document.activeElement : null;
    this.#shownGroup = this.#groupText();
    this.#shownDrafts = this.#draftText();
    this.#replace(cardView(this.#contact, {
      group: this.#group(), drafts: drafts.of("contact", id),
      actions: {
        edit: this.navigate.edit, remove: () => this.remove(), history: () => this.navigate.place("history", id),
        favorite: () => this.#toggleFavorite(), print: () => print(),
        discard: (draft) => this.#discard(draft), drafts: () => this.navigate.place("drafts"),
      },
    }));
    this.conflictsChanged();
    // The focus stays on the same control of the new card.
    const label = focused?.getAttribute("aria-label");
    if (focused) (label && this.content.querySelector(`[aria-label="${CSS.escape(label)}"]`) || this.node).focus();
  }

  async #discard(draft) {
    try {
      await drafts.discard(draft);
      announce(text("draft.discarded"));
      this.#draftsChanged();
    } catch (error) {
      reportFailure(error);
    }
  }

  async #toggleFavorite() {
    const contact = this.#contact;
    try {
      const { data } = await toggleFavorite(contact);
      const group = this.#group();
      const added = group?.shared ? "favorite.added.shared" : "favorite.added";
      announce(text(isFavorite(data) ? added : "favorite.removed", { name: data.name, group: group?.title }));
      // The user may have begun to edit, or gone to another contact meanwhile.
      if (this.#form || this.#contact?.id !== data.id) return;
      this.#contact = data;
      this.#showCard();
    } catch (error) {
      reportFailure(error);
    }
  }

  #group() { return this.groups().find(({ id }) => id === this.#contact?.group); }
  #groupText() { return `${this.#group()?.title}/${this.#group()?.writable}`; }

  /** Shows the form. It continues a draft that no other form shows. */
  #showForm(contact, stored = drafts.free("contact", contact?.id ?? null)) {
    const draft = stored ? Draft.continuing(stored) : Draft.of(contact, this.navigate.groupForNew());
    this.#form = new ContactForm(draft, {
      groups: this.groups(),
      photo: contact ? photoEditor(contact, { changed: (changed) => this.#photoChanged(changed) }) : null,
      actions: { saved: (form, saved, action) => this.#saved(form, saved, action), cancel: () => this.cancel() },
    });
    this.#replace(this.#form.node);
    if (stored && contact) this.#form.merge(contact, contact.modifiedBy.deviceName ?? contact.modifiedBy.device);
    this.#form.focus();
  }

  /** Leaves the form. Changes that were not saved are kept, and the card offers them. */
  cancel() {
    const { draft } = this.#form;
    if (!draft.changed) draft.remove();
    else if (draft.id === null) showToast(text("draft.kept.new"), { label: text("draft.discard"), run: () => draft.remove() });
    else announce(text("draft.kept"));
    this.navigate.up();
  }

  #saved(form, contact, action) {
    // The user may have left the form meanwhile.
    if (this.#form !== form) return offerUndo(text("contact.saved", { name: contact.name }), action);
    const wasNew = this.#route.mode === "new";
    // A contact that moves to another account's group becomes another one.
    const hasMoved = !wasNew && contact.id !== this.#route.contact;
    this.#form = null;
    this.#contact = contact;
    if (wasNew || hasMoved) this.navigate.showNew(contact); else this.navigate.up();
    this.node.focus();
    offerUndo(
      text(wasNew ? "contact.added" : "contact.saved", { name: contact.name }), action,
      async () => {
        if (form.restoration !== null) await undo(form.restoration);
        await (wasNew ? this.navigate.up() : this.#showAgain(contact.id));
      });
  }

  async #photoChanged(changed) {
    try {
      const contact = changed.photo ? changed : await read(`contacts/${changed.id}`);
      // The user may have gone to another contact meanwhile.
      if (contact.id !== this.#route.contact) return;
      this.#contact = contact;
      if (this.#form) this.#form.merge(contact, text("thisdevice")); else this.#showCard();
    } catch (error) {
      if (changed.id === this.#route.contact) this.#failed(error);
    }
  }

  #failed(error) {
    if (error instanceof SessionEnded) return;
    if (!(error instanceof ApiError)) throw error;
    // A card from the list, or a form, says more than an error.
    if (this.#contact && error.code !== "unknownItem") return;
    if (this.#form) return;
    const gone = error.code === "unknownItem";
    // The text of a contact that is gone can be saved again.
    const draft = gone && this.#route.mode === "edit" ? drafts.free("contact", this.#route.contact) : null;
    if (draft) return this.#showForm(null, draft);
    this.#replace(stateView({
      picture: gone ? "delete" : "alert",
      title: text(gone ? "card.gone" : "card.failed"),
      sentence: failureSentence(error),
      actions: gone ? [button(text("card.tolist"), this.navigate.up)] : [button(text("retry"), () => this.refresh())],
    }));
  }

  #replace(view) {
    this.content.replaceChildren(view);
    this.content.scrollTop = 0;
  }
}
