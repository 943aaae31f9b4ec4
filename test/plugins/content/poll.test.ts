import assert from "node:assert/strict";
import { bootSite } from "../../support/sites/boot-site.js";
import { RecordedLog } from "#testing";
import { until } from "../../support/until.js";

describe("content.watch: poll", () => {
  it("notices changed files by comparing, without watching folders", async () => {
    const log = new RecordedLog();
    const site = await bootSite({
      files: { "content/01.home.md": "---\ntitle: Home\n---\n" },
      plugins: ["content"],
      log: log.logger,
      settings: { system: { content: { watch: "poll" } } },
    });
    const title = () => site.site.use("content").generation().bySource.get("01.home.md")?.title;
    // The comparison at startup may find the first one.
    for (const next of ["Harbour", "Lighthouse"]) {
      await site.write("content/01.home.md", `---\ntitle: ${next}\n---\n`);
      await until(() => title() === next);
    }
    assert.ok(!log.lines.some(({ event }) => event === "content.watch_polls"));
    await site.close();
  });
});
