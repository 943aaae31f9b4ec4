import assert from "node:assert/strict";
import { createServer, get } from "node:http";
import { once } from "node:events";
import { drain, listenOn } from "../../../lib/http/listen.js";

describe("listenOn and drain", () => {
  it("resolves with a free port, and reports a port in use", async () => {
    const [first, second] = [createServer(), createServer()];
    const port = await listenOn(first, 0, "127.0.0.1");
    assert.ok(port > 0);
    await assert.rejects(listenOn(second, port, "127.0.0.1"), { code: "ERR_PORT_IN_USE" });
    await drain(first, 1_000);
    assert.equal(await listenOn(second, port, "127.0.0.1"), port);
    await drain(second, 1_000);
  });

  it("aborts open requests when the time is over", async () => {
    const server = createServer(() => undefined);
    const port = await listenOn(server, 0, "127.0.0.1");
    const request = get({ port, host: "127.0.0.1" });
    const failed = once(request, "error");
    await once(server, "request");
    await drain(server, 50);
    assert.ok(await failed);
  });
});
