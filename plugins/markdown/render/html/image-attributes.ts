import type { Properties, Root } from "hast";
import { eachElement } from "../../parse/each-element.js";
import type { Facts, ReferenceFact } from "../render-options.js";

/** Adds lazy loading and async decoding to images; takes missing alt and title from the sidecar. */
export function fillImages(tree: Root, facts: Facts): void {
  eachElement(tree, ({ tagName, properties, data }) => {
    if (tagName !== "img") return;
    properties["loading"] ??= "lazy";
    properties["decoding"] ??= "async";
    properties["alt"] ??= "";
    const fact = data?.reference === undefined ? undefined : facts.get(data.reference);
    if (fact !== undefined) fillImage(properties, fact);
  });
}

function fillImage(properties: Properties, fact: ReferenceFact): void {
  if (isEmpty(properties["alt"]) && fact.alt !== undefined) properties["alt"] = fact.alt;
  if (isEmpty(properties["title"]) && fact.title !== undefined) properties["title"] = fact.title;
  for (const [name, value] of Object.entries(fact.attributes ?? {})) {
    const property = PROPERTY_NAMES[name] ?? name;
    if (isEmpty(properties[property])) properties[property] = value;
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

const PROPERTY_NAMES: Readonly<Record<string, string>> = {
  srcset: "srcSet",
  class: "className",
  fetchpriority: "fetchPriority",
};
