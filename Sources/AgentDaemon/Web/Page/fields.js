// The fields of a contact, in the order in which cards and forms show them.

import { hasText, text } from "./texts.js";

/** Texts of the name that a form always shows. */
export const nameFields = ["firstName", "lastName"];
/** Texts of the name that a form shows on demand. */
export const moreNameFields = [
  "namePrefix", "middleName", "nameSuffix", "nickname", "displayName", "phoneticFirstName", "phoneticMiddleName",
  "phoneticLastName",
];
export const workFields = ["company", "title", "role", "departments"];
export const otherFields = ["birthday", "anniversary", "categories", "note"];
/** Lists of texts; a form shows one text on each line. */
export const lineFields = ["departments", "categories"];
export const textFields = [...nameFields, ...moreNameFields, ...workFields, ...otherFields];

/** The lists of entries, with the parts of an entry. */
export const entryLists = {
  phones: ["value"], emails: ["value"],
  addresses: ["street1", "street2", "poBox", "zipcode", "city", "state", "country"],
  urls: ["value"], dates: ["value"], related: ["value"], instantMessages: ["value"],
};

/** The labels that forms offer. A label is free text; these are the usual ones. */
export const usualLabels = {
  phones: ["mobile", "home", "work", "main", "home fax", "work fax", "pager", "other"],
  emails: ["home", "work", "school", "other"], addresses: ["home", "work", "school", "other"],
  urls: ["homepage", "home", "work", "other"], dates: ["anniversary", "other"],
  related: ["spouse", "partner", "child", "parent", "sibling", "friend", "assistant", "other"],
  instantMessages: ["home", "work", "other"],
};

/** The lines of a postal address. */
export function addressLines(address) {
  const town = [address.city, address.state].filter(Boolean).join(", ");
  return [
    address.street1, address.street2, address.poBox, [town, address.zipcode].filter(Boolean).join(" "),
    address.country,
  ].filter(Boolean);
}

/** The address that a click on a value opens, or null. */
export function link(list, value) {
  if (list === "phones") {
    const digits = value.replace(/[^\d+*#]/g, "");
    return digits ? `tel:${digits}` : null;
  }
  if (list === "emails") return /^[^\s@]+@[^\s@]+$/.test(value) ? `mailto:${encodeURIComponent(value)}` : null;
  // Other schemes could run programs.
  if (list === "urls") return /^https?:\/\//i.test(value) ? value : null;
  return null;
}

/** The name of a field or of one entry of a list, as the agent calls it in histories and conflicts. */
export function fieldName(field) {
  return [`list.${field}.one`, `field.${field}`].filter(hasText).map((key) => text(key))[0] ?? field;
}
