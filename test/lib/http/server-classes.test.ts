import assert from "node:assert/strict";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import express from "express";
import { serverClasses } from "#lib/http";
import { hasFields } from "../../support/hidden-class.js";

describe("serverClasses", () => {
  it("create requests and responses that Express does not have to change", async () => {
    const app = express();
    const server = createServer(serverClasses(app, (_res, args) => args)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const asked = once(server, "request");
    const answered = fetch(`http://127.0.0.1:${address.port}/`);
    const [req, res] = await asked;
    assert.equal(Object.getPrototypeOf(req), app.request);
    assert.equal(Object.getPrototypeOf(res), app.response);
    assert.ok(req instanceof IncomingMessage && res instanceof ServerResponse);
    assert.ok(hasFields(req) && hasFields(res), "a dictionary makes each answer dearer");
    res.end("done");
    assert.equal(await (await answered).text(), "done");
    server.close();
  });
});
