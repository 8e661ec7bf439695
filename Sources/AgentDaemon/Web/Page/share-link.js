// The link of a shared group.

import { copyLine } from "./command-line.js";
import { choiceField } from "./dialogs.js";
import { button, element } from "./elements.js";
import { qrCode } from "./qr-code.js";
import { formats, text } from "./texts.js";

const hour = 3600;
const times = [["", "always"], [hour, "hour"], [24 * hour, "day"], [7 * 24 * hour, "week"], [30 * 24 * hour, "month"]];

/** How long a new link works, as options with seconds. */
export const linkTimes = () => times.map(([seconds, name]) => [String(seconds), text(`share.link.time.${name}`)]);

/** Who can join with the link, as options with permissions. */
export const whoOptions = () => ["none", "readOnly", "readWrite"].map((value) => [value, text(`share.anyone.${value}`)]);

/** Returns what the dialog shows about the link. `actions` has `open(permission)`, `renew()` and `revoke()`. */
export function linkSection(share, actions) {
  const renew = button(text(share.link ? "share.link.new" : "share.link.new.action"), actions.renew, "", { data: { key: "link/renew" } });
  const heading = element("h3", { text: text("share.link") });
  if (!share.link) {
    return [heading, element("p", { class: "hint", text: absence(share) }), element("div", { class: "sheet-actions start" }, renew)];
  }
  const who = choiceField({
    name: "who", label: text("share.who"), value: share.anyone, change: actions.open,
    options: whoOptions(),
  });
  return [
    heading, who.box,
    element(
      "div", { class: "share-code" }, qrCode(share.link, text("share.link.code")),
      element(
        "div", { class: "share-code-texts" }, copyLine(share.link, text("share.link.copy")),
        element("p", { class: "hint", text: validity(share) }),
        element("div", { class: "sheet-actions start" }, renew,
          button(text("share.link.stop"), actions.revoke, "", { data: { key: "link/revoke" } })))),
  ];
}

function absence({ linkIsElsewhere, linkStanding }) {
  if (linkIsElsewhere) return text("share.link.elsewhere");
  return text(linkStanding ? `share.link.${linkStanding}` : "share.link.revoked");
}

function validity({ linkExpires, linkUsesLeft }) {
  return [
    linkExpires ? text("share.link.until", { time: formats.moment(linkExpires) }) : text("share.link.forever"),
    linkUsesLeft === null ? "" : text("share.link.uses", { count: linkUsesLeft }),
  ].filter(Boolean).join(" ");
}
