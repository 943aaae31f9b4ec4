// The panel for a suite: a site of its own for each test, and signed-in windows that are closed after it.
import type { Browser, Page } from "playwright-core";
import type { useChromium } from "../services.js";
import type { AdminSite } from "../sites/admin-site.js";
import { bootPanel, openPanel, type PanelPage, type PanelPageOptions } from "./panel-browser.js";

/** The site of the running test, and its windows. */
export interface PanelDesk {
  readonly site: AdminSite;
  /** Opens a screen in a window of its own. */
  open(options?: PanelPageOptions): Promise<Page>;
}

/**
 * Boots a site before each test of the suite; closes windows and site after it. Suites name `useChromium`
 * themselves, because that is how the test runner knows which files need a browser.
 */
export function usePanel(
  startBrowser: typeof useChromium,
  boot: () => Promise<AdminSite> = bootPanel,
): PanelDesk {
  let browser: Browser;
  let site: AdminSite;
  const opened: PanelPage[] = [];
  before(async function () {
    browser = await startBrowser(this);
  });
  beforeEach(async () => {
    site = await boot();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await site.close();
  });
  return {
    get site() {
      return site;
    },
    async open(options) {
      const one = await openPanel(browser, site, options);
      opened.push(one);
      return one.page;
    },
  };
}
