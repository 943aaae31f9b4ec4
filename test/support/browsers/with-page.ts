import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** Runs `work` on a page of a new context, which is closed at the end. */
export async function withPage(
  browser: Browser,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
}
