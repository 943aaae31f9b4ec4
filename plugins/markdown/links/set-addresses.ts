import type { Element, Root, Properties } from "hast";
import { eachElement } from "../parse/elements.js";
import {
  isLocalReference,
  safeUrl,
  type UrlUse,
  mapSrcset,
  parseSrcset,
} from "../render/html/safe-url.js";
import type { Facts, ReferenceFact } from "../render/render-job.js";

interface UrlAttribute {
  property: string;
  use: UrlUse;
}

const ADDRESSES: Readonly<Record<string, readonly UrlAttribute[]>> = {
  a: [{ property: "href", use: "link" }],
  img: [{ property: "src", use: "source" }],
  source: [{ property: "src", use: "source" }],
  track: [{ property: "src", use: "source" }],
  audio: [{ property: "src", use: "source" }],
  iframe: [{ property: "src", use: "source" }],
  embed: [{ property: "src", use: "source" }],
  object: [{ property: "data", use: "source" }],
  video: [
    { property: "src", use: "source" },
    { property: "poster", use: "source" },
  ],
};

/** The unique references of a body that may lead to media or pages of this site. */
export function collectReferences(tree: Root): string[] {
  const references = new Set<string>();
  eachElement(tree, (element) => {
    for (const { property } of addressesOf(element)) add(element.properties[property]);
    const srcset = element.properties["srcSet"];
    if (typeof srcset === "string") parseSrcset(srcset).forEach(({ url }) => add(url));
  });
  return [...references];

  function add(value: unknown): void {
    if (typeof value === "string" && isLocalReference(value)) references.add(value);
  }
}

/** Options of resolving links. */
interface LinkOptions {
  /** True: URLs with any scheme stay. */
  readonly trusted: boolean;
}

/** Replaces references with URLs; removes URLs with a disallowed scheme unless `trusted`. */
export function setAddresses(tree: Root, facts: Facts, options: LinkOptions): void {
  const resolve = (reference: string): string => facts.get(reference)?.url ?? reference;
  eachElement(tree, (element) => {
    const { properties } = element;
    for (const { property, use } of addressesOf(element)) {
      const value = properties[property];
      if (typeof value !== "string") continue;
      const url = resolve(value);
      const safe = options.trusted ? url : safeUrl(url, use);
      if (safe === null) delete properties[property];
      else properties[property] = safe;
      if (element.tagName === "img") noteSource(element, value, facts);
    }
    resolveSrcset(element, resolve);
  });
}

function resolveSrcset({ properties }: Element, resolve: (url: string) => string): void {
  const srcset = properties["srcSet"];
  if (srcset === undefined) return;
  const mapped = typeof srcset === "string" ? mapSrcset(srcset, resolve) : "";
  if (mapped === "") delete properties["srcSet"];
  else properties["srcSet"] = mapped;
}

// The step that completes images runs after sanitising and no longer sees the reference.
function noteSource(element: Element, reference: string, facts: Facts): void {
  if (facts.has(reference)) element.data = { ...element.data, reference };
}

function addressesOf(element: Element): readonly UrlAttribute[] {
  return Object.hasOwn(ADDRESSES, element.tagName) ? (ADDRESSES[element.tagName] ?? []) : [];
}

declare module "hast" {
  interface ElementData {
    /** The image's reference as written. */
    reference?: string;
  }
}

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
  const stated = { width: properties["width"], height: properties["height"] };
  if (!(width > 0 && height > 0)) {
    if (width > 0 && isEmpty(stated.width)) properties["width"] = String(width);
    if (height > 0 && isEmpty(stated.height)) properties["height"] = String(height);
    return;
  }
  if (isEmpty(stated.width) && isEmpty(stated.height)) {
    properties["width"] = String(width);
    properties["height"] = String(height);
  } else if (isEmpty(stated.height)) {
    setPartner(properties, "height", toPixels(stated.width) * (height / width));
  } else if (isEmpty(stated.width)) {
    setPartner(properties, "width", toPixels(stated.height) * (width / height));
  }
}

/** NaN (a percentage) adds nothing: the partner of a relative size is not known. */
function setPartner(properties: Properties, name: "width" | "height", pixels: number): void {
  if (pixels > 0) properties[name] = String(Math.max(1, Math.round(pixels)));
}

/** Pixels of a dimension as HTML reads it: `200`, `200.5` or `200px`; NaN for others. */
function toPixels(value: unknown): number {
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
