// The texts of the page in the user's language. A language is one file, `texts-en.js`.

import english from "./texts-en.js";
import swedish from "./texts-sv.js";

/** The languages that have a file, by the name that its speakers use. */
export const languages = { en: "English", sv: "Svenska" };

const files = { en: english, sv: swedish };

let texts = english;
let language = "en";
let plural = new Intl.PluralRules("en");

/** Uses a language, or the first of the browser's that has a file. */
export function useLanguage(chosen = null) {
  const codes = [chosen, ...navigator.languages].filter(Boolean).map((tag) => tag.split("-")[0].toLowerCase());
  language = codes.find((code) => Object.hasOwn(languages, code)) ?? "en";
  // The dates follow the browser's region if it speaks the same language.
  const locale = navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;
  plural = new Intl.PluralRules(language);
  formats.locale = locale;
  texts = files[language];
  document.documentElement.lang = language;
  document.documentElement.dir = texts.direction ?? "ltr";
}

export const currentLanguage = () => language;

/**
 * Returns the text `key`, with `{name}` replaced by `values.name`. `values.count` chooses the plural form. What has no
 * name is called so.
 */
export function text(key, values = {}) {
  const found = texts[key] ?? english[key] ?? key;
  const form = typeof found === "string" ? found : found[plural.select(values.count)] ?? found.other;
  return form.replace(/\{(\w+)\}/g, (_, name) =>
    typeof values[name] === "number" ? values[name].toLocaleString(formats.locale) : inSentence(values[name] || unnamed(name)));
}

const unnamed = (key) => (key === "name" ? text("contact.unnamed") : ["account", "device"].includes(key) ? text("unknown") : "");

/** A value inside a sentence: it must not turn the words around it, which other direction marks could do. */
function inSentence(value) {
  const marked = String(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
  return marked !== value || rightToLeft.test(marked) ? `\u2068${marked}\u2069` : marked;
}

/** The name of the device that made a change; its id if nobody told the name. */
export const deviceName = ({ deviceName: name, device }) => name ?? device;

/** Matches a letter of a script that is written from right to left. */
export const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Whether there is a text `key`. */
export const hasText = (key) => key in texts || key in english;

/** Dates and times as the user writes them. */
export const formats = {
  locale: "en",
  moment(time) {
    return new Date(time).toLocaleString(formats.locale, { dateStyle: "medium", timeStyle: "short" });
  },
  /** The time, with the date unless it is today. */
  shortMoment(time) {
    const date = new Date(time);
    const today = date.toDateString() === new Date().toDateString();
    return date.toLocaleString(
      formats.locale, today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
  },
  /** A date of a card, `1984-06-05` or `--06-05`; other texts are returned as they are. */
  day(value) {
    const parts = /^(\d{4}|-)-(\d{2})-(\d{2})$/.exec(value);
    if (!parts) return value;
    const hasYear = parts[1] !== "-";
    // 2000 has every day that a date without a year may name.
    const date = new Date(Date.UTC(hasYear ? +parts[1] : 2000, parts[2] - 1, +parts[3]));
    if (hasYear) date.setUTCFullYear(+parts[1]);
    return date.toLocaleDateString(formats.locale, {
      timeZone: "UTC", day: "numeric", month: "long", ...(hasYear ? { year: "numeric" } : {}),
    });
  },
};
