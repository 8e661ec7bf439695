// One indicator of the agent's state, and a panel with the details.

import { element, icon, iconButton } from "./elements.js";
import { chooseLanguage, currentLanguage, formats, languages, text } from "./texts.js";
import { announce } from "./toasts.js";

/** Shows the data of `/v1/status`, and whether the agent can be reached at all. */
export class StatusIndicator {
  #status = null;
  #reachable = true;
  #label = null;

  constructor(node, { help }) {
    this.dot = element("span", { class: "status-dot" });
    this.label = element("span", { class: "status-label" });
    this.panel = element("div", { id: "status-panel", class: "popover", popover: "auto", role: "dialog", "aria-label": text("status") });
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
    // An open choice of the language would close.
    if (!this.panel.contains(document.activeElement)) this.panel.replaceChildren(...details(this.#status, this.#reachable));
    // The first state is not news.
    if (this.#label !== null && this.#label !== label) announce(label);
    if (this.#status) this.#label = label;
  }
}

/** The most important fact about the device, and its tone: `good`, `busy`, `warning` or `bad`. */
export function summary(status, reachable) {
  if (!reachable) return { tone: "bad", label: text("status.unreachable") };
  if (!status) return { tone: "busy", label: text("status.connecting") };
  const waiting = status.waitingEdits;
  if (status.state === "signed out") return { tone: "bad", label: text("status.signedout") };
  if (status.warnings.length || status.heldDeletions || status.accountStatus === "restricted") {
    return { tone: "warning", label: text("status.attention") };
  }
  if (status.conflicts) return { tone: "warning", label: text("status.conflicts", { count: status.conflicts }) };
  if (status.state === "offline" || status.brokerAnswer.state === "missing") {
    const since = status.lastSync ? text("status.offline.since", { time: formats.shortMoment(status.lastSync) }) : text("status.offline");
    return { tone: "warning", label: waiting ? `${since} · ${text("status.waiting", { count: waiting })}` : since };
  }
  if (status.state === "connecting") return { tone: "busy", label: text("status.connecting") };
  if (waiting) return { tone: "busy", label: text("status.waiting", { count: waiting }) };
  if (status.state === "syncing") return { tone: "busy", label: text("status.syncing") };
  return { tone: "good", label: text("status.live") };
}

function details(status, reachable) {
  const rows = [];
  const add = (key, value) => { if (value !== null && value !== undefined && value !== "") rows.push([text(key), String(value)]); };
  if (status) {
    add("status.account", status.account);
    add("status.device", status.device);
    add("status.broker", status.broker);
    if (status.lastSync) add("status.lastsync", formats.moment(status.lastSync));
    add("status.edits", status.waitingEdits.toLocaleString(formats.locale));
    if (status.conflicts) add("status.conflict", status.conflicts);
    if (status.heldDeletions) add("status.held", status.heldDeletions);
    add("status.version", status.version);
  }
  const sentences = [
    reachable ? null : text("agent.unreachable.hint"), status?.connectionError, status?.brokerAnswer?.sentence,
    ...(status?.warnings ?? []), status?.accountStatus === "available" || status?.connectionError ? null : status?.accountSentence,
    status?.heldDeletions ? text("status.held.hint") : null, status?.conflicts ? text("status.conflicts.hint") : null,
  ].filter(Boolean);
  return [
    element("h2", { text: text("status") }),
    ...sentences.map((sentence) => element("p", { class: "notice", dir: "auto" }, icon("alert"), sentence)),
    element("dl", {}, ...rows.map(([name, value]) => element(
      "div", {}, element("dt", { text: name }), element("dd", { text: value, dir: "auto" })))),
    languageChoice(),
  ];
}

function languageChoice() {
  const choice = element(
    "select", { id: "language", class: "field", on: { change: () => chooseLanguage(choice.value) } },
    ...Object.entries(languages).map(([code, name]) => element(
      "option", { value: code, text: name, lang: code, selected: code === currentLanguage() })));
  return element("div", { class: "field-box" }, element("label", { for: "language", text: text("language") }), choice);
}
