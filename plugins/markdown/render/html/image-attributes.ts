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
  const { width, height, ...others } = fact.attributes ?? {};
  fillSize(properties, Number(width), Number(height));
  for (const [name, value] of Object.entries(others)) {
    const property = PROPERTY_NAMES[name] ?? name;
    if (isEmpty(properties[property])) properties[property] = value;
  }
}

/** Adds the size of the file; one given dimension gets its partner by the ratio of the file. */
function fillSize(properties: Properties, width: number, height: number): void {
  const given = { width: properties["width"], height: properties["height"] };
  if (!(width > 0 && height > 0)) {
    if (width > 0 && isEmpty(given.width)) properties["width"] = String(width);
    if (height > 0 && isEmpty(given.height)) properties["height"] = String(height);
    return;
  }
  if (isEmpty(given.width) && isEmpty(given.height)) {
    properties["width"] = String(width);
    properties["height"] = String(height);
  } else if (isEmpty(given.height)) {
    setPartner(properties, "height", pixelsOf(given.width) * (height / width));
  } else if (isEmpty(given.width)) {
    setPartner(properties, "width", pixelsOf(given.height) * (width / height));
  }
}

/** NaN (a percentage) adds nothing: the partner of a relative size is not known. */
function setPartner(properties: Properties, name: "width" | "height", pixels: number): void {
  if (pixels > 0) properties[name] = String(Math.max(1, Math.round(pixels)));
}

/** Pixels of a dimension as HTML reads it: `200`, `200.5` or `200px`; NaN for others. */
function pixelsOf(value: unknown): number {
  const text = typeof value === "number" ? String(value) : value;
  const number = typeof text === "string" ? /^\s*(\d+(?:\.\d+)?)\s*(?:px)?\s*$/i.exec(text) : null;
  return number === null ? Number.NaN : Number(number[1]);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

const PROPERTY_NAMES: Readonly<Record<string, string>> = {
  srcset: "srcSet",
  class: "className",
  fetchpriority: "fetchPriority",
};
