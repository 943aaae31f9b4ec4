// A job of the panel, and what its runs work with.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { checkAccessible, type PanelPageOptions } from "../browsers/panel-browser.js";
import { openHands, slugOf, type Hands, type Run } from "../browsers/panel-hands.js";
import type { AdminClient, AdminSite } from "../sites/admin-site.js";

/** One everyday job: what exists before it, and its steps. The same steps are done by pointer and by keyboard. */
export interface PanelJob {
  /** A word for its pages and pictures. */
  readonly name: string;
  /** What the person does, as a claim. */
  readonly title: string;
  run(desk: JobDesk): Promise<void>;
}

/** A site for all jobs. */
export interface JobSite {
  readonly browser: Browser;
  readonly site: AdminSite;
  /** Prepares what is there before a job. */
  readonly admin: AdminClient;
}

/** One run of a job: its page, its windows, and checks of what they show. */
export class JobDesk {
  /** Title and slug of the page that the job is about. */
  readonly name: string;
  /** Source path of this page. */
  readonly path: string;
  readonly run: Run;
  readonly #shared: JobSite;
  readonly #job: string;
  #opened: (() => Promise<void>)[] = [];
  #last: Hands | null = null;

  constructor(shared: JobSite, { name }: Pick<PanelJob, "name">, run: Run) {
    this.#shared = shared;
    this.#job = name;
    this.run = run;
    this.name = slugOf(name, run);
    this.path = `02.blog/${this.name}/post.md`;
  }

  get site(): AdminSite {
    return this.#shared.site;
  }

  get admin(): AdminClient {
    return this.#shared.admin;
  }

  /** Writes the page of the job, or another one: its title, further front matter, and its text. */
  async seed(body: string, { path = this.path, title = this.name, more = "" } = {}): Promise<void> {
    await this.write({ [path]: `---\ntitle: ${title}\n${more}---\n${body}` });
  }

  /** Writes files below `content/`. */
  async write(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
    for (const [path, file] of Object.entries(files)) {
      await this.site.write(`content/${path}`, file);
    }
    await this.site.site.use("content").refresh(Object.keys(files));
  }

  /** Opens a screen in a window of its own; nothing is counted yet. */
  async open(options: PanelPageOptions = {}): Promise<Hands> {
    const { browser, site } = this.#shared;
    const { hands, close } = await openHands(browser, site, { run: this.run, ...options });
    this.#opened.push(close);
    this.#last = hands;
    return hands;
  }

  /** Opens the editor of the job's page. */
  async edit(options: PanelPageOptions = {}): Promise<Hands> {
    const hands = await this.open({ path: `/edit/${this.path}`, ...options });
    await hands.page.locator(".cm-content").waitFor();
    return hands;
  }

  /** The front matter and the text of a file below `content/`. */
  file(path = this.path): Promise<string> {
    return readFile(join(this.site.root, "content", path), "utf8");
  }

  /** The text of a file, without its front matter. */
  async body(path = this.path): Promise<string> {
    const [, , ...body] = (await this.file(path)).split(/^---\n/m);
    return body.join("---\n");
  }

  /** Fails on violations of accessibility rules and on sideways scrolling, once all is loaded. */
  async look({ page }: Hands, view: string): Promise<void> {
    const loading = page.getByText("Loading …").or(page.getByLabel("Loading …"));
    await loading.first().waitFor({ state: "detached" });
    await checkAccessible(page, `job-${slugOf(`${this.#job}-${view}`, this.run)}`);
  }

  /** Looks at what the last window shows at the end, and closes all. */
  async end(isDone: boolean): Promise<void> {
    try {
      if (isDone && this.#last !== null) await this.look(this.#last, "end");
    } finally {
      for (const close of this.#opened.splice(0)) await close();
    }
  }
}

/** The field with the text of the page. */
export function textOf(page: Page): Locator {
  return page.getByRole("textbox", { name: "Text of the page" });
}

/** Puts the cursor behind the last line, which has these words. */
export async function goToEnd(hands: Hands, words: string): Promise<void> {
  const { page } = hands;
  if (hands.isKeyboard) {
    await hands.enter(textOf(page));
    return page.keyboard.press("Control+End");
  }
  const line = page.locator(".cm-line", { hasText: words }).last();
  const { width = 0 } = (await line.boundingBox()) ?? {};
  hands.clicks += 1;
  await line.click({ position: { x: width - 4, y: 10 } });
}

/** Publishes, and waits until that is done. */
export async function publish(hands: Hands): Promise<void> {
  const { page } = hands;
  await hands.press(page.getByRole("button", { name: /^Publish/ }));
  await page.getByText("No unpublished changes").waitFor();
  await page.getByText("Published.", { exact: true }).first().waitFor();
}

/** Opens the fields of the page in a narrow window, which hides them; this press is not counted. */
export async function showFields(hands: Hands): Promise<void> {
  const fields = hands.page.getByRole("button", { name: "Fields", exact: true });
  await fields.waitFor();
  if ((await fields.getAttribute("aria-pressed")) === "true") return;
  await hands.press(fields);
  hands.clicks -= 1;
}

/** Begins a new page with a title; returns the dialog. */
export async function openNewPage(hands: Hands, title: string): Promise<Locator> {
  const { page } = hands;
  await hands.press(page.getByRole("link", { name: "New page" }));
  const dialog = page.getByRole("dialog", { name: "New page" });
  await hands.fill(dialog.getByLabel("Title"), title);
  return dialog;
}

/** Chooses an entry of the menu beside the button that publishes. */
export async function chooseMore(hands: Hands, entry: string): Promise<void> {
  await hands.press(hands.page.getByLabel("More actions"));
  await hands.press(hands.page.getByRole("button", { name: entry, exact: true }));
}
