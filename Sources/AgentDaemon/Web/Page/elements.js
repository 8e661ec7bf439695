// Builds elements. Values are always text: the page has no way to parse markup.

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * Creates an element.
 *
 * `properties` are attributes, except `on` (listeners by event), `text` and `data` (data attributes).
 * An attribute that is null, undefined or false is left out; true gives an empty one.
 */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "text") {
      node.textContent = value;
    } else if (name === "data") {
      Object.assign(node.dataset, value);
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Returns an icon of the page, hidden from screen readers. */
export function icon(name) {
  const drawing = document.createElementNS(svgNamespace, "svg");
  drawing.setAttribute("class", "icon");
  drawing.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(svgNamespace, "use");
  use.setAttribute("href", `#icon-${name}`);
  drawing.append(use);
  return drawing;
}

/** Returns a button with an icon, and a name that screen readers read and a tooltip shows. */
export function iconButton(name, label, listener, properties = {}) {
  const { class: names = "", ...others } = properties;
  return element(
    "button",
    {
      type: "button", class: `icon-button ${names}`, "aria-label": label, title: label,
      on: { click: listener }, ...others,
    },
    icon(name));
}

/** Returns a button with a text. */
export function button(label, listener, style = "", properties = {}) {
  return element("button", { type: "button", class: `button ${style}`, text: label, on: { click: listener }, ...properties });
}

/** Returns a whole-pane message: an icon, a heading, a sentence and what the user can do. */
export function stateView({ picture, title, sentence, actions = [], isLoading = false }) {
  return element(
    "div", { class: isLoading ? "state loading" : "state" },
    element("div", { class: "state-picture" }, icon(picture)),
    element("h2", { text: title, dir: "auto" }),
    sentence ? element("p", { text: sentence, dir: "auto" }) : null,
    actions.length ? element("div", { class: "state-actions" }, ...actions) : null);
}
