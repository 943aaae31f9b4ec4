import type { Element, Root } from "hast";
import { eachElement } from "../parse/each-element.js";
import { isLocalReference, safeUrl, type UrlUse } from "../render/html/safe-url.js";
import { mapSrcset, parseSrcset } from "../render/html/srcset.js";
import type { Facts } from "../render/render-options.js";

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
  const found = new Set<string>();
  eachElement(tree, (element) => {
    for (const { property } of addressesOf(element)) add(element.properties[property]);
    const srcset = element.properties["srcSet"];
    if (typeof srcset === "string") parseSrcset(srcset).forEach(({ url }) => add(url));
  });
  return [...found];

  function add(value: unknown): void {
    if (typeof value === "string" && isLocalReference(value)) found.add(value);
  }
}

/** Replaces references with URLs; removes URLs with a disallowed scheme unless `trusted`. */
export function resolveLinks(tree: Root, facts: Facts, options: { trusted: boolean }): void {
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
