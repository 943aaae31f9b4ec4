import assert from "node:assert/strict";
import { PERMISSION_TEXTS, PERMISSIONS } from "../../../plugins/admin/accounts/permissions.js";
import {
  createToken,
  expiry,
  listPermissions,
  listTokens,
  revokeToken,
} from "../../../plugins/admin/commands.js";
import { commandOutput } from "../../support/processes/command-output.js";
import { client } from "../../support/sites/admin-site.js";
import { useAdmin } from "../../support/sites/use-site.js";

describe("tokens:create, tokens:list, tokens:revoke", () => {
  const site = useAdmin();
  const run = async (
    command: typeof createToken,
    options: Record<string, unknown>,
    args: string[] = [],
  ) => {
    const { out, ...printed } = commandOutput();
    const context = async () => site.site.context("admin");
    const code = await command.run({ args, options, out, root: site.root, site: context });
    return { code, ...printed };
  };

  it("explains every permission", async () => {
    const { lines } = await run(listPermissions, {});
    assert.equal(lines.length, PERMISSIONS.length);
    for (const [at, name] of PERMISSIONS.entries()) {
      assert.equal(lines[at], `${name.padEnd(18)} ${PERMISSION_TEXTS[name].en.description}`);
    }
    const { json } = await run(listPermissions, { json: true });
    assert.equal(Array.isArray(json[0]) && json[0].length, PERMISSIONS.length);
  });

  it("create a working token, list it without its secret, and revoke it", async () => {
    const options = { permissions: "pages.read, pages.create", expires: "30d", name: "CI" };
    const [token = ""] = (await run(createToken, options)).lines;
    const program = client(site, { id: "", cookie: "", csrf: "", bearer: token });
    assert.equal((await program.send("GET", "/admin/api/pages")).status, 200);
    await program.json(201, "POST", "/admin/api/pages", { path: "x/default.md", content: "" });
    const { lines } = await run(listTokens, {});
    assert.match(lines[0] ?? "", /CI {2}pages\.read,pages\.create {2}expires/);
    assert.doesNotMatch(lines.join(), new RegExp(token));
    const id = token.split("_")[1] ?? "";
    assert.equal((await run(revokeToken, {}, [id])).code, 0);
    await assert.rejects(async () => run(revokeToken, {}, [id]), {
      code: "ERR_CLI_OPTION",
      exitCode: 2,
    });
    assert.equal((await program.send("GET", "/admin/api/pages")).status, 401);
  });

  it("limit a token to paths and fields, which cannot create another token", async () => {
    const permissions = "pages.read,pages.update,pages.publish,pages.delete";
    const limits = { paths: "blog/**, news", fields: "title,body" };
    const [bearer = ""] = (await run(createToken, { permissions, ...limits })).lines;
    const program = client(site, { id: "", cookie: "", csrf: "", bearer });
    const url = (path: string): string => `/admin/api/pages/${path}`;
    const post = url("02.blog/01.first/post.md");
    await program.json(200, "PUT", post, { frontmatter: { title: "One" } });
    await program.json(403, "PUT", post, { frontmatter: { tags: ["b"] } });
    await program.json(403, "DELETE", post);
    await program.json(403, "GET", url("01.home/default.md"));
    const [token] = (await site.site.use("admin").tokens.list()).slice(-1);
    assert.deepEqual(
      [token?.paths, token?.fields],
      [
        ["blog/**", "news"],
        ["title", "body"],
      ],
    );
    const more = { name: "more", permissions: ["pages.read"] };
    await program.json(403, "POST", "/admin/api/tokens", more);
    await assert.rejects(async () => run(createToken, { permissions, fields: "a b" }), /fields/);
  });

  it("reject unknown permissions, and none", async () => {
    await assert.rejects(async () => run(createToken, { permissions: "everything" }), {
      code: "ERR_ADMIN_TOKEN",
    });
    await assert.rejects(async () => run(createToken, {}), { code: "ERR_ADMIN_TOKEN" });
  });

  it("read --expires", () => {
    assert.equal(expiry(undefined, { now: 5, timezone: "UTC" }), null);
    assert.equal(expiry("12h", { now: 0, timezone: "UTC" }), 43_200_000);
    assert.equal(
      expiry("2027-01-31", { now: 0, timezone: "Europe/Berlin" }),
      Date.parse("2027-01-30T23:00Z"),
    );
    for (const when of ["2027-02-30", "soon", "1m", "-1d", "2027-99-99", ""])
      assert.throws(() => expiry(when, { now: 0, timezone: "UTC" }), { code: "ERR_ADMIN_TOKEN" });
  });
});
