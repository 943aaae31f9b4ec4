import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { deferred } from "../../../support/deferred.js";

const files = {
  "site.yaml": "title: Test\ntheme: { name: mine, parent: default }\n",
  "content/01.home/default.md": "# Hi",
  "themes/mine/templates/default.tsx":
    "export default () => <html><head></head><body>before</body></html>;\n",
};

describe("live reload", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files });
  });
  after(() => site.close());

  const events = async (from = site) => {
    const response = await from.fetch("/_site/reload");
    const reader = (response.body ?? assert.fail("no body")).getReader();
    const decoder = new TextDecoder();
    let text = "";
    return {
      response,
      until: async (wanted: RegExp): Promise<void> => {
        while (!wanted.test(text)) {
          const { value, done } = await reader.read();
          assert.equal(done, false, `the stream ended after ${JSON.stringify(text)}`);
          text += decoder.decode(value, { stream: true });
        }
      },
      close: () => reader.cancel(),
    };
  };

  it("is disabled in production", async () => {
    const other = await bootSite({ files, env: { SITE_ENV: "production" } });
    assert.equal((await other.fetch("/_site/reload")).status, 404);
    assert.doesNotMatch(await (await other.fetch("/")).text(), /reload/);
    await other.close();
  });

  it("adds its script to every page, and the policy allows it", async () => {
    const response = await site.fetch("/");
    const nonce = /<script src="\/_site\/reload\.js" nonce="([^"]+)" defer>/.exec(
      await response.text(),
    )?.[1];
    assert.ok(
      response.headers
        .get("content-security-policy")
        ?.includes(`'nonce-${nonce?.replaceAll("&#61;", "=")}'`),
    );
    const script = await site.fetch("/_site/reload.js");
    assert.match(script.headers.get("content-type") ?? "", /javascript/);
  });

  it("notifies open pages when content has changed", async () => {
    const stream = await events();
    assert.equal(stream.response.headers.get("content-type"), "text/event-stream; charset=utf-8");
    await stream.until(/connected/);
    await site.site.use("content").apply([{ op: "write", path: "new.md", content: "# New" }]);
    await stream.until(/event: reload/);
    await stream.close();
  });

  it("reloads a changed template and notifies open pages", async () => {
    assert.match(await (await site.fetch("/")).text(), /before/);
    const stream = await events();
    await stream.until(/connected/);
    await site.write(
      "themes/mine/templates/default.tsx",
      "export default () => <html><head></head><body>after</body></html>;\n",
    );
    await stream.until(/event: reload/);
    assert.match(await (await site.fetch("/")).text(), /after/);
    await stream.close();
  });

  it("ends its streams as soon as closing begins, while an open request still runs", async () => {
    const arrived = deferred<void>();
    const gate = deferred<void>();
    const slow = definePlugin({
      name: "slow",
      version: "1.0.0",
      setup({ http }) {
        http.use("pages", (req, res, next) => {
          if (req.ctx.path !== "/slow") return next();
          arrived.resolve();
          gate.promise.then(
            () => res.end("whole"),
            () => res.destroy(),
          );
        });
      },
    });
    const other = await bootSite({ files, extraPlugins: [slow] });
    const stream = await events(other);
    await stream.until(/connected/);
    const answer = other.fetch("/slow");
    await arrived.promise;
    const closed = other.close();
    await assert.rejects(stream.until(/never/), /the stream ended/);
    gate.resolve();
    assert.equal(await (await answer).text(), "whole");
    await closed;
  });

  it("ends its streams when the site closes", async () => {
    const other = await bootSite({ files });
    const stream = await events(other);
    await stream.until(/connected/);
    await Promise.all([other.close(), assert.rejects(stream.until(/never/))]);
  });
});
