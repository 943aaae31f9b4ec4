/** Keys of pages and media whose values are texts, whatever their page type says. */
import { type Field, FieldKinds } from "#kernel";
import { fieldTexts, numberTexts, readFields } from "#lib/fields";

type FrontMatterMap = Readonly<Record<string, unknown>>;

const kinds = new FieldKinds();
// `image: false` and the like switch something off: only numbers are meant as texts.
kinds.add("numbers", {
  control: "json",
  texts: numberTexts,
  check: () => null,
  jsonSchema: () => ({}),
});

function defineFields(types: Readonly<Record<string, "text" | "numbers">>): readonly Field[] {
  const definitions = Object.entries(types).map(([name, type]) => [name, { type }]);
  return readFields(Object.fromEntries(definitions), kinds).fields;
}

const PAGE_KEYS = defineFields({
  title: "text",
  nav_title: "text",
  description: "numbers",
  summary: "numbers",
  template: "numbers",
  slug: "numbers",
  redirect: "numbers",
  author: "numbers",
  owner: "numbers",
  series: "numbers",
  image: "numbers",
  taxonomy: "numbers",
  metadata: "numbers",
  routes: "numbers",
});
const MEDIA_KEYS = defineFields({
  title: "text",
  alt: "numbers",
  caption: "numbers",
  credit: "numbers",
  copyright: "numbers",
  description: "numbers",
});

/** Front matter in which the built-in keys of a text kind are the texts in the file. */
export function pageTexts(data: FrontMatterMap, texts: FrontMatterMap | null): FrontMatterMap {
  return fieldTexts(PAGE_KEYS, data, texts);
}

/** The values of a sidecar in which the built-in keys of a text kind are the texts in the file. */
export function mediaTexts(data: FrontMatterMap, texts: FrontMatterMap | null): FrontMatterMap {
  return fieldTexts(MEDIA_KEYS, data, texts);
}
