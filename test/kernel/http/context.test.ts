import assert from "node:assert/strict";
import type { RequestContext } from "../../../kernel/contracts.js";
import { createIds } from "../../../kernel/http/request/context.js";
import { bootProbe } from "../../support/sites/probe-site.js";

describe("createIds", () => {
  it("returns 16 hex characters, different each time", () => {
    const next = createIds();
    const ids = Array.from({ length: 100 }, () => next());
    assert.equal(new Set(ids).size, 100);
    assert.ok(ids.every((id) => /^[0-9a-f]{16}$/.test(id)));
  });
});

describe("req.ctx", () => {
  async function contextOf(headers: Record<string, string>, trust: object = {}) {
    const seen: (Pick<RequestContext, "id" | "ip" | "protocol" | "path" | "search"> & {
      ctx: RequestContext;
    })[] = [];
    const site = await bootProbe(
      ({ http }) =>
        http.edge("observe", ({ ctx }) => {
          const { id, ip, protocol, path, search } = ctx;
          seen.push({ id, ip, protocol, path, search, ctx });
        }),
      { settings: { system: { server: trust } } },
    );
    await site.fetch("/x%20y?a=1", { headers });
    await site.close();
    assert.ok(seen[0]);
    return seen[0];
  }

  it("has path, query and address of the request", async () => {
    const { path, search, ip, protocol } = await contextOf({});
    assert.deepEqual([path, search, ip, protocol], ["/x y", "a=1", "127.0.0.1", "http"]);
  });

  it("creates one nonce, on first use", async () => {
    const { ctx } = await contextOf({});
    assert.equal(ctx.hasNonce, false);
    assert.equal(ctx.nonce(), ctx.nonce());
    assert.ok(ctx.hasNonce && Buffer.from(ctx.nonce(), "base64").length === 16);
  });

  it("trusts request ids and forwarded headers only from a trusted proxy", async () => {
    const headers = {
      "X-Request-Id": "abcdef-123456",
      "X-Forwarded-For": "203.0.113.9",
      "X-Forwarded-Proto": "https",
    };
    const plain = await contextOf(headers);
    assert.match(plain.id, /^[0-9a-f]{16}$/);
    assert.deepEqual([plain.ip, plain.protocol], ["127.0.0.1", "http"]);
    const trusted = await contextOf(headers, { trust_proxy: 1 });
    assert.deepEqual(
      [trusted.id, trusted.ip, trusted.protocol],
      ["abcdef-123456", "203.0.113.9", "https"],
    );
    const odd = await contextOf({ ...headers, "X-Request-Id": "a b<script>" }, { trust_proxy: 1 });
    assert.match(odd.id, /^[0-9a-f]{16}$/);
  });
});
