/** The links of a body to pages by name, and the report of those without a page. */
import type { Page } from "../../content/contract.js";
import type { ReferenceFact } from "../render/render-options.js";
import { fromWikiKey } from "../syntax/wiki-links.js";
import type { PageProblems } from "./page-problems.js";
import { WikiPages } from "./wiki-pages.js";

/** Resolves wiki links. */
export class WikiLinks {
  readonly problems: PageProblems;
  readonly #pages: WikiPages;

  constructor(pages: WikiPages, problems: PageProblems) {
    this.#pages = pages;
    this.problems = problems;
  }

  /** The facts of links by their keys; those without a page are absent, and reported. */
  facts(page: Page, keys: readonly string[]): Map<string, ReferenceFact> {
    const facts = new Map<string, ReferenceFact>();
    const pages = page.moment === undefined ? this.#pages : new WikiPages(page.moment);
    this.problems.start(page);
    for (const key of keys) {
      const { line, name } = fromWikiKey(key);
      const url = pages.urlOf(page.entry, name);
      if (url !== null) facts.set(key, { url });
      else this.#report(page, line, name);
    }
    this.problems.finish(page);
    return facts;
  }

  #report(page: Page, line: number, name: string): void {
    const near = this.#pages.nearestTitle(name);
    this.problems.add(page, line, {
      message: `no page is called ${JSON.stringify(name)}; the link is shown as text`,
      value: `[[${name}]]`,
      fix: near === null ? "use a title, a slug or a file name" : `did you mean [[${near}]]?`,
    });
  }
}
