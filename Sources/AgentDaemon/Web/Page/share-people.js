// The people of a shared group: who has it, who asks for it, and the form that invites.

import { ApiError, read } from "./api.js";
import { avatar } from "./avatar.js";
import { choiceField, problemSentence, textField } from "./dialogs.js";
import { button, element, iconButton } from "./elements.js";
import { SessionEnded } from "./session.js";
import { formats, text } from "./texts.js";

const permissions = () => [["readOnly", text("share.view")], ["readWrite", text("share.edit")]];

/** Returns the list of participants. `actions` has `change(person, body)` and `remove(person)`, or is null. */
export function peopleSection(participants, actions) {
  const present = participants.filter(({ status }) => status === "accepted" || status === "invited");
  const former = participants.filter((person) => !present.includes(person));
  return [
    element("h3", { text: text("share.people") }),
    element("ul", { class: "people" }, ...present.map((person) => personRow(person, actions))),
    former.length ? element(
      "details", {}, element("summary", { text: text("share.former", { count: former.length }) }),
      element("ul", { class: "people" }, ...former.map((person) => personRow(person, null)))) : null,
  ];
}

function personRow(person, actions) {
  const isOwner = person.role === "owner";
  const canChange = actions !== null && !isOwner;
  return element(
    "li", { class: "person-row" }, avatar({ id: person.id, name: person.displayName }),
    element(
      "div", { class: "row-texts" }, element("span", { class: "row-name", dir: "auto", text: person.displayName }),
      element("span", { class: "row-second", dir: "auto", text: facts(person) })),
    canChange ? roleChoice(person, actions) : element("span", { class: "person-role", text: text(`share.role.${roleOf(person)}`) }),
    canChange ? iconButton("close", text("share.remove.label", { name: person.displayName }), () => actions.remove(person), {
      class: "quiet", data: { key: `person/${person.id}/remove` },
    }) : null);
}

function roleOf({ role, permission, status }) {
  if (status === "left" || status === "removed") return status;
  return role === "member" ? permission : role;
}

/** The account's name if the row does not show it, and what happens with the person. */
function facts(person) {
  const { status, upToDate, role } = person;
  const state = {
    invited: text("share.state.invited"), left: "", removed: "",
    accepted: role === "owner" || upToDate === null ? "" : text(upToDate ? "share.state.live" : "share.state.behind"),
  }[status];
  return [person.displayName === person.name ? "" : person.name, state].filter(Boolean).join(" · ");
}

function roleChoice(person, actions) {
  const options = [...permissions(), ["administrator", text("share.manage")]];
  const change = (value) => actions.change(person, value === "administrator"
    ? { permission: "readWrite", administrator: true } : { permission: value, administrator: false });
  const { box, input } = choiceField({
    name: `role-${person.id}`, label: text("share.role.label", { name: person.displayName }), hideLabel: true, options,
    value: roleOf(person), change,
  });
  input.dataset.key = `person/${person.id}`;
  return box;
}

/** Returns the requests for access. `answer(person, body)` sends a decision. */
export function requestsSection(requests, answer) {
  const waiting = requests.filter(({ standing }) => standing === "waiting");
  const refused = requests.filter(({ standing }) => standing !== "waiting");
  return [
    ...(waiting.length ? [
      element("h3", { text: text("share.requests", { count: waiting.length }) }),
      element("ul", { class: "people" }, ...waiting.map((person) => requestRow(person, answer))),
    ] : []),
    refused.length ? element(
      "details", {}, element("summary", { text: text("share.refused", { count: refused.length }) }),
      element("ul", { class: "people" }, ...refused.map((person) => requestRow(person, answer)))) : null,
  ];
}

function requestRow(person, answer) {
  const isWaiting = person.standing === "waiting";
  const action = (decision, body, style = "") => button(text(`share.${decision}`), () => answer(person, body), style, {
    "aria-label": `${text(`share.${decision}`)}: ${person.displayName}`, data: { key: `request/${person.id}/${decision}` },
  });
  const state = isWaiting ? text("share.asked", { time: formats.shortMoment(person.asked) }) : text(`share.state.${person.standing}`);
  return element(
    "li", { class: "person-row request-row" }, avatar({ id: person.id, name: person.displayName }),
    element(
      "div", { class: "row-texts" }, element("span", { class: "row-name", dir: "auto", text: person.displayName }),
      element("span", { class: "row-second", dir: "auto", text: [person.displayName === person.name ? "" : person.name, state].filter(Boolean).join(" · ") })),
    element(
      "div", { class: "request-actions" },
      action("approve.view", { decision: "approve", permission: "readOnly" }, isWaiting ? "primary" : ""),
      action("approve.edit", { decision: "approve", permission: "readWrite" }),
      isWaiting ? action("deny", { decision: "deny" }) : null,
      person.standing === "blocked" ? null : action("block", { decision: "block" }, "danger-text")));
}

/** The form that invites an account. What was typed stays until the invitation was sent. */
export class InvitationForm {
  /** `send(body)` sends an invitation. */
  constructor(send) {
    this.send = send;
    this.name = textField({ name: "invite", label: text("share.invite.label"), hint: text("share.invite.hint"), list: "share-accounts", dir: "ltr" });
    this.name.input.addEventListener("focus", () => this.#offerAccounts(), { once: true });
    this.permission = choiceField({ name: "invite-permission", label: text("share.permission"), options: permissions(), value: "readOnly" });
    this.accounts = element("datalist", { id: "share-accounts" });
    this.problem = element("p", { class: "problem", role: "alert", dir: "auto" });
    this.done = element("p", { class: "visually-hidden", role: "status" });
    this.node = element(
      "form", { class: "invite-form", on: { submit: (event) => { event.preventDefault(); this.#submit(); } } },
      element("div", { class: "invite-fields" }, this.name.box, this.permission.box,
        element("button", { class: "button", text: text("share.invite"), data: { key: "share/invite" } })),
      this.accounts, this.problem, this.done);
  }

  async #submit() {
    const name = this.name.input.value.trim();
    if (name === "") return this.name.input.focus();
    this.problem.textContent = "";
    this.name.input.removeAttribute("aria-invalid");
    try {
      await this.send({ name, permission: this.permission.input.value });
      this.name.input.value = "";
      this.done.textContent = text("share.invite.done", { name });
    } catch (error) {
      if (error instanceof SessionEnded) return;
      this.problem.textContent = problemSentence(error);
      this.name.input.setAttribute("aria-invalid", "true");
    }
    this.name.input.focus();
  }

  async #offerAccounts() {
    try {
      const { accounts } = await read("accounts");
      this.accounts.replaceChildren(...accounts.map(({ name, displayName }) => element("option", { value: name, label: displayName })));
    } catch (error) {
      // The name can be typed without the offers.
      if (!(error instanceof ApiError || error instanceof SessionEnded)) throw error;
    }
  }
}
