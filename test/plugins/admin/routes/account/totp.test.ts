import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, enableTotp, form } from "../../../../support/sites/account-site.js";
import { password, postLogin } from "../../../../support/sites/admin-site.js";
import { until } from "../../../../support/until.js";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const PATH = "/admin/api/me/totp";
const STEP = 30_000;

describe("{admin.path}/api/me/totp", () => {
  let now = Date.parse("2026-03-01T00:00:00Z");
  const site = useFreshAdmin({ clock: { now: () => now } });
  const author = site.user("author");

  const login = (fields: Record<string, string>) => postLogin(site, fields);
  const withCode = async (code: string) =>
    (await login({ username: "author-user", password, code })).status;

  it("is enabled by a code, and then needed for the login", async () => {
    const { secret, uri, qr } = await author.json(201, "POST", PATH, { current: password });
    assert.match(uri, /^otpauth:\/\/totp\/.*author-user%40example\.org.*secret=/);
    assert.match(qr, /^<svg/);
    assert.equal((await author.json(200, "GET", PATH)).enabled, false);
    assert.equal(await withCode(""), 200);
    await author.json(400, "POST", `${PATH}/confirm`, { code: "000000" });

    const code = codeOf(secret, now);
    const { recoveryCodes } = await author.json(200, "POST", `${PATH}/confirm`, { code });
    assert.equal(new Set(recoveryCodes).size, 10);
    const status = await author.json(200, "GET", PATH);
    assert.deepEqual(status, { enabled: true, confirmedAt: now, recoveryCodesLeft: 10 });
    const answer = await login({ username: "author-user", password });
    assert.equal(answer.status, 401);
    const { error, totp } = (await answer.json()) as Record<string, unknown>;
    assert.deepEqual([error, totp], ["enter the code of your authenticator app", true]);
    assert.equal(answer.headers.getSetCookie().length, 0);
    now += STEP;
    assert.equal(await withCode(codeOf(secret, now)), 200);
  });

  it("accepts a code once, one step early or late, and none further away", async () => {
    const { secret } = await enableTotp(author, now);
    assert.equal(await withCode(codeOf(secret, now)), 401, "the one that confirmed");
    now += 10 * STEP;
    assert.equal(await withCode(codeOf(secret, now - 2 * STEP)), 401);
    assert.equal(await withCode(codeOf(secret, now + 2 * STEP)), 401);
    assert.equal(await withCode(codeOf(secret, now - STEP)), 200);
    assert.equal(await withCode(codeOf(secret, now - STEP)), 401);
    const code = codeOf(secret, now + STEP);
    const answers = await Promise.all([withCode(code), withCode(code)]);
    assert.deepEqual(answers.toSorted(), [200, 401]);
  });

  it("accepts each recovery code once, however it is written", async () => {
    const { recoveryCodes } = await enableTotp(author, now);
    const [first = "", second = ""] = recoveryCodes;
    assert.deepEqual([await withCode(first), await withCode(first)], [200, 401]);
    assert.equal(await withCode(` ${second.toUpperCase().replaceAll("-", " ")}`), 200);
    assert.equal((await author.json(200, "GET", PATH)).recoveryCodesLeft, 8);
    const renewed = await author.json(200, "POST", `${PATH}/recovery-codes`, { current: password });
    assert.equal(await withCode(recoveryCodes[2] ?? ""), 401);
    assert.equal(await withCode(renewed.recoveryCodes[0]), 200);
  });

  it("counts wrong codes per account, whatever name was entered", async () => {
    const { secret } = await enableTotp(author, now);
    now += STEP;
    for (let tried = 0; tried < 5; tried += 1) {
      for (const username of ["author-user", "author-user@example.org"]) {
        assert.equal((await login({ username, password, code: "000000" })).status, 401);
      }
    }
    assert.equal(await withCode(codeOf(secret, now)), 429);
    now += 15 * 60_000;
    assert.equal(await withCode(codeOf(secret, now)), 200);
  });

  it("does not count the question for the code, and gives no guesses for it", async () => {
    const { secret } = await enableTotp(author, now);
    now += STEP;
    for (let tried = 0; tried < 12; tried += 1) assert.equal(await withCode(""), 401);
    for (let tried = 0; tried < 9; tried += 1) {
      assert.equal(await withCode("000000"), 401);
      assert.equal(await withCode(""), 401);
    }
    assert.equal(await withCode(codeOf(secret, now)), 200);
  });

  it("asks for the code in a second form, which contains no password", async () => {
    const { secret } = await enableTotp(author, now);
    now += STEP;
    const first = await form(site, "/admin/login", {
      username: "author-user",
      password,
      next: "/admin/pages",
    });
    const html = await first.text();
    assert.equal(first.status, 401);
    assert.match(html, /autocomplete="one-time-code"/);
    assert.doesNotMatch(html, /correct horse|role="alert"|name="password"/);
    const step = /name="step" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const wrong = await form(site, "/admin/login", { step, code: "000000" });
    assert.equal(wrong.status, 401);
    assert.match(await wrong.text(), /role="alert"[\s\S]*name="step"/);
    const code = codeOf(secret, now);
    const done = await form(site, "/admin/login", { step, code, next: "/admin/pages" });
    assert.deepEqual([done.status, done.headers.get("location")], [303, "/admin/pages"]);

    now += STEP;
    const forged = step.replace(/^./, (first) => (first === "A" ? "B" : "A"));
    for (const each of [forged, "x", "x".repeat(2_000)]) {
      const refused = await login({ step: each, code: codeOf(secret, now) });
      assert.equal(refused.status, 401);
    }
    await site.site.use("users").setPassword(author.id, "changed meanwhile 99");
    assert.equal((await login({ step, code: codeOf(secret, now) })).status, 401);
  });

  it("expires the second form after five minutes", async () => {
    const { secret } = await enableTotp(author, now);
    const answer = await login({ username: "author-user", password });
    const { step } = (await answer.json()) as { step: string };
    now += 5 * 60_000;
    assert.equal((await login({ step, code: codeOf(secret, now) })).status, 401);
    assert.equal(await withCode(codeOf(secret, now)), 200);
  });

  it("needs the password to be enabled and removed, and a session", async () => {
    await author.json(403, "POST", PATH, { current: "wrong" });
    await enableTotp(author, now);
    await author.json(409, "POST", PATH, { current: password });
    await author.json(403, "DELETE", PATH, { current: "wrong" });
    const program = await site.withToken(["pages.read"], { userId: author.id });
    await program.json(403, "DELETE", PATH, { current: password });
    await author.json(200, "DELETE", PATH, { current: password });
    await author.json(404, "DELETE", PATH, { current: password });
    assert.equal(await withCode(""), 200);
  });

  it("is removed by an admin for an account that lost it", async () => {
    await enableTotp(author, now);
    const path = `/admin/api/users/${author.id}/totp`;
    const editor = await site.as("editor");
    await editor.json(403, "DELETE", path);
    const admin = await site.as("admin");
    await admin.json(200, "DELETE", path);
    await admin.json(404, "DELETE", path);
    assert.equal((await author.send("GET", PATH)).status, 401);
    assert.equal(await withCode(""), 200);
  });

  it("stores neither secret nor recovery codes in plain text, and nothing of deleted accounts", async () => {
    const { secret, recoveryCodes } = await enableTotp(author, now);
    const folder = join(site.root, ".dune/admin/panel-totp");
    const [name = ""] = await readdir(folder);
    const stored = await readFile(join(folder, name), "utf8");
    assert.ok(!stored.includes(secret) && !stored.includes(recoveryCodes[0] ?? "-"));
    const admin = await site.as("admin");
    await admin.json(200, "DELETE", `/admin/api/users/${author.id}`);
    await until(async () => (await readdir(folder)).length === 0);
  });
});
