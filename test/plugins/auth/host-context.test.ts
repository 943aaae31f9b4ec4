import assert from "node:assert/strict";
import express from "express";
import request from "supertest";
import { silentLog } from "#kernel";
import { HostContext } from "../../../plugins/auth/host-context.js";
import { areAlike } from "../../support/hidden-class.js";

describe("what a host's requests carry", () => {
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

  it("is path, query, address and an id of its own", async () => {
    const { path, search, ip, protocol, id } = await contextOf("/%C3%BCber?a=1&b=%20");
    assert.deepEqual([path, search, protocol], ["/über", "a=1&b=%20", "http"]);
    assert.match(ip, /127\.0\.0\.1$/);
    assert.match(id, /^[0-9a-f]{16}$/);
    assert.notEqual((await contextOf("/")).id, id);
  });

  it("leaves a path that nobody can decode as it is", async () => {
    assert.equal((await contextOf("/%E0%A4%A")).path, "/%E0%A4%A");
  });

  it("has a nonce once one was asked for, the same each time", async () => {
    const context = await contextOf("/");
    assert.equal(context.hasNonce, false);
    assert.equal(context.nonce(), context.nonce());
    assert.equal(context.hasNonce, true);
  });

  it("is of one hidden class for all", async () => {
    const [first, ...others] = [await contextOf("/"), await contextOf("/a"), await contextOf("/b")];
    assert.ok(first && others.every((context) => areAlike(first, context)));
  });
});
