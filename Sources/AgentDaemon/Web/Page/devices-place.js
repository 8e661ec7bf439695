// The account's devices: which they are, when they were seen, and what can be done with them.

import { call, read } from "./api.js";
import { ask, askText } from "./dialogs.js";
import { button, element, icon, iconButton, stateView } from "./elements.js";
import { inviteDevice } from "./device-invitation.js";
import { afterOpening } from "./opening.js";
import { ReadingPlace } from "./reading-place.js";
import { formats, text } from "./texts.js";
import { announce, showToast } from "./toasts.js";

/** Lists the devices; invites, renames and removes them. */
export default class DevicesPlace extends ReadingPlace {
  #drawn = "";
  // Whether something has happened since the last read that may concern devices: contacts do not.
  #isStale = true;

  constructor(place) {
    super(place);
    this.returned = () => { if (!document.hidden) this.#readAgain(); };
    document.addEventListener("visibilitychange", this.returned);
  }

  close() {
    document.removeEventListener("visibilitychange", this.returned);
    super.close();
  }

  async refresh() { if (this.#isStale) await super.refresh(); }

  event(type) { if (type === "reset" || type === "link") this.#isStale = true; }

  async read() {
    this.#isStale = false;
    try {
      return (await read("devices")).devices;
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  draw(devices) {
    const drawn = JSON.stringify(devices);
    if (drawn === this.#drawn && this.place.content.querySelector(".devices")) return;
    this.#drawn = drawn;
    this.place.present(devices.length ? this.#list(devices) : this.#empty(), {
      note: devices.length ? text("devices.count", { count: devices.length }) : "",
      tools: devices.length ? [button(text("devices.add"), () => this.#invite(), "primary", { data: { key: "devices/add" } })] : [],
    });
  }

  #readAgain() {
    this.#isStale = true;
    return this.refresh();
  }

  #empty() {
    return stateView({ picture: "device", title: text("devices.none"), sentence: text("devices.none.hint") });
  }

  #list(devices) {
    // This device first; the others as the agent has them, the last connected first.
    const sorted = [...devices.filter(isThis), ...devices.filter((device) => !isThis(device))];
    const isAlone = devices.length === 1;
    return element(
      "div", { class: "devices" },
      element("ul", { class: "cards" }, ...sorted.map((device) => this.#row(device))),
      element("p", { class: "hint", text: text(isAlone ? "devices.alone" : "devices.unknown") }));
  }

  #row(device) {
    return element(
      "li", { class: "card-row device-row" }, element("span", { class: "avatar device-picture" }, icon("device")),
      element(
        "div", { class: "row-texts" },
        element(
          "span", { class: "device-name" }, element("span", { class: "row-name", dir: "auto", text: device.name }),
          isThis(device) ? element("span", { class: "tag", text: text("devices.this") }) : null),
        element("span", { class: "row-second", text: seen(device) })),
      iconButton("edit", text("devices.rename.label", { name: device.name }), () => this.#rename(device), { data: { key: `rename/${device.id}` } }),
      isThis(device) ? null : iconButton("delete", text("devices.remove.label", { name: device.name }), () => this.#remove(device), {
        class: "danger", data: { key: `remove/${device.id}` },
      }));
  }

  async #invite() {
    await inviteDevice({ changed: () => this.#readAgain(), remove: (device) => this.#remove(device) });
  }

  #rename(device) {
    return askText({
      title: text("devices.rename.title", { name: device.name }), label: text("devices.name"), value: device.name, action: text("save"),
      sentences: [text("devices.rename.hint")],
      save: async (name) => {
        await call("PATCH", `devices/${device.id}`, { body: { name } });
        announce(text("devices.renamed", { name }));
        this.#readAgain();
      },
    });
  }

  #remove(device) {
    return ask({
      title: text("devices.remove.title", { name: device.name }), action: text("devices.remove"), style: "danger",
      sentences: [text("devices.remove.hint"), text("devices.remove.final")],
      run: async () => {
        await afterOpening(() => call("DELETE", `devices/${device.id}`));
        showToast(text("devices.removed", { name: device.name }));
        this.#readAgain();
      },
    });
  }
}

const isThis = (device) => device.thisDevice;

/** When the broker saw a device, which it knows to the day. */
function seen({ connected, network, lastConnected }) {
  if (connected) return network ? text("devices.connected.from", { network }) : text("devices.connected");
  const date = new Date(lastConnected);
  if (date.toDateString() === new Date().toDateString()) return text("devices.seen.today");
  return text("devices.seen", { date: date.toLocaleDateString(formats.locale, { dateStyle: "long" }) });
}
