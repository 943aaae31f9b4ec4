// The jobs of the panel done by hand: with a pointer, or with the keyboard alone.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Browser, Locator, Page } from "playwright-core";
import type { AdminSite } from "../sites/admin-site.js";
import { clicksOf } from "./panel-clicks.js";
import { openPanel, type PanelPageOptions } from "./panel-browser.js";
import { hasAllPairings } from "./views.js";

const PAIRINGS = [
  { by: "pointer", width: 1280, colorScheme: "light" },
  { by: "keyboard", width: 390, colorScheme: "dark" },
  { by: "pointer", width: 390, colorScheme: "light" },
  { by: "keyboard", width: 1280, colorScheme: "dark" },
  { by: "pointer", width: 1280, colorScheme: "dark" },
  { by: "keyboard", width: 390, colorScheme: "light" },
  { by: "pointer", width: 390, colorScheme: "dark" },
  { by: "keyboard", width: 1280, colorScheme: "light" },
] as const;
/** One way of doing a job. */
export type Run = (typeof PAIRINGS)[number];
/** How each job is done: both hands, both widths and both schemes; with all pairings each with each. */
export const RUNS: readonly Run[] = hasAllPairings ? PAIRINGS : PAIRINGS.slice(0, 2);

/**
 * How the n-th job of a table is done: by both hands at both widths, and at both in both schemes. The next job has
 * the other scheme for each hand; with all pairings every job has both.
 */
export function runsOf(at: number): readonly Run[] {
  const half = PAIRINGS.length / 2;
  const first = (at % 2) * half;
  return hasAllPairings ? PAIRINGS : PAIRINGS.slice(first, first + half);
}

/** A name of its own for what a run of a job works on. */
export function slugOf(job: string, { by, width, colorScheme }: Run): string {
  return `${job}-${by}-${width}-${colorScheme}`;
}

const MAX_TABS = 150;
/** Runs in the browser. The keyboard causes clicks, but none of these. */
const MOUSE_WATCH = `for (const type of ["pointerdown", "mousedown", "mousemove", "wheel"]) {
  addEventListener(type, () => window.noteMouse(type), { capture: true, passive: true });
}`;
const KEYS = { skip: "Enter", along: "ArrowRight", on: "Tab", back: "Shift+Tab" } as const;

/** A file that a person chooses. */
interface NewFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Presses, fills and chooses, and counts the presses of the pointer. */
export class Hands {
  readonly page: Page;
  readonly #by: Run["by"];
  /** Events of a mouse that the page got. */
  readonly #mouse: string[] = [];
  /** Presses of the pointer so far; a choice in a list counts two, opening the menu of a narrow window none. */
  clicks = 0;

  constructor(page: Page, by: Run["by"]) {
    this.page = page;
    this.#by = by;
  }

