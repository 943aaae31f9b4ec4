import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible, bootPanel } from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { useChromium } from "../../support/services.js";
import { VIEWS } from "../../support/browsers/views.js";

const post = "02.blog/first/post.md";
const draft = "02.blog/second/post.md";
const live = "---\ntitle: First\n---\nThe harbour at dawn.\n";
const files = {
  [`content/${post}`]: live,
  [`content/${draft}`]: "---\ntitle: Second\nstatus: draft\n---\nSoon.\n",
};
const PUBLISH_AT = "2099-12-24T08:00:00Z";

describe("the panel's screen Planned", () => {
  const desk = usePanel(useChromium, () => bootPanel({ files }));
  const listed = async (): Promise<string[]> => {
    const admin = await desk.site.as("admin", { username: `reader-${Math.random()}` });
    const { items } = await admin.json(200, "GET", "/admin/api/workflow/scheduled");
    return items.map(
      ({ action, scheduledAt }: Record<string, string>) => `${action} ${scheduledAt}`,
    );
  };
  /** Plans the draft, and changes of the live page. */
  async function prepare(): Promise<void> {
    const editor = await desk.site.as("editor", { username: "prepared" });
    const plan = { path: draft, action: "publish", scheduledAt: PUBLISH_AT };
    await editor.json(201, "POST", "/admin/api/workflow/schedule", plan);
    const url = `/admin/api/drafts/${post}`;
    await editor.json(201, "PUT", url, { content: live.replace("dawn", "dusk") });
    const scheduledAt = "2099-12-25T08:00:00Z";
    await editor.json(201, "POST", `${url}/schedule`, { scheduledAt });
  }
  const open = (path: string, width: number, colorScheme: "light" | "dark"): Promise<Page> =>
    desk.open({ path, viewport: { width, height: 844 }, colorScheme, timezoneId: "UTC" });

  it("changes and cancels a plan", async () => {
    await prepare();
    const page = await open("/planned", 1280, "light");
    await page.getByText("2 plans", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Change the time: Second" }).click();
    const dialog = page.getByRole("dialog");
    assert.equal(await dialog.getByLabel("Date and time").inputValue(), "2099-12-24T08:00");
    await dialog.getByLabel("Date and time").fill("2099-12-26T09:30");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("region", { name: /December 26, 2099/ })
      .getByText("Second")
      .waitFor();
    await page.getByRole("button", { name: "Cancel the plan: First" }).click();
    await dialog.getByText("The changes stay unpublished.").waitFor();
    await dialog.getByRole("button", { name: "Cancel the plan" }).click();
    await page.getByText("One plan", { exact: true }).waitFor();
    assert.deepEqual(await listed(), ["publish 2099-12-26T09:30:00.000Z"]);
  });

  it("shows the month in a calendar, which keys move in and lead from to the list", async () => {
    await prepare();
    const page = await open("/planned", 1280, "light");
    const calendar = page.getByRole("region", { name: "Calendar" });
    await calendar.getByRole("grid", { name: "December 2099" }).waitFor();
    const day = (name: RegExp) => calendar.getByRole("button", { name });
    await day(/December 24, 2099, One plan: Second$/).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const focused = () => page.evaluate<string>("document.activeElement.id");
    assert.equal(await focused(), "day-2099-12-25");
    await day(/December 25, 2099, One plan: First$/).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("PageDown");
    await page.keyboard.press("PageDown");
    await calendar.getByRole("grid", { name: "March 2100" }).waitFor();
    await day(/March 1, 2100$/).waitFor();
    assert.match(
      await page.evaluate<string>(
        "document.activeElement.querySelector('.visually-hidden').textContent",
      ),
      /March 1, 2100$/,
    );
    await calendar.getByRole("button", { name: "Previous month" }).click();
    await calendar.getByRole("grid", { name: "February 2100" }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await calendar.isVisible(), false);
    assert.equal(await page.getByRole("region", { name: /December 24/ }).isVisible(), true);
  });

  it("plans the changes of a live page in its editor, and cancels the plan", async () => {
    const editor = await desk.site.as("editor", { username: "prepared" });
    const url = `/admin/api/drafts/${post}`;
    await editor.json(201, "PUT", url, { content: live.replace("dawn", "dusk") });
    const page = await open(`/edit/${post}`, 1280, "light");
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Publish changes later …" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish changes later" });
    await dialog.getByLabel("Date and time").fill("2099-12-24T08:00");
    await dialog.getByRole("button", { name: "Schedule" }).click();
    await page.getByText("Changes planned for").waitFor();
    assert.deepEqual(await listed(), ["changes 2099-12-24T08:00:00.000Z"]);
    await page.getByLabel("More actions").click();
    await page
      .getByRole("button", { name: "Do not publish the changes at the planned time" })
      .click();
    await page.getByText("Changes planned for").waitFor({ state: "detached" });
    assert.deepEqual(await listed(), []);
  });

  for (const { width, colorScheme } of VIEWS) {
    it(`is accessible at ${width} pixels, ${colorScheme}`, async () => {
      await prepare();
      const page = await open("/planned", width, colorScheme);
      await page.getByText("2 plans", { exact: true }).waitFor();
      await assertAccessible(page, `planned-${width}-${colorScheme}`);
    });
  }
});
