// What the page shows where there is nothing yet: no account, no broker, no contacts. Each says the next step.

import { commandLine } from "./command-line.js";
import { button, element, icon, iconButton, stateView } from "./elements.js";
import { signInCommand } from "./findings.js";
import { choose, setting } from "./page-settings.js";
import { text } from "./texts.js";

/** Returns the view in the place of the list of a device that is signed out. */
export function signedOutView(status) {
  const view = stateView({ picture: "person", title: text("signedout"), sentence: text("signedout.hint") });
  view.append(element(
    "dl", { class: "next-steps" },
    element("div", {}, element("dt", { text: text("signedout.here") }), element("dd", {}, commandLine(signInCommand(status)))),
    element("div", {}, element("dt", { text: text("signedout.remote") }), element("dd", {}, commandLine("contactsctl signin INVITATION")))));
  return view;
}

/** Returns what the user can do in an empty address book besides adding a contact. */
export const emptyActions = ({ join }) => [button(text("join"), join, "", { data: { key: "first/join" } })];

/** Whether a device has never reached a broker. */
const isAlone = (status) => status !== null && status.account === null && status.lastSync === null
  && (status.state === "offline" || status.state === "connecting");

/** Shows, above the panes, that the contacts are only on this device, until the user hides it or a broker answers. */
export function showBrokerNotice(node, status) {
  const wanted = isAlone(status) && status.connectionError !== null && setting("page-broker-hint") !== "hidden";
  if (wanted === Boolean(node.firstChild)) return;
  node.replaceChildren(...(wanted ? [brokerNotice(node, status)] : []));
}

function brokerNotice(node, status) {
  const hide = () => {
    choose("page-broker-hint", "hidden");
    node.replaceChildren();
  };
  return element(
    "section", { class: "page-notice", "aria-label": text("nobroker") }, icon("alert"),
    element(
      "div", { class: "page-notice-texts" }, element("p", { class: "finding-title", text: text("nobroker") }),
      element("p", { text: text("nobroker.hint") }),
      element(
        "details", {}, element("summary", { text: text("nobroker.do") }), element("p", { dir: "auto", text: status.connectionError }),
        element("p", { text: text("nobroker.remote") }), commandLine("contactsctl signin INVITATION"))),
    iconButton("close", text("nobroker.hide"), hide, { class: "quiet" }));
}
