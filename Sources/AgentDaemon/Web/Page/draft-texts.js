// What the user has typed in a draft, as lines that can be read and copied.

import { textFields } from "./fields.js";
import { hasText, text } from "./texts.js";

/** The texts that differ from those that the form began with: “Note: Half a sentence”. */
export function draftTexts({ kind, base, texts }) {
  if (kind !== "contact") return texts.text ?? "";
  const typed = Object.entries(texts).filter(([path, value]) => value !== (base[path] ?? "") && isText(path));
  return typed.map(([path, value]) => `${label(path)}: ${value}`).join("\n");
}

/** A label alone, the group and marks say nothing. */
const isText = (path) => textFields.includes(path) || (path.includes("/") && !path.endsWith("/label"));

function label(path) {
  const [name, , part] = path.split("/");
  if (!part) return text(`field.${name}`);
  const key = `field.${part}`;
  return part !== "value" && hasText(key) ? text(key) : text(`list.${name}.one`);
}
