import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { silentLog } from "#kernel";
import { AuthzFront, TupleSignature } from "../../../plugins/users/authz-front.js";
import { LocalAuthzStore } from "../../../plugins/users/engines/authz-local.js";
import { bundleProgram } from "../../support/processes/bundle-program.js";
import { useFolder } from "../../support/folder.js";

const ENDER = fileURLToPath(
  new URL("../../support/processes/account-writer/ender.ts", import.meta.url),
);
const KILLS = 6;
const USERS = 40;
const ROLES = ["admin", "editor", "member"];

describe("reports of deleted users, when the process is killed", function () {
  this.timeout(240_000);
  const folder = useFolder();
  let ender = "";
  before(async () => {
    ender = await bundleProgram(ENDER);
  });
  after(() => rm(dirname(ender), { recursive: true }));
  const open = (): AuthzFront => {
    const store = new LocalAuthzStore({ folder: folder.path, log: silentLog, now: () => 1 });
    const signature = new TupleSignature(undefined);
    return new AuthzFront({ store: () => store, signature, log: silentLog });
  };

  /** Reports users as deleted in another process, and kills it after some of them; returns how many. */
  async function killEnder(prefix: string, after: number): Promise<number> {
    const child = spawn(process.execPath, [ender, folder.path, prefix, String(USERS)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += String(chunk);
      if (output.split("\n").length > after + 2) child.kill("SIGKILL");
    });
    await once(child, "close");
    return output.split("\n").length - 2;
  }

  it("removes all roles of a user or none, and the repeated report removes the rest", async () => {
    for (let round = 0; round < KILLS; round += 1) {
      const prefix = `r${round}u`;
      const ids = Array.from({ length: USERS }, (_, at) => `${prefix}${at}`);
      const before = open();
      for (const id of ids) await before.rolesOf({ id, roles: ROLES, vouchedAt: 500 });
      const acknowledged = await killEnder(prefix, 1 + round * 4);
      assert.ok(acknowledged > 0 && acknowledged < USERS, `${acknowledged} acknowledged`);
      const after = open();
      for (const [at, id] of ids.entries()) {
        const roles = await after.rolesOf({ id, roles: ROLES, vouchedAt: 500 });
        assert.ok(roles.length === 0 || roles.length === ROLES.length, `${id}: ${roles.join()}`);
        if (at < acknowledged) assert.deepEqual(roles, [], id);
      }
      // The provider sends unacknowledged reports again, and a token with other roles is rejected.
      for (const id of ids) {
        await after.endUser(id, 1_000);
        assert.deepEqual(await after.rolesOf({ id, roles: ["admin"], vouchedAt: 900 }), []);
      }
    }
  });
});
