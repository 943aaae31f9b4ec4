import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { portOwner } from "../../../kernel/boot/port-owner.js";

describe("the owner of a port", () => {
  before(function () {
    if (process.platform !== "linux") this.skip();
  });

  for (const host of ["127.0.0.1", "::1"]) {
    it(`is the process that listens on ${host}`, async () => {
      const server = createServer().listen(0, host);
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const owner = await portOwner(port);
      assert.equal(owner?.pid, process.pid);
      assert.match(owner?.name ?? "", /\S/);
      await new Promise((resolve) => server.close(resolve));
      assert.equal(await portOwner(port), null);
    });
  }

  it("is null where the system does not list it", async () => {
    assert.equal(await portOwner(80, "/nowhere"), null);
  });
});
