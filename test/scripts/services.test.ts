import assert from "node:assert/strict";
import pg from "pg";
import { createClient } from "redis";
import { useChromium, usePostgres, useRedis, useSqlite } from "../support/services.js";

describe("the services of the tests", () => {
  it("provide a separate Redis database for each caller", async function () {
    const [one, two] = [await useRedis(this), await useRedis(this)];
    const [first, second] = [createClient({ url: one.url }), createClient({ url: two.url })];
    await Promise.all([first.connect(), second.connect()]);
    await first.set("key", "value");
    assert.equal(await first.get("key"), "value");
    assert.equal(await second.get("key"), null);
    await Promise.all([first.close(), second.close()]);
  });

  it("provide a separate PostgreSQL database for each caller", async function () {
    const { url } = await usePostgres(this);
    const other = await usePostgres(this);
    assert.notEqual(url, other.url);
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query("select current_setting('server_encoding') as encoding");
    assert.deepEqual(rows, [{ encoding: "UTF8" }]);
    await client.end();
  });

  it("provide a browser", async function () {
    const browser = await useChromium(this);
    const page = await browser.newPage();
    await page.setContent("<title>ready</title>");
    assert.equal(await page.title(), "ready");
    await page.close();
  });

  it("provide better-sqlite3", async function () {
    await useSqlite(this);
    const { default: Database } = await import("better-sqlite3");
    const database = new Database(":memory:");
    assert.deepEqual(database.prepare("select 1 as one").get(), { one: 1 });
    database.close();
  });
});
