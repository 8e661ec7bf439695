// The choice between all contacts and one group.

import { element } from "./elements.js";
import { text } from "./texts.js";

/** Returns `{ box, show(groups), value() }`; the value is the id of a group, or an empty text for all contacts. */
export function groupChoice(id) {
  const choice = element("select", { id, class: "field", data: { key: id } });
  const option = (value, title) => element("option", { value, text: title });
  let shown = "";
  return {
    box: element("div", { class: "field-box" }, element("label", { for: id, text: text("export.contacts") }), choice),
    value: () => choice.value,
    show(groups) {
      const wanted = JSON.stringify(groups.map(({ id: group, title }) => [group, title]));
      if (wanted === shown) return;
      shown = wanted;
      const { value } = choice;
      choice.replaceChildren(option("", text("groups.all")), ...groups.map((group) => option(group.id, group.title)));
      choice.value = groups.some((group) => group.id === value) ? value : "";
    },
  };
}

/** The title of a group, or undefined for all contacts. */
export const groupTitle = (groups, id) => groups.find((group) => group.id === id)?.title;
