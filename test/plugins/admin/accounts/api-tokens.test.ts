import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStore } from "../../../../plugins/records/engines/file-store.js";
import { isApiToken, TokenRecords } from "../../../../plugins/admin/accounts/api-tokens.js";

describe("TokenRecords", () => {
  let folder: string;
  let tokens: TokenRecords;
  let now = 1_000;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "site-tokens-")), "tokens");
    const store = new FileStore(join(folder, ".."));
    tokens = new TokenRecords(store, { now: () => now });
  });
  afterEach(() => rm(join(folder, ".."), { recursive: true }));
  const make = (expiresAt: number | null = null) =>
    tokens.create({
      name: "a",
      permissions: ["pages.read", "pages.read"],
      userId: null,
      expiresAt,
    });

  it("creates nothing on disk before the first token", async () => {
    assert.deepEqual(await tokens.list(), []);
    assert.equal(await tokens.verify(`site_${"0".repeat(16)}_${"A".repeat(43)}`), null);
    await assert.rejects(readdir(folder));
  });

  it("accepts only its own tokens", async () => {
    const { secret, token } = await make();
    assert.ok(isApiToken(secret));
    assert.equal((await tokens.verify(secret))?.id, token.id);
    assert.deepEqual(token.permissions, ["pages.read"]);
    const other = (await make()).secret;
    const mixed = `site_${token.id}_${other.split("_").slice(2).join("_")}`;
    assert.equal(await tokens.verify(mixed), null);
    assert.equal(await tokens.verify(`${secret}x`), null);
  });

  it("throws while a token's file cannot be read", async () => {
    const { secret, token } = await make();
    const file = join(folder, `${token.id}.json`);
    const text = await readFile(file);
    await rm(file);
    // Reading a folder as a file fails for every user, including root.
    await mkdir(file);
    await assert.rejects(tokens.verify(secret), { status: 503, code: "ERR_ADMIN_TOKENS_DOWN" });
    await rm(file, { recursive: true });
    await writeFile(file, text);
    assert.equal((await tokens.verify(secret))?.id, token.id);
    await writeFile(file, "{ damaged");
    assert.equal(await tokens.verify(secret), null);
  });

  it("rejects an expired token, to the millisecond", async () => {
    const { secret } = await make(2_000);
    now = 1_999;
    assert.notEqual(await tokens.verify(secret), null);
    now = 2_000;
    assert.equal(await tokens.verify(secret), null);
    await assert.rejects(make(2_000), { code: "ERR_ADMIN_TOKEN" });
    now = 1_000;
  });

  it("only reads its own files, and skips malformed ones", async () => {
    const { token } = await make();
    await writeFile(join(folder, "0123456789abcdef.json"), "{");
    await writeFile(join(folder, "other.json"), "{}");
    assert.deepEqual(
      (await tokens.list()).map(({ id }) => id),
      [token.id],
    );
    for (const id of ["../x", "", "a".repeat(300), "\0"])
      assert.equal(await tokens.revoke(id), false);
  });
});
