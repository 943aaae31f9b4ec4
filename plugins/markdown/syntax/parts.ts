/**
 * Places of a body that are completed after sanitising. Each has a class that no author can guess,
 * so that no page can contain one, and sanitising keeps it.
 */
import { randomBytes } from "node:crypto";
import type { Element } from "hast";
import type { CodeInfo } from "./code-info.js";

/** What a place becomes. */
export type Part =
  | { readonly kind: "code"; readonly info: CodeInfo }
  | { readonly kind: "tabs"; readonly labels: readonly string[] }
  | { readonly kind: "math"; readonly tex: string; readonly isDisplay: boolean }
  | { readonly kind: "wiki"; readonly name: string; readonly source: string; readonly line: number }
  | { readonly kind: "toc" }
  | { readonly kind: "diagram" };

/** The places of one body. */
export class Parts {
  readonly #token = `part-${randomBytes(12).toString("hex")}-`;
  readonly #all: Part[] = [];

  get all(): readonly Part[] {
    return this.#all;
  }

  /** Returns the class of the place. */
  add(part: Part): string {
    this.#all.push(part);
    return `${this.#token}${this.#all.length - 1}`;
  }

  /** The part whose place this element is, and removes its class. */
  take(element: Element): Part | null {
    const at = this.#indexOf(element);
    if (at === null) return null;
    const names = classesOf(element).filter((name) => !name.startsWith(this.#token));
    if (names.length === 0) delete element.properties["className"];
    else element.properties["className"] = names;
    return this.#all[at] ?? null;
  }

  /** The part whose place this element is. */
  peek(element: Element): Part | null {
    const at = this.#indexOf(element);
    return at === null ? null : (this.#all[at] ?? null);
  }

  #indexOf(element: Element): number | null {
    if (this.#all.length === 0) return null;
    const own = classesOf(element).find((name) => name.startsWith(this.#token));
    return own === undefined ? null : Number(own.slice(this.#token.length));
  }
}

/** The classes of an element. */
export function classesOf({ properties: { className } }: Element): string[] {
  return Array.isArray(className) ? className.map(String) : [];
}
