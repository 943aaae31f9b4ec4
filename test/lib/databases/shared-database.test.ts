import assert from "node:assert/strict";
import type { SharedDatabase } from "#lib/databases";
import { usePostgres } from "../../support/services.js";
import { sharedDatabase } from "../../support/servers/shared-database.js";
import { startTcpProxy, type TcpProxy } from "../../support/servers/tcp-proxy.js";

describe("the startup of a shared database", () => {
  let proxy: TcpProxy;
  let database: SharedDatabase;
  beforeEach(async function () {
    proxy = await startTcpProxy((await usePostgres(this)).url);
    database = sharedDatabase(proxy.url);
  });
  afterEach(async () => {
    await database.close();
    await proxy.close();
  });

  it("waits for a server that is slow, and says so", async () => {
    proxy.freeze();
    const reasons: string[] = [];
    await database.open({
      tryMs: 200,
      onSlow: (reason) => {
        reasons.push(reason);
        if (reasons.length === 3) void proxy.restore();
      },
    });
    assert.ok(reasons.length >= 3);
    assert.ok(
      reasons.every((reason) => /timeout/i.test(reason)),
      reasons.join("\n"),
    );
    const { rows } = await database.run((db) => db.query("select site from site_owner"));
    assert.deepEqual(rows, [{ site: "Test" }]);
  });

  it("gives up a server that does not respond", async () => {
    proxy.freeze();
    let tries = 0;
    const opening = database.open({ tryMs: 100, totalMs: 700, onSlow: () => (tries += 1) });
    await assert.rejects(opening, { code: "ERR_POSTGRES_UNREACHABLE" });
    assert.ok(tries >= 1);
  });

  it("does not wait where nothing listens", async () => {
    await proxy.cut();
    const onSlow = (): void => assert.fail("waits for a server that is not there");
    await assert.rejects(database.open({ onSlow }), { code: "ERR_POSTGRES_UNREACHABLE" });
  });

  it("does not wait without patience", async () => {
    proxy.freeze();
    await assert.rejects(database.open(), { code: "ERR_POSTGRES_UNREACHABLE" });
  });
});
