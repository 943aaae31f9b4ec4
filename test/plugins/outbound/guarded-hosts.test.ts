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
  before(async () => void (site = await bootSite({ plugins: ["outbound"] })));
  after(async () => {
    await site.close();
    server.close();
  });
  afterEach(() => site.site.use("guardedHosts").keepOnly([]));

  const status = async (policy: "operator" | "named") =>
    (await site.site.use("outbound").request(url, { policy })).status;

  for (const policy of ["operator", "named"] as const) {
    it(`are not called on private addresses with the policy ${policy}`, async () => {
      assert.equal(await status(policy), 200);
      // The name was public when it was set, and leads to this machine now.
      await site.site.use("guardedHosts").guard(["http://127.0.0.1:1/x"]);
      await assert.rejects(status(policy), { code: "ERR_OUTBOUND_ADDRESS" });
      const refusal = await site.site.use("outbound").refusal(url, policy);
      assert.match(refusal ?? "", /private or loopback/);
    });
  }

  it("are the same in every notation", async () => {
    const guarded = site.site.use("guardedHosts");
    await guarded.guard(["Hooks.Example.", "2130706433", "::1"]);
    for (const host of ["hooks.example", "127.0.0.1", "[::1]", "::1"]) {
      assert.equal(await guarded.isGuarded(host), true, host);
    }
    assert.equal(await guarded.isGuarded("example"), false);
  });

  it("are those of any address", async () => {
    const guarded = site.site.use("guardedHosts");
    await guarded.guard([
      "redis://one.example:6379",
      "git@two.example:pages.git",
      "ssh://git@three.example/x",
    ]);
    await guarded.guard(["/srv/pages.git", "file:///srv/pages.git", "smtp.example"]);
    for (const host of ["one", "two", "three", "smtp"]) {
      assert.equal(
        await guarded.isGuarded(host === "smtp" ? "smtp.example" : `${host}.example`),
        true,
        host,
      );
    }
    assert.equal(await guarded.isGuarded("/srv/pages.git"), false);
  });

  it("refuse connections that others make, when they are private now", async () => {
    const guarded = site.site.use("guardedHosts");
    assert.equal(await guarded.refusal("127.0.0.1"), null);
    await guarded.guard(["127.0.0.1", "93.184.216.34"]);
    assert.match((await guarded.refusal("redis://127.0.0.1:6379")) ?? "", /private or loopback/);
    assert.equal(await guarded.refusal("93.184.216.34"), null);
  });

  it("are released when no file names them", async () => {
    const guarded = site.site.use("guardedHosts");
    await guarded.guard(["a.example", "b.example"]);
    await guarded.keepOnly(["B.example"]);
    assert.deepEqual(
      [await guarded.isGuarded("a.example"), await guarded.isGuarded("b.example")],
      [false, true],
    );
  });
});
