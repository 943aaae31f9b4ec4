// The editor of the panel on one site: every test has pages of its own.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import type { AdminSite } from "../sites/admin-site.js";
import { openPanel, type PanelPage, type PanelPageOptions } from "./panel-browser.js";

/** The text of a page from `seed`. */
export const ORIGINAL = "---\n# a comment\ntitle: First\ntags: [a]\n---\nFirst body.\n";

/** Opens and seeds pages, and closes all windows at the end of a test. */
export class EditorDesk {
  readonly #browser: Browser;
  readonly #site: () => AdminSite;
  #opened: PanelPage[] = [];
  #accounts = 0;

  constructor(browser: Browser, site: () => AdminSite) {
    this.#browser = browser;
    this.#site = site;
  }

  /** Writes a page and returns its source path. */
  async seed(slug: string, content = ORIGINAL): Promise<string> {
    const path = `02.blog/${slug}/post.md`;
    await this.#site().write(`content/${path}`, content);
    await this.#site().site.use("content").refresh([path]);
    return path;
  }

  /** Opens the editor of a page, each time with another account. */
  async open(path: string, options: PanelPageOptions = {}): Promise<Page> {
    const page = await this.screen(`/edit/${path}`, options);
    await page.locator(".cm-content").waitFor();
    return page;
  }

  /** Opens a screen. */
  async screen(path: string, options: PanelPageOptions = {}): Promise<Page> {
    const username = `writer-${(this.#accounts += 1)}`;
    const one = await openPanel(this.#browser, this.#site(), { username, path, ...options });
    this.#opened.push(one);
    return one.page;
  }

  /** The text of a file below `content/`. */
  file(path: string): Promise<string> {
    return readFile(join(this.#site().root, "content", path), "utf8");
  }

  /** Closes all windows. */
  async clear(): Promise<void> {
    for (const one of this.#opened) await one.close();
    this.#opened = [];
  }
}

/** The field with the text. */
export function textOf(page: Page): Locator {
  return page.getByRole("textbox", { name: "Text of the page" });
}

/** Types behind the text. */
export async function typeAtEnd(page: Page, text: string): Promise<void> {
  await textOf(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

/** Waits until the working copy is saved. */
export function saved(page: Page): Promise<void> {
  return page.getByText("Unpublished changes, saved").waitFor();
}

/** Publishes, and waits until that is done. */
export async function publish(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Publish/ }).click();
  // The message of an earlier publication may still be shown.
  await page.getByText("No unpublished changes").waitFor();
  await page.getByText("Published.", { exact: true }).first().waitFor();
}

/** What the browser stores of texts that are not saved. */
export function localTexts(page: Page): Promise<string> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open("keyval-store");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const { result: store } = opening;
      if (!store.objectStoreNames.contains("keyval")) return resolve("");
      const reading = store.transaction("keyval").objectStore("keyval").getAll();
      reading.onsuccess = () => resolve(JSON.stringify(reading.result));
    };
  })`);
}
