import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("hosts that came through the admin API", () => {
  let site: TestSite;
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer((_req, res) => res.end("internal"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => server.close());
  beforeEach(async () => {
    site = await bootSite({ plugins: ["outbound"] });
  });
  afterEach(() => site.close());

  const status = async (policy: "operator" | "named") =>
    (await site.site.use("outbound").request(url, { policy })).status;

  for (const policy of ["operator", "named"] as const) {
    it(`are not called on private addresses with the policy ${policy}`, async () => {
      assert.equal(await status(policy), 200);
      // The name was public when it was set, and leads to this machine now.
      await site.site.use("heldHosts").hold(["http://127.0.0.1:1/x"]);
      await assert.rejects(status(policy), { code: "ERR_OUTBOUND_ADDRESS" });
      const refusal = await site.site.use("outbound").refusal(url, policy);
      assert.match(refusal ?? "", /private or loopback/);
    });
  }

  it("are the same in every notation", async () => {
    const held = site.site.use("heldHosts");
    await held.hold(["Hooks.Example.", "2130706433", "::1"]);
    for (const host of ["hooks.example", "127.0.0.1", "[::1]", "::1"]) {
      assert.equal(await held.isHeld(host), true, host);
    }
    assert.equal(await held.isHeld("example"), false);
  });

  it("are those of any address", async () => {
    const held = site.site.use("heldHosts");
    await held.hold([
      "redis://one.example:6379",
      "git@two.example:pages.git",
      "ssh://git@three.example/x",
    ]);
    await held.hold(["/srv/pages.git", "file:///srv/pages.git", "smtp.example"]);
    for (const host of ["one", "two", "three", "smtp"]) {
      assert.equal(
        await held.isHeld(host === "smtp" ? "smtp.example" : `${host}.example`),
        true,
        host,
      );
    }
    assert.equal(await held.isHeld("/srv/pages.git"), false);
  });

  it("refuse connections that others make, when they are private now", async () => {
    const held = site.site.use("heldHosts");
    assert.equal(await held.refusal("127.0.0.1"), null);
    await held.hold(["127.0.0.1", "93.184.216.34"]);
    assert.match((await held.refusal("redis://127.0.0.1:6379")) ?? "", /private or loopback/);
    assert.equal(await held.refusal("93.184.216.34"), null);
  });

  it("are released when no file names them", async () => {
    const held = site.site.use("heldHosts");
    await held.hold(["a.example", "b.example"]);
    await held.keepOnly(["B.example"]);
    assert.deepEqual(
      [await held.isHeld("a.example"), await held.isHeld("b.example")],
      [false, true],
    );
  });
});
