// Joining a group of another account: the link is previewed, and the user decides. Opening the address joins nothing.

import { ApiError, call } from "./api.js";
import { button, element, icon, stateView } from "./elements.js";
import { failureSentence } from "./failure.js";
import { textField } from "./dialogs.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";
import { announce, showToast } from "./toasts.js";

/** Why a link does not work although its owner may still let the account in. */
const askable = new Set(["expired", "usedUp", "revoked", "notInvited", "removed"]);
const deviceInvitation = /^contacts-device:/i;

/** Shows a field for a link, what the link is for, and the decision. */
export default class AcceptPlace {
  #link = "";
  #sending = false;

  constructor(place) {
    this.place = place;
    this.field = textField({
      name: "link", label: text("accept.link"), hint: text("accept.link.hint"), dir: "ltr", placeholder: "contacts://join/…",
      spellcheck: "false", maxlength: "500",
    });
    this.problem = element("p", { class: "problem", role: "alert", dir: "auto" });
    this.form = element(
      "form", { class: "accept-form", on: { submit: (event) => { event.preventDefault(); this.#preview(); } } },
      element("p", { class: "accept-intro", text: text("accept.intro") }), this.field.box, this.problem,
      element("div", { class: "sheet-actions start" }, element("button", { class: "button primary", text: text("accept.look"), data: { key: "accept/look" } })));
  }

  async show(item) {
    this.#link = "";
    this.#form();
    this.field.input.value = item ?? "";
    if (item) await this.#preview(); else this.field.input.focus();
  }

  /** A preview is as old as the user's question. */
  refresh() {}

  #form() { this.place.present(element("div", { class: "accept" }, this.form), { note: "", tools: [] }); }

  async #preview() {
    const link = normalized(this.field.input.value);
    this.#show("");
    if (link === "") return this.field.input.focus();
    if (deviceInvitation.test(link)) return this.#show(text("accept.device"));
    if (this.#sending) return;
    this.#sending = true;
    try {
      const { data } = await call("POST", "shares/preview", { body: { link } });
      this.#link = link;
      this.place.present(this.#decision(data), { note: "", tools: [] });
      this.#focusTitle();
    } catch (error) {
      this.#failed(error, link);
    } finally {
      this.#sending = false;
    }
  }

  #failed(error, link) {
    if (error instanceof SessionEnded) return;
    if (!(error instanceof ApiError)) throw error;
    if (!askable.has(error.reason)) {
      this.#show(failureSentence(error));
      return this.field.input.focus();
    }
    this.#link = link;
    this.place.present(this.#closedLink(error), { note: "", tools: [] });
    this.#focusTitle();
  }

  #show(problem) {
    this.problem.textContent = problem;
    if (problem) this.field.input.setAttribute("aria-invalid", "true"); else this.field.input.removeAttribute("aria-invalid");
  }

  #focusTitle() { this.place.content.querySelector("h3")?.focus(); }

  /** What the link is for, and the question. */
  #decision(preview) {
    const owner = preview.ownerDisplayName;
    const facts = [
      text("accept.contacts", { count: preview.contacts }),
      text(preview.permission === "readWrite" ? "accept.edit" : "accept.view"),
      text(preview.accepted ? "accept.already" : "accept.effect", { owner }),
    ];
    const known = owner === preview.owner ? owner : `${owner} (${preview.owner})`;
    return element(
      "article", { class: "accept preview", "aria-labelledby": "accept-title" },
      element("div", { class: "state-picture" }, icon("people")),
      element("h3", { id: "accept-title", text: preview.title, dir: "auto", tabindex: "-1" }),
      element("p", { class: "accept-owner", text: text("groups.by", { owner: known }), dir: "auto" }),
      element("ul", { class: "facts" }, ...facts.map((fact) => element("li", { text: fact, dir: "auto" }))),
      this.problem,
      element("div", { class: "sheet-actions" }, ...(preview.accepted
        ? [button(text("accept.open"), () => this.place.navigate.group(preview.id), "primary", { data: { key: "accept/open" } })]
        : [
          button(text("accept.decline"), () => this.#decline(preview), "danger-text", { data: { key: "accept/decline" } }),
          button(text("accept.later"), () => this.#leave(), "", { data: { key: "accept/later" } }),
          button(text("accept.join"), () => this.#join(), "primary", { data: { key: "accept/join" } }),
        ])));
  }

  /** A link that does not work, and the question to its owner. */
  #closedLink(error) {
    const view = stateView({
      picture: "people", title: error.message, sentence: text("accept.ask.hint"),
      actions: [
        button(text("accept.other"), () => this.#again(), "", { data: { key: "accept/other" } }),
        button(text("accept.ask"), () => this.#ask(), "primary", { data: { key: "accept/ask" } }),
      ],
    });
    view.append(this.problem);
    return view;
  }

  #again() {
    this.#show("");
    this.#form();
    this.field.input.focus();
    this.field.input.select();
  }

  async #join() {
    await this.#attempt(async () => {
      const { data } = await call("POST", "shares/accept", { body: { link: this.#link } });
      this.field.input.value = "";
      announce(text("accept.joined", { title: data.title }));
      await this.place.navigate.group(data.id);
      showToast(text("accept.joined", { title: data.title }));
    });
  }

  #ask() {
    return this.#attempt(async () => {
      await call("POST", "shares/request", { body: { link: this.#link } });
      this.field.input.value = "";
      this.place.present(stateView({
        picture: "check", title: text("accept.asked"), sentence: text("accept.asked.hint"),
        actions: [button(text("card.tolist"), () => this.#leave(), "primary", { data: { key: "accept/done" } })],
      }));
      this.place.content.querySelector(".button")?.focus();
    });
  }

  #decline({ title }) {
    return this.#attempt(async () => {
      await call("POST", "shares/decline", { body: { link: this.#link } });
      this.field.input.value = "";
      showToast(text("accept.declined", { title }));
      this.#leave();
    });
  }

  #leave() { this.place.navigate.group(null); }

  async #attempt(action) {
    if (this.#sending) return;
    this.#sending = true;
    this.#show("");
    try {
      await action();
    } catch (error) {
      if (error instanceof SessionEnded) return;
      if (!(error instanceof ApiError)) throw error;
      this.#show(failureSentence(error));
    } finally {
      this.#sending = false;
    }
  }
}

/** A link may come with the blanks and angle brackets of a message, or without its beginning. */
function normalized(typed) {
  const link = typed.trim().replace(/^<|>$/g, "");
  return /^[\w-]{22}$/.test(link) ? `contacts://join/${link}` : link;
}
