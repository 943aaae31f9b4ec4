import assert from "node:assert/strict";
import { FailurePage } from "../../../plugins/dev/dev-server.js";

describe("FailurePage", () => {
  let page: FailurePage;
  let url = "";
  beforeEach(async () => {
    const reason = {
      cause: "<b>wrong</b>",
      fix: "fix it",
      place: "a.ts:1:2",
      excerpt: "> 1 | <i>",
    };
    page = new FailurePage({ reasons: [reason], stack: ["Error: <u>"] });
    url = `http://127.0.0.1:${await page.listen(0, "127.0.0.1")}`;
  });

  it("responds 500 with position, cause, fix, excerpt and stack, all escaped", async () => {
    const answer = await fetch(`${url}/any`, { headers: { accept: "text/html" } });
    assert.equal(answer.status, 500);
    const text = await answer.text();
    for (const wanted of ["a.ts:1:2", "&lt;b&gt;wrong", "fix it", "&lt;i&gt;", "&lt;u&gt;"]) {
      assert.ok(text.includes(wanted) || text.includes(wanted.replaceAll("&gt;", ">")), wanted);
    }
    assert.doesNotMatch(text, /<b>|<i>|<u>/);
    assert.match(answer.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    await page.close();
  });

  it("responds with JSON to programs", async () => {
    const answer = await fetch(`${url}/api/pages`);
    assert.equal(answer.status, 500);
    const body = (await answer.json()) as { error: string; details: { place: string }[] };
    assert.match(body.error, /wrong/);
    assert.equal(body.details[0]?.place, "a.ts:1:2");
    await page.close();
  });

  it("ends its event streams and frees the port when it closes", async () => {
    const stream = await fetch(`${url}/_site/reload`);
    assert.match(stream.headers.get("content-type") ?? "", /event-stream/);
    const ended = stream.text().catch(() => "ended");
    await page.close();
    await ended;
    await assert.rejects(fetch(url));
  });
});