  /** From now on, `finish` fails when the page got events of a mouse. */
  async watchMouse(): Promise<void> {
    await this.page.exposeFunction("noteMouse", (type: string) => void this.#mouse.push(type));
    await this.page.addInitScript(MOUSE_WATCH);
    await this.page.evaluate(MOUSE_WATCH);
  }

  /** Begins to count the presses of a job. */
  begin(): void {
    this.clicks = 0;
  }

  /** Fails unless the job took as many presses as the docs of the panel say, or none. */
  finish(job: string): void {
    if (this.isKeyboard) return assert.deepEqual(this.#mouse, [], `a mouse was used: ${job}`);
    assert.equal(this.clicks, clicksOf(job).sitewright, `presses of the pointer: ${job}`);
  }

  get isKeyboard(): boolean {
    return this.#by === "keyboard";
  }

  /** Presses a button, a link, or the switch of a menu. */
  async press(target: Locator, key = "Enter"): Promise<void> {
    this.clicks += 1;
    if (!this.isKeyboard) return target.click();
    await this.reach(target);
    await this.page.keyboard.press(key);
  }

  /** Turns a checkbox or radio button on. */
  async check(target: Locator): Promise<void> {
    await this.press(target, "Space");
  }

  /** Replaces the text of a field. */
  async fill(target: Locator, text: string): Promise<void> {
    await this.enter(target);
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.type(text);
  }

  /** Puts the cursor into a field; no press when it is there. */
  async enter(target: Locator): Promise<void> {
    await target.waitFor();
    const isThere = await target.evaluate((element) => element === document.activeElement);
    if (isThere) return;
    if (this.isKeyboard) return this.reach(target);
    this.clicks += 1;
    await target.click();
  }

  /** Chooses an entry of a list. */
  async choose(target: Locator, label: string): Promise<void> {
    this.clicks += 2;
    if (this.isKeyboard) {
      await this.reach(target);
      await this.page.keyboard.type(label);
    } else await target.selectOption({ label });
  }

  /** Enters a date, whose day is the number of its month, with its time: part after part by keyboard. */
  async fillMoment(target: Locator, [date, time]: readonly [string, string]): Promise<void> {
    await this.enter(target);
    const [year = "", month = "", day = ""] = date.split("-");
    if (!this.isKeyboard) return target.fill(`${date}T${time}`);
    await this.page.keyboard.type(`${day}${month}${year}`);
    await this.page.keyboard.press("ArrowRight");
    // Clocks of twelve hours have a third part; others ignore it.
    await this.page.keyboard.type(`${time.replace(":", "")}AM`);
  }

  /** Chooses a file in the window of the browser. */
  async upload(target: Locator, files: NewFile | readonly NewFile[]): Promise<void> {
    const chooser = this.page.waitForEvent("filechooser");
    await this.press(target);
    await (await chooser).setFiles([files].flat());
  }

  /** Opens a screen from the menu. */
  async go(screen: string, heading = screen): Promise<void> {
    const menu = this.page.getByRole("button", { name: "Menu", exact: true });
    const navigation = this.page.getByRole("navigation", { name: "Menu" });
    // One of them is visible, once the frame is drawn.
    await menu.or(navigation).filter({ visible: true }).first().waitFor();
    if (await menu.isVisible()) {
      await this.press(menu);
      this.clicks -= 1;
    }
    await this.press(navigation.getByRole("link", { name: screen, exact: true }));
    await this.page.getByRole("heading", { level: 1, name: heading }).waitFor();
  }

  /** Moves to an item of a tree, which is one stop for Tab. */
  async reachItem(tree: Locator, item: Locator): Promise<void> {
    if (!this.isKeyboard) return item.hover();
    await this.reach(tree.locator("[role=treeitem][tabindex='0']"));
    for (let steps = 0; steps < MAX_TABS; steps += 1) {
      if (await item.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press("ArrowDown");
    }
    assert.fail(`the keyboard does not reach ${String(item)}`);
  }

  /** Moves the focus by Tab, the way that is shorter. */
  async reach(target: Locator): Promise<void> {
    await target.waitFor();
    for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
      const way = await target.evaluate(wayTo);
      if (way === "there") return;
      // The link that skips the menu is the first of the page.
      const key = KEYS[way];
      await this.page.keyboard.press(key);
    }
    assert.fail(`the keyboard does not reach ${String(target)}`);
  }
}

/** Runs in the browser. Arrow keys move inside a toolbar. */
function wayTo(target: Element): "there" | keyof typeof KEYS {
  const focused = document.activeElement;
  if (focused === target) return "there";
  if (focused === null || focused === document.body) return "on";
  if (target.closest("[role=toolbar]")?.contains(focused) === true) return "along";
  const isInMain = target.closest("#main") !== null;
  if (focused.matches("a.skip") && isInMain) return "skip";
  const isBehind = focused.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING;
  return isBehind && !focused.contains(target) ? "back" : "on";
}

/** Opens the panel for one way of doing a job. */
export async function openHands(
  browser: Browser,
  site: AdminSite,
  { run, ...options }: PanelPageOptions & { run: Run },
): Promise<{ hands: Hands; page: Page; close(): Promise<void> }> {
  const { by, width, colorScheme } = run;
  // Each run has an account of its own.
  const username = `${by}-${width}-${randomUUID().slice(0, 8)}`;
  const viewport = { width, height: width < 600 ? 844 : 900 };
  const shown = { viewport, colorScheme, bypassCSP: true, ...options, username };
  const { page, close } = await openPanel(browser, site, shown);
  const hands = new Hands(page, by);
  if (hands.isKeyboard) await hands.watchMouse();
  return { hands, page, close };
}
