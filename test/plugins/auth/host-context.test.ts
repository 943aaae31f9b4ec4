import assert from "node:assert/strict";
import express from "express";
import request from "supertest";
import { silentLog } from "#kernel";
import { HostContext } from "../../../plugins/auth/mount-auth.js";
import { areAlike } from "../../support/hidden-class.js";

describe("the context of a host's request", () => {
  const seen: HostContext[] = [];
  const app = express().use((req, res) => {
    seen.push(new HostContext(req, silentLog));
    res.end();
  });
  const contextOf = async (target: string): Promise<HostContext> => {
    await request(app).get(target);
    const context = seen.pop();
    assert.ok(context);
    return context;
  };

  it("has path, query, address and its own id", async () => {
    const { path, search, ip, protocol, id } = await contextOf("/%C3%BCber?a=1&b=%20");
    assert.deepEqual([path, search, protocol], ["/über", "a=1&b=%20", "http"]);
    assert.match(ip, /127\.0\.0\.1$/);
    assert.match(id, /^[0-9a-f]{16}$/);
    assert.notEqual((await contextOf("/")).id, id);
  });

  it("leaves a path that cannot be decoded unchanged", async () => {
    assert.equal((await contextOf("/%E0%A4%A")).path, "/%E0%A4%A");
  });

  it("creates a nonce on first use and reuses it", async () => {
    const context = await contextOf("/");
    assert.equal(context.hasNonce, false);
    assert.equal(context.nonce(), context.nonce());
    assert.equal(context.hasNonce, true);
  });

  it("has one hidden class", async () => {
    const [first, ...others] = [await contextOf("/"), await contextOf("/a"), await contextOf("/b")];
    assert.ok(first && others.every((context) => areAlike(first, context)));
  });
});
