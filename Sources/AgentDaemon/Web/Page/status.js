// One indicator of the agent's state, and a panel with what is to be said about it and the details.

import { call, read } from "./api.js";
import { commandLine } from "./command-line.js";
import { replaceKeepingFocus } from "./dialogs.js";
import { button, element, iconButton } from "./elements.js";
import { reportFailure } from "./failure.js";
import { findings } from "./findings.js";
import { SessionEnded } from "./session.js";
import { choose, setting } from "./page-settings.js";
import { currentLanguage, formats, languages, text } from "./texts.js";
import { announce } from "./toasts.js";

/** Shows the data of `/v1/status`, and whether the agent can be reached at all. */
export class StatusIndicator {
  #status = null;
  #reachable = true;
  #label = null;

  // What `/v1/check` has found, read when the panel is opened.
  #check = null;

  constructor(node, { help }) {
    this.dot = element("span", { class: "status-dot" });
    this.label = element("span", { class: "status-label" });
    this.details = element("div", { class: "status-details" });
    this.panel = element(
      "div",
      {
        id: "status-panel", class: "popover", popover: "auto", role: "dialog", "aria-label": text("status"), tabindex: "-1",
        on: { toggle: ({ newState }) => { if (newState === "open") this.#examine(); } },
      },
      element("h2", { text: text("status") }), this.details, languageChoice(), nameOrderChoice());
    this.button = element(
      "button", { type: "button", class: "status-button", popovertarget: "status-panel" }, this.dot, this.label);
    node.append(this.button, this.panel, iconButton("help", text("help"), help, { "aria-keyshortcuts": "?" }));
    this.#draw();
  }

  show(status) {
    this.#status = status;
    this.#draw();
  }

  setReachable(reachable) {
    this.#reachable = reachable;
    this.#draw();
  }

  #draw() {
    const { tone, label } = summary(this.#status, this.#reachable);
    this.button.dataset.tone = tone;
    this.label.textContent = label;
    this.button.setAttribute("aria-label", `${text("status")}: ${label}`);
    replaceKeepingFocus(
      this.details, ...findings(this.#status, this.#check, this.#reachable).map((found) => this.#finding(found)), details(this.#status));
    // The first state is not news.
    if (this.#label !== null && this.#label !== label) announce(label);
    if (this.#status) this.#label = label;
  }

  /** Lets the agent check its data, as `contactsctl doctor` does. */
  async #examine() {
    try {
      this.#check = await read("check");
    } catch (error) {
      if (error instanceof SessionEnded) return;
      if (error.code === undefined) throw error;
      this.#check = null;
    }
    this.#draw();
  }

  #finding({ tone, title, sentence, advice, command, place, decision }) {
    const close = () => this.panel.hidePopover();
    return element(
      "div", { class: "finding", data: { tone } }, element("span", { class: "status-dot" }),
      element(
        "div", { class: "finding-texts" }, element("p", { class: "finding-title", text: title, dir: "auto" }),
        sentence ? element("p", { text: sentence, dir: "auto" }) : null, advice ? element("p", { text: advice }) : null,
        command ? commandLine(command) : null,
        place ? element("a", { class: "button", href: `#/${place}`, text: text("finding.decide"), data: { key: `finding/${place}` }, on: { click: close } }) : null,
        decision ? this.#deletionChoice() : null));
  }

  #deletionChoice() {
    const choice = (deletions) => button(text(`finding.held.${deletions}`), () => this.#decide(deletions), "", { data: { key: `held/${deletions}` } });
    return element("div", { class: "form-actions" }, choice("refuse"), choice("accept"));
  }

  async #decide(deletions) {
    try {
      this.show((await call("POST", "sync", { body: { deletions } })).data);
      announce(text(`finding.held.${deletions}.done`));
    } catch (error) {
      reportFailure(error);
    }
  }
}

/** The most important fact about the device, and its tone: `good`, `busy`, `warning` or `bad`. */
export function summary(status, reachable) {
  if (!reachable) return { tone: "bad", label: text("status.unreachable") };
  if (!status) return { tone: "busy", label: text("status.connecting") };
  const waiting = status.waitingEdits;
  if (status.state === "signed out") return { tone: "bad", label: text("status.signedout") };
  const attention = status.warnings.length || status.heldDeletions || status.accountStatus === "restricted"
    ? text("status.attention") : status.conflicts ? text("status.conflicts", { count: status.conflicts }) : null;
  const waits = waiting ? text("status.waiting", { count: waiting }) : null;
  if (status.state === "offline" || status.brokerAnswer.state === "missing") {
    const since = status.lastSync ? text("status.offline.since", { time: formats.shortMoment(status.lastSync) }) : text("status.offline");
    return { tone: "warning", label: [since, attention ?? waits].filter(Boolean).join(" · ") };
  }
  if (attention) return { tone: "warning", label: attention };
  if (status.state === "connecting") return { tone: "busy", label: text("status.connecting") };
  if (waits) return { tone: "busy", label: waits };
  if (status.state === "syncing") return { tone: "busy", label: text("status.syncing") };
  return { tone: "good", label: text("status.live") };
}

function details(status) {
  if (!status) return null;
  const rows = [];
  const add = (key, value) => { if (value !== null && value !== undefined && value !== "") rows.push([text(key), String(value)]); };
  add("status.account", status.account);
  add("status.device", status.device);
  add("status.broker", status.broker);
  if (status.lastSync) add("status.lastsync", formats.moment(status.lastSync));
  add("status.edits", status.waitingEdits.toLocaleString(formats.locale));
  add("status.version", status.version);
  return element("dl", {}, ...rows.map(([name, value]) => element(
    "div", {}, element("dt", { text: name }), element("dd", { text: value, dir: "auto" }))));
}

function languageChoice() {
  const options = Object.entries(languages).map(([code, name]) => element(
    "option", { value: code, text: name, lang: code, selected: code === currentLanguage() }));
  return settingChoice("page-language", "language", options);
}

function nameOrderChoice() {
  const chosen = setting("name-order", "given-family");
  const options = ["given-family", "family-given"].map((order) => element(
    "option", { value: order, text: text(`name.order.${order}`), selected: order === chosen }));
  return settingChoice("name-order", "name.order", options);
}

/** Lets the user choose a setting; the page starts again with it. */
function settingChoice(name, label, options) {
  const change = async () => { if (await choose(name, choice.value)) location.reload(); };
  const choice = element("select", { id: name, class: "field", on: { change } }, ...options);
  return element("div", { class: "field-box" }, element("label", { for: name, text: text(label) }), choice);
}
