import type { Browser } from "playwright-core";
import { definePlugin, type SiteContext } from "#kernel";
import type { Jobs } from "../../../plugins/jobs/contract.js";
import type { AdminSite } from "../../support/sites/admin-site.js";
import { bootPanel, checkAccessible } from "../../support/browsers/panel-browser.js";
import { openHands, RUNS, slugOf, type Run } from "../../support/browsers/panel-hands.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";

describe("administering in the panel", () => {
  let browser: Browser;
  let receiver: Receiver;
  let jobs: Jobs;
  let site: AdminSite;
  let closing: (() => Promise<void>)[] = [];
  before(async function () {
    browser = await useChromium(this);
    receiver = await startReceiver();
    const webhook = { url: receiver.url, events: ["onPageUpdate"], label: "Deploy" };
    const setup = (context: SiteContext): void => void (jobs = context.use("jobs"));
    const probe = definePlugin({ name: "probe", version: "1.0.0", requires: ["jobs"], setup });
    site = await bootPanel({ settings: { admin: { webhooks: [webhook] } }, extraPlugins: [probe] });
  });
  after(async () => {
    await site.close();
    await receiver.close();
  });
  afterEach(async () => {
    for (const close of closing) await close();
    closing = [];
  });

  async function open(run: Run) {
    const opened = await openHands(browser, site, { run });
    closing.push(opened.close);
    return opened;
  }
  /** Changes a page; its delivery fails for good. */
  async function failDelivery(run: Run): Promise<void> {
    const admin = await site.as("admin", { username: slugOf("writer", run) });
    receiver.answer = (res) => res.writeHead(410).end();
    const body = `${slugOf("body", run)}\n`;
    await admin.json(200, "PUT", "/admin/api/pages/02.blog/01.first/post.md", { body });
    await until(async () => {
      await jobs.flush("webhook");
      const { items } = await admin.json(200, "GET", "/admin/api/webhooks/deliveries");
      return items[0]?.finalStatus === "failed";
    });
  }

  for (const run of RUNS) {
    describe(`by ${run.by} at ${run.width} pixels, ${run.colorScheme}`, () => {
      it("sends a failed delivery again", async () => {
        await failDelivery(run);
        const { hands, page } = await open(run);
        await hands.go("Webhooks");
        await hands.press(
          page.getByRole("button", { name: /^Show delivery Page changed/ }).first(),
        );
        const dialog = page.getByRole("dialog");
        await dialog
          .getByText(slugOf("body", run))
          .first()
          .or(dialog.locator("pre"))
          .first()
          .waitFor();
        receiver.answer = (res) => res.writeHead(204).end();
        await hands.press(dialog.getByRole("button", { name: "Send again" }));
        await dialog.getByText("Delivered").waitFor();
        hands.finish("Send a failed webhook again");
        await dialog.getByText("Attempt 1: Response 204").waitFor();
        await checkAccessible(page, slugOf("journey-delivery", run));
      });
    });
  }
});
