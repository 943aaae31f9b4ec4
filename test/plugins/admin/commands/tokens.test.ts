import assert from "node:assert/strict";
import {
  createToken,
  expiry,
  listTokens,
  revokeToken,
} from "../../../../plugins/admin/commands/tokens.js";
import type { Output } from "#kernel/internal";
import { bootAdmin, client, type AdminSite } from "../../../support/admin-site.js";

describe("tokens:create, tokens:list, tokens:revoke", () => {
  let site: AdminSite;
  before(async () => {
    site = await bootAdmin();
  });
  after(() => site.close());
  const lines: string[] = [];
  const same = (text: string): string => text;
  const out: Output = {
    line: (text = "") => void lines.push(text),
    json: (value) => void lines.push(JSON.stringify(value)),
    error: () => undefined,
    progress: () => ({ tick: () => undefined, end: () => undefined }),
    colour: { bold: same, dim: same, green: same, red: same, yellow: same, cyan: same },
  };
  const run = (
    command: typeof createToken,
    options: Record<string, unknown>,
    args: string[] = [],
  ) => {
    lines.length = 0;
    return command.run({
      args,
      options,
      out,
      root: site.root,
      site: async () => site.site.context("admin"),
    });
  };

  it("create a working token, list it without its secret, and revoke it", async () => {
    await run(createToken, { permissions: "pages.read, pages.create", expires: "30d", name: "CI" });
    const token = lines[0] ?? "";
    const program = client(site, { id: "", cookie: "", csrf: "", bearer: token });
    assert.equal((await program.send("GET", "/admin/api/pages")).status, 200);
    assert.equal(
      (await program.send("POST", "/admin/api/pages", { path: "x/default.md", content: "" }))
        .status,
      201,
    );
    await run(listTokens, {});
    assert.match(lines[0] ?? "", /CI {2}pages\.read,pages\.create {2}expires/);
    assert.doesNotMatch(lines.join(), new RegExp(token));
    const id = token.split("_")[1] ?? "";
    assert.equal(await run(revokeToken, {}, [id]), 0);
    assert.equal(await run(revokeToken, {}, [id]), 1);
    assert.equal((await program.send("GET", "/admin/api/pages")).status, 401);
  });

  it("reject unknown permissions, and none", async () => {
    await assert.rejects(async () => run(createToken, { permissions: "everything" }), {
      code: "ERR_ADMIN_TOKEN",
    });
    await assert.rejects(async () => run(createToken, {}), { code: "ERR_ADMIN_TOKEN" });
  });

  it("read --expires", () => {
    assert.equal(expiry(undefined, 5), null);
    assert.equal(expiry("12h", 0), 43_200_000);
    assert.equal(expiry("2027-01-31", 0), Date.parse("2027-01-31"));
    for (const when of ["soon", "1m", "-1d", "2027-99-99", ""])
      assert.throws(() => expiry(when, 0), { code: "ERR_ADMIN_TOKEN" });
  });
});
