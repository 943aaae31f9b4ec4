import assert from "node:assert/strict";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Secrets } from "../../../plugins/session/secret.js";
import { useFolder } from "../../support/folder.js";

describe("the site's secret", () => {
  const folder = useFolder();
  const made = (): Secrets =>
    new Secrets({ configured: undefined, runtime: join(folder.path, "run") });

  it("is generated once, readable by the owner only, and survives a restart", async () => {
    const first = await made().derive("a");
    assert.deepEqual(await made().derive("a"), first);
    const { mode } = await stat(join(folder.path, "run", "auth-secret"));
    assert.equal(mode & 0o777, 0o600);
  });

  it("is the same when many processes start together", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => made().derive("a")));
    assert.equal(new Set(all.map((secret) => secret.toString("hex"))).size, 1);
  });

  it("derives 32 unique bytes per purpose, without revealing the root", async () => {
    const secrets = made();
    const [a, b] = [await secrets.derive("a"), await secrets.derive("b")];
    assert.equal(a.length, 32);
    assert.notDeepEqual(a, b);
    const root = await readFile(join(folder.path, "run", "auth-secret"), "utf8");
    assert.notEqual(root.trim(), a.toString("base64url"));
  });

  it("is read from SITE_AUTH_SECRET if set, without a file", async () => {
    const configured = "x".repeat(32);
    const secrets = new Secrets({ configured, runtime: folder.path });
    assert.deepEqual(
      await secrets.derive("a"),
      await new Secrets({ configured, runtime: "/nowhere" }).derive("a"),
    );
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("rejects a malformed file instead of using a weak secret", async () => {
    await writeFile(join(folder.path, "auth-secret"), "short");
    const secrets = new Secrets({ configured: undefined, runtime: folder.path });
    await assert.rejects(secrets.derive("a"), { code: "ERR_SESSION_SECRET" });
  });
});
