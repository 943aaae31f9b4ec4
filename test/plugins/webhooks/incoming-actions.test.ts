import assert from "node:assert/strict";
import { silentLog } from "#kernel";
import { createActions } from "../../../plugins/webhooks/incoming.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("the actions of incoming webhooks", () => {
  let site: TestSite;
  afterEach(() => site.close());

  async function boot(plugins: string[]) {
    const logged: string[] = [];
    const note = (event: string): void => void logged.push(event);
    const log = { ...silentLog, info: note, error: note, child: () => log };
    site = await bootSite({ files: { "content/a.md": "# A" }, plugins, log });
    return { logged, run: createActions(site.site.context("webhooks")) };
  }
  async function until(claim: () => boolean): Promise<void> {
    while (!claim()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it("rebuild builds a new generation in the background", async () => {
    const { logged, run } = await boot(["content", "webhooks"]);
    const content = site.site.use("content");
    const before = content.generation().id;
    await run("rebuild");
    await until(() => logged.includes("webhook.rebuilt"));
    assert.ok(content.generation().id > before);
  });

  it("purge-cache works without caches", async () => {
    const { run } = await boot(["content", "webhooks"]);
    await assert.doesNotReject(run("purge-cache"));
  });
});
