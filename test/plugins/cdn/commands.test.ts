import assert from "node:assert/strict";
import { purgeCommand } from "../../../plugins/cdn/commands.js";
import { answerJson, startApi } from "../../support/servers/api-stand-in.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { runCommand } from "../../support/sites/check-site.js";

describe("cdn:purge", () => {
  it("purges the given paths, or everything, and fails when the network fails", async () => {
    const api = await startApi();
    const site = await bootSite({
      plugins: ["cdn", "check", "pages"],
      settings: {
        site: { url: "https://www.example.org" },
        system: { cdn: { provider: "custom", url: api.url, token: "t" } },
      },
    });
    const run = (args: string[], options = {}) =>
      runCommand(site, purgeCommand(), { args, options });
    const { code, lines } = await run(["/blog", "/feed.xml"]);
    assert.deepEqual([code, lines], [0, ["2 purged"]]);
    assert.deepEqual(JSON.parse(api.calls[0]?.body.toString() ?? ""), {
      urls: ["https://www.example.org/blog", "https://www.example.org/feed.xml"],
    });
    assert.deepEqual((await run([], { all: true })).lines, ["everything is purged"]);
    assert.equal((await run([])).code, 2);
    const asked = api.calls.length;
    for (const path of ["blog", "https://www.example.org/blog"]) {
      assert.equal((await run(["/", path])).code, 2);
    }
    assert.equal(api.calls.length, asked);
    api.answer = (res) => answerJson(res, {}, 403);
    await assert.rejects(run(["/blog"]), { code: "ERR_CDN_REFUSED" });
    await site.close();
    await api.close();
  });

  it("explains what to configure without a network", async () => {
    const site = await bootSite({ plugins: ["cdn", "check", "pages"] });
    await assert.rejects(runCommand(site, purgeCommand(), { args: ["/"] }), {
      code: "ERR_CDN_OFF",
    });
    await site.close();
  });
});
