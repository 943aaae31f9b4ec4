import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { portOwner } from "../../../lib/http/listen.js";

describe("the owner of a port", () => {
  before(function () {
    if (process.platform !== "linux") this.skip();
  });

  for (const host of ["127.0.0.1", "::1"]) {
    it(`is the process that listens on ${host}`, async () => {
      const server = createServer().listen(0, host);
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const owner = await portOwner(port, host);
      assert.equal(owner?.pid, process.pid);
      assert.match(owner?.name ?? "", /\S/);
      await new Promise((resolve) => server.close(resolve));
      assert.equal(await portOwner(port, host), null);
    });
  }

  it("is not the process that listens on the same port of another address", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    // Another process may have the port of these.
    for (const other of ["127.0.0.2", "::1"]) {
      assert.notEqual((await portOwner(port, other))?.pid, process.pid);
    }
    await new Promise((resolve) => server.close(resolve));
  });

  for (const [all, one] of [
    ["0.0.0.0", "127.0.0.1"],
    ["::", "::1"],
    ["127.0.0.1", "0.0.0.0"],
    ["127.0.0.1", "localhost"],
  ] as const) {
    it(`on ${one} is the process that listens on ${all}`, async () => {
      const server = createServer().listen(0, all);
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      assert.equal((await portOwner(port, one))?.pid, process.pid);
      await new Promise((resolve) => server.close(resolve));
    });
  }

  it("is null where the system does not list it", async () => {
    assert.equal(await portOwner(80, "127.0.0.1", "/nowhere"), null);
  });
});
