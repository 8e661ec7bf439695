// The dialog that brings a new device to the account: the invitation as a QR code and as text, and who has come.

import { ApiError, call, read } from "./api.js";
import { commandLine } from "./command-line.js";
import { Sheet } from "./dialogs.js";
import { button, element, stateView } from "./elements.js";
import { failureView } from "./failure.js";
import { afterOpening } from "./opening.js";
import { qrCode } from "./qr-code.js";
import { SessionEnded } from "./session.js";
import { formats, text } from "./texts.js";

/** No event of the agent tells of a new device. */
const lookMilliseconds = 3000;

/** Makes an invitation and shows it. `changed()` runs when a device has come; `remove(device)` asks about removing it. */
export async function inviteDevice(actions) {
  try {
    const known = new Set((await read("devices")).devices.map(({ id }) => id));
    const { data } = await afterOpening(() => call("POST", "devices/invitation"));
    new InvitationSheet(data, known, actions);
  } catch (error) {
    if (error instanceof SessionEnded || error.name === "AbortError") return;
    const sheet = new Sheet(text("devices.add"));
    sheet.present(failureView(text("invitation.failed"), error, () => { sheet.close(); inviteDevice(actions); }));
  }
}

/** Shows one invitation until a device has used it, or until it has expired. */
class InvitationSheet {
  #timer = 0;

  constructor(invitation, known, actions) {
    Object.assign(this, { invitation, known, actions });
    this.expires = Date.now() + invitation.seconds * 1000;
    this.sheet = new Sheet(text("invitation.title"), { closed: () => clearTimeout(this.#timer), style: "invitation" });
    this.sheet.present(this.#instructions());
    this.#wait();
  }

  #instructions() {
    const { link, code } = this.invitation;
    const address = link.split("@").pop();
    return element(
      "div", {},
      element("ol", { class: "instructions" },
        element("li", {}, element("p", { text: text("invitation.start") }), commandLine("systemctl --user enable --now contactsd")),
        element("li", {}, element("p", { text: text("invitation.join") }),
          element("div", { class: "share-code" }, qrCode(link, text("invitation.code")),
            element("div", { class: "share-code-texts" }, commandLine(`contactsctl signin ${link}`),
              element("details", {}, element("summary", { text: text("invitation.type") }),
                commandLine(`contactsctl signin ${code} --address ${address}`)))))),
      element("p", { class: "waiting", role: "status" }, element("span", { class: "status-dot" }),
        text("invitation.waiting", { time: new Date(this.expires).toLocaleTimeString(formats.locale, { timeStyle: "short" }) })),
      element("p", { class: "hint", text: text("invitation.private") }));
  }

  async #wait() {
    try {
      const found = (await read("devices")).devices.find(({ id }) => !this.known.has(id));
      if (found) return this.#joined(found);
    } catch (error) {
      if (error instanceof SessionEnded) return this.sheet.close();
      // The agent or the broker may answer again.
      if (!(error instanceof ApiError)) throw error;
    }
    if (!this.sheet.isOpen) return;
    if (Date.now() > this.expires) return this.#expired();
    this.#timer = setTimeout(() => this.#wait(), lookMilliseconds);
  }

  #joined(device) {
    this.actions.changed();
    if (!this.sheet.isOpen) return;
    this.#say({
      picture: "check", title: text("invitation.joined", { name: device.name }), sentence: text("invitation.joined.hint"),
      actions: [
        button(text("devices.remove"), () => { this.sheet.close(); this.actions.remove(device); }, "", { data: { key: "invitation/remove" } }),
        button(text("done"), () => this.sheet.close(), "primary", { data: { key: "invitation/done" } }),
      ],
    });
  }

  #expired() {
    this.#say({
      picture: "alert", title: text("invitation.expired"), sentence: text("invitation.expired.hint"),
      actions: [button(text("invitation.again"), () => { this.sheet.close(); inviteDevice(this.actions); }, "primary", { data: { key: "invitation/again" } })],
    });
  }

  #say(state) {
    const view = stateView(state);
    view.setAttribute("role", "status");
    this.sheet.present(view);
    view.querySelector(".primary").focus();
  }
}
