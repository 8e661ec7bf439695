// QR codes, which the agent makes and the page draws.

import { ApiError, call } from "./api.js";
import { element } from "./elements.js";

const svgNamespace = "http://www.w3.org/2000/svg";
/** The light border that a camera needs, in modules. */
const border = 4;

/** Returns an element that fills itself with the QR code of a text, or stays hidden if there is none. */
export function qrCode(content, label) {
  const node = element("div", { class: "qr-code", role: "img", "aria-label": label });
  draw(node, content);
  return node;
}

async function draw(node, content) {
  try {
    const { rows } = (await call("POST", "/web/code", { body: { text: content } })).data;
    const size = rows.length + 2 * border;
    const drawing = svg("svg", { viewBox: `0 0 ${size} ${size}`, "shape-rendering": "crispEdges" });
    drawing.append(svg("rect", { width: size, height: size, class: "qr-light" }), svg("path", { d: path(rows), class: "qr-dark" }));
    node.replaceChildren(drawing);
  } catch (error) {
    // The text is next to the code, so nothing is lost without it.
    if (!(error instanceof ApiError)) throw error;
    node.hidden = true;
  }
}

/** A rectangle for each run of dark modules. */
function path(rows) {
  return rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ index, 0: run }) =>
    `M${index + border} ${y + border}h${run.length}v1h-${run.length}z`)).join("");
}

function svg(tag, attributes) {
  const node = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}
