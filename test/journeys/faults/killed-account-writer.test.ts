import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isTemporary } from "#lib/files";
import { silentLog } from "#kernel";
import { uniqueKeys } from "../../../plugins/users/user-fields.js";
import { LocalUserStore } from "../../../plugins/users/engines/local.js";
import { bundleProgram } from "../../support/processes/bundle-program.js";
import { useFolder } from "../../support/folder.js";
import { rounds } from "../../support/rounds.js";

const WRITER = fileURLToPath(
  new URL("../../support/processes/account-writer/writer.ts", import.meta.url),
);
const KILLS = rounds(20);
const WRITES = KILLS * 50;

describe("accounts in files, when the process is killed", function () {
  this.timeout(240_000);
  const folder = useFolder();
  let writer = "";
  before(async () => {
    writer = await bundleProgram(WRITER);
  });
  after(() => rm(dirname(writer), { recursive: true }));
  const open = (): LocalUserStore =>
    new LocalUserStore({ folder: folder.path, log: silentLog, now: () => 1 });

  /** Kills a writer at its share of the writes, each time at another moment; returns the acknowledged ones. */
  async function killWriter(round: number): Promise<string[]> {
    const child = spawn(process.execPath, [writer, folder.path, String(round)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    let isKilled = false;
    child.stdout.on("data", (chunk: Buffer) => {
      output += String(chunk);
      if (isKilled || output.split("\n").length - 2 < WRITES / KILLS + (round % 3)) return;
      isKilled = true;
      setTimeout(() => child.kill("SIGKILL"), ((round * 7) % 23) / 2);
    });
    await once(child, "close");
    await passLock();
    return output.split("\n").slice(1, -1);
  }

  /** Waits until the lock of a dead process is stale, after three seconds. */
  async function passLock(): Promise<void> {
    const past = new Date(Date.now() - 60_000);
    await utimes(join(folder.path, ".lock"), past, past).catch((error: unknown) => {
      // Killed between two writes, without a lock.
      assert.match(String(error), /ENOENT/);
    });
  }

  it(`has every acknowledged account after ${KILLS} kills in ${WRITES} writes, complete, with a matching index`, async () => {
    const states = new Map<string, string>();
    let acknowledged = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const mine = new Map<string, string>();
      for (const line of await killWriter(round)) {
        acknowledged += 1;
        const [state = "", id = ""] = line.split(" ");
        mine.set(id, state);
        states.set(id, state);
      }
      const store = open();
      await assertWhole(store, `r${round}u`);
      for (const [id, state] of mine) await assertAcknowledged(store, { id, state });
    }
    assert.ok(acknowledged >= WRITES, `${acknowledged} writes`);
    const store = open();
    await store.check();
    await assertWhole(store, "");
    for (const [id, state] of states) await assertAcknowledged(store, { id, state });
    await assertIndexAgrees();
  });

  async function assertWhole(store: LocalUserStore, prefix: string): Promise<void> {
    for (const name of await readdir(folder.path)) {
      if (!name.endsWith(".json") || !name.startsWith(prefix)) continue;
      const user = await store.get(name.slice(0, -".json".length));
      assert.ok(user, `${name} is torn`);
      assert.equal((await store.findByEmail(user.email))?.id, user.id);
      assert.equal((await store.findByIdentity("github", user.id))?.id, user.id);
    }
  }

  async function assertAcknowledged(
    store: LocalUserStore,
    { id, state }: { id: string; state: string },
  ): Promise<void> {
    const user = await store.get(id);
    // The step after the last acknowledged one may be there too, or not.
    if (state === "created" && user) assert.ok([0, 1].includes(user.roles.length));
    if (state === "created") assert.ok(user);
    if (state === "updated" && user) assert.equal(user.name?.length, 5_000);
    if (state === "updated" && !user) assert.equal(Number(id.split("u")[1]) % 3, 0);
    if (state === "deleted") assert.equal(user, null);
  }

  async function assertIndexAgrees(): Promise<void> {
    const users = await open().list({ limit: 1_000_000, offset: 0 });
    const expected = users.flatMap((user) =>
      uniqueKeys(user).map(({ kind, digest }) => [`by-${kind}/${digest}.json`, user.id].join(" ")),
    );
    const found: string[] = [];
    for (const kind of ["by-email", "by-identity"]) {
      const names = await readdir(join(folder.path, kind));
      // Leftovers of the last kill are deleted by the next repair of the store.
      for (const name of names.filter((file) => !isTemporary(file))) {
        const { id } = JSON.parse(await readFile(join(folder.path, kind, name), "utf8"));
        found.push(`${kind}/${name} ${id}`);
      }
    }
    assert.deepEqual(found.sort(), expected.sort());
  }
});
