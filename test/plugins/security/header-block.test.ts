import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { cspDirectives, formatCsp } from "../../../plugins/security/csp-policy.js";
import { headerBlock } from "../../../plugins/security/header-block.js";
import { bootSite } from "../../support/sites/boot-site.js";

describe("headerBlock", () => {
  it("forbids objects, foreign bases, foreign framing and inline scripts", () => {
    const csp = headerBlock(cspDirectives({}), false)["Content-Security-Policy"] ?? "";
    for (const part of [
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
      "script-src 'self';",
    ]) {
      assert.ok(csp.includes(part), part);
    }
    assert.doesNotMatch(csp, /unsafe-inline/);
  });

  it("adds the site's own sources to a directive", () => {
    const directives = cspDirectives({ "script-src": ["https://stats.example"] });
    assert.match(formatCsp(directives), /script-src 'self' https:\/\/stats\.example;/);
  });

  it("requires HTTPS only if the site is served over HTTPS", () => {
    assert.equal(headerBlock(cspDirectives({}), false)["Strict-Transport-Security"], undefined);
    assert.match(
      headerBlock(cspDirectives({}), true)["Strict-Transport-Security"] ?? "",
      /max-age=/,
    );
  });

  it("uses a new nonce for each response that requests one", async () => {
    const inline = definePlugin({
      name: "inline",
      version: "1.0.0",
      setup: ({ http }) =>
        http.use("pages", (req, res) =>
          http.send(req, res, {
            type: "text/html",
            body: `<script nonce="${req.ctx.nonce()}">1</script>`,
          }),
        ),
    });
    const site = await bootSite({ plugins: ["security"], extraPlugins: [inline] });
    const nonces = [];
    for (let at = 0; at < 2; at += 1) {
      const answer = await site.fetch("/");
      const nonce = /nonce="([^"]+)"/.exec(await answer.text())?.[1] ?? "";
      assert.ok(answer.headers.get("content-security-policy")?.includes(`'nonce-${nonce}'`));
      nonces.push(nonce);
    }
    await site.close();
    assert.notEqual(nonces[0], nonces[1]);
    assert.ok(Buffer.from(nonces[0] ?? "", "base64").length >= 16);
  });
});
