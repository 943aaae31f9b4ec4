import { escapeHtml } from "#kernel";
import type { PageRequest } from "../contract.js";
import { encodePath } from "./url.js";

/** The addresses in a page's head. */
export interface HeadInput {
  /** Absolute. */
  canonical: string | null;
  /** Includes the page's own language; empty on a site with one language. */
  translations: readonly { lang: string; url: string }[];
  /** Base URL of the site. */
  base: string;
  defaultLang: string;
  /** Absolute or root-relative. */
  prevUrl: string | null;
  nextUrl: string | null;
}

/** Returns markup for `<head>`. */
export class Head {
  readonly #parts: ((req: PageRequest) => string)[] = [];
  readonly #ofPlugins: (req: PageRequest) => readonly string[];

  constructor(ofPlugins: (req: PageRequest) => readonly string[] = () => []) {
    this.#ofPlugins = ofPlugins;
  }

  add(part: (req: PageRequest) => string): void {
    this.#parts.push(part);
  }

  /** Canonical link, language alternatives and neighbours, then the markup of plugins. */
  of(req: PageRequest, input: HeadInput | null): string {
    const markup = this.#parts.map((part) => part(req));
    const added = [...markup, ...this.#ofPlugins(req)].join("");
    return input === null ? added : addressLinks(input) + added;
  }
}

function addressLinks(input: HeadInput): string {
  const { canonical, translations, base, defaultLang } = input;
  const links: string[] = [];
  if (canonical !== null) links.push(link("canonical", canonical));
  if (translations.length > 1) {
    for (const { lang, url } of translations) links.push(alternate(lang, absolute(base, url)));
    const main = translations.find((translation) => translation.lang === defaultLang);
    if (main !== undefined) links.push(alternate("x-default", absolute(base, main.url)));
  }
  if (input.prevUrl !== null) links.push(link("prev", input.prevUrl));
  if (input.nextUrl !== null) links.push(link("next", input.nextUrl));
  return links.join("");
}

/** Makes an address of this site absolute; leaves URLs unchanged. */
export function absolute(base: string, url: string): string {
  return /^https?:\/\//i.test(url) ? url : `${base.replace(/(?<!\/)\/+$/, "")}${encodeOnce(url)}`;
}

function encodeOnce(url: string): string {
  return /%[0-9A-Fa-f]{2}/.test(url) ? url : encodePath(url);
}

function link(rel: string, href: string): string {
  return `<link rel="${rel}" href="${escapeHtml(href)}">`;
}

function alternate(lang: string, href: string): string {
  return `<link rel="alternate" hreflang="${escapeHtml(lang)}" href="${escapeHtml(href)}">`;
}
