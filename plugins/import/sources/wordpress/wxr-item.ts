/** The fields of an item of a WordPress export. */
import type { XmlElement } from "./read-xml.js";

/** A category, tag or other term of an item. */
export interface WxrTerm {
  readonly domain: string;
  readonly name: string;
}
/** An item: post, page, attachment, menu entry or another type. */
export interface WxrItem {
  readonly line: number;
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly title: string;
  readonly slug: string;
  readonly link: string;
  readonly guid: string;
  readonly creator: string;
  readonly parent: string;
  readonly content: string;
  readonly excerpt: string;
  /** `2020-05-01 08:30:00`, in the time of the old site. */
  readonly date: string;
  readonly menuOrder: number;
  readonly isSticky: boolean;
  readonly hasPassword: boolean;
  readonly attachmentUrl: string;
  readonly terms: readonly WxrTerm[];
  readonly meta: ReadonlyMap<string, string>;
  readonly comments: number;
}

/** Reads an `item`. */
export function toItem(element: XmlElement): WxrItem {
  const text = (name: string): string => textOf(element, name);
  return {
    line: element.line,
    id: text("wp:post_id"),
    type: text("wp:post_type") || "post",
    status: text("wp:status") || "publish",
    title: decodeEntities(text("title")),
    slug: text("wp:post_name"),
    link: text("link"),
    guid: text("guid"),
    creator: text("dc:creator"),
    parent: text("wp:post_parent"),
    content: rawText(element, "content:encoded"),
    excerpt: text("excerpt:encoded"),
    date: text("wp:post_date"),
    menuOrder: Number.parseInt(text("wp:menu_order"), 10) || 0,
    isSticky: text("wp:is_sticky") === "1",
    hasPassword: text("wp:post_password") !== "",
    attachmentUrl: text("wp:attachment_url"),
    terms: termsOf(element),
    meta: metaOf(element),
    comments: element.children.filter(({ name }) => name === "wp:comment").length,
  };
}

/** The trimmed text of a child; empty without one. */
export function textOf(element: XmlElement, name: string): string {
  return rawText(element, name).trim();
}

function rawText({ children }: XmlElement, name: string): string {
  return children.find((child) => child.name === name)?.text ?? "";
}

function termsOf({ children }: XmlElement): WxrTerm[] {
  return children
    .filter(({ name }) => name === "category")
    .map(({ attributes, text }) => ({
      domain: attributes["domain"] ?? "category",
      name: decodeEntities(text.trim()),
    }))
    .filter(({ name }) => name !== "");
}

function metaOf({ children }: XmlElement): ReadonlyMap<string, string> {
  return new Map(
    children
      .filter(({ name }) => name === "wp:postmeta")
      .map((child) => [textOf(child, "wp:meta_key"), textOf(child, "wp:meta_value")]),
  );
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Titles and terms are HTML in the database. */
export function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (whole: string, ...[decimal, hex, name]: (string | undefined)[]) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
