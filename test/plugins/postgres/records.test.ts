import assert from "node:assert/strict";
import type { SharedDatabase } from "#lib/databases";
import { PostgresRecords } from "../../../plugins/postgres/engines/records.js";
import {
  BOATS,
  NOTES,
  recordsContract,
} from "../../../plugins/records/testing/records-contract.js";
import { usePostgres } from "../../support/services.js";
import { sharedDatabase } from "../../support/servers/shared-database.js";

describe("records in PostgreSQL", () => {
  let database: SharedDatabase;
  let url = "";
  before(async function () {
    url = (await usePostgres(this)).url;
    database = sharedDatabase(url);
  });
  afterEach(() => database.run((db) => db.query("truncate site_records, site_logs, site_bytes")));
  after(() => database.close());
  const open = (node: string): PostgresRecords => new PostgresRecords(database, node);

  describe("as every store", () => {
    recordsContract({ open: () => open("a") });
  });

  it("name the node that stored them", async () => {
    const boats = open("a").collection(BOATS);
    await boats.put("a", { name: "Aurora", crew: 3 });
    await open("b")
      .collection(BOATS)
      .update("a", (boat) => boat);
    assert.equal((await boats.get("a"))?.node, "b");
    await open("b")
      .log(NOTES)
      .append([{ nth: 1 }]);
    const { entries } = await open("a").log(NOTES).list({ limit: 1, offset: 0 });
    assert.equal(entries[0]?.node, "b");
  });

  it("of a log are read from the first again when an older backup was restored", async () => {
    const seen: unknown[] = [];
    const log = open("a").log(NOTES);
    await log.append([{ nth: 1 }, { nth: 2 }]);
    const cursor = await log.follow(null, () => undefined);
    await database.query("delete from site_logs where id = (select max(id) from site_logs)");
    assert.equal(await log.follow(cursor, () => undefined), null);
    await log.follow(null, ({ nth }) => void seen.push(nth));
    assert.deepEqual(seen, [1]);
  });

  it("of a log are followed completely while several nodes append", async () => {
    const seen: unknown[] = [];
    const large = { ...NOTES, maxBytes: 10_000_000 };
    const reader = open("r").log(large);
    await reader.append([{ id: "first" }]);
    let cursor = await reader.follow(null, ({ id }) => void seen.push(id));
    const writers = ["a", "b", "c"].map(async (node) => {
      const log = open(node).log(large);
      for (let nth = 0; nth < 40; nth += 1) await log.append([{ id: `${node}${nth}` }]);
    });
    let isDone = false;
    const done = Promise.all(writers).then(() => void (isDone = true));
    for (let round = 0; round < 5_000 && !isDone; round += 1) {
      cursor = await reader.follow(cursor, ({ id }) => void seen.push(id));
    }
    await done;
    await reader.follow(cursor, ({ id }) => void seen.push(id));
    assert.equal(seen.length, 121);
    assert.equal(new Set(seen).size, 121);
  });

  it("skip values of another form", async () => {
    const sql = "insert into site_records values ('boats', $1, 'a', $2)";
    await database.run((db) => db.query(sql, ["x", '{"name":1}']));
    const boats = open("a").collection(BOATS);
    assert.equal(await boats.get("x"), null);
    assert.deepEqual((await boats.list()).items, []);
  });
});
