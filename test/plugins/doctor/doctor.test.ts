import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { answerJson, startApi } from "../../support/servers/api-stand-in.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { lockRoot } from "#lib/files";
import type { Plugin } from "#kernel";
import { loadConfig } from "../../support/sites/config-root.js";
import { diagnose } from "../../support/processes/doctor.js";
import { startProcess } from "../../support/processes/site-process.js";
import { useFolder } from "../../support/folder.js";
import { startMailServer } from "../../support/servers/mail-server.js";
import { until } from "../../support/until.js";

/** Variables for one test. */
function withVariables(variables: Record<string, string>): void {
  before(() => Object.assign(process.env, variables));
  after(() => Object.keys(variables).forEach((name) => delete process.env[name]));
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 1;
}

describe("site doctor", () => {
  const folder = useFolder();
  beforeEach(() => put({ "site.yaml": "title: T\n", "content/index.md": "# Hello\n" }));

  async function put(files: Record<string, string>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true });
      await writeFile(join(folder.path, path), text);
    }
  }

  it("finds no error in a new site, and creates its folders with --fix", async () => {
    const before = await diagnose(folder.path);
    assert.equal(before.code, 0, JSON.stringify(before.findings));
    const missing = before.problems("folders").map(({ seen }) => seen);
    assert.ok(missing.includes("data does not exist"), missing.join());
    const fixed = await diagnose(folder.path, { fix: true });
    assert.deepEqual(fixed.problems("folders"), []);
    assert.ok(fixed.findings.some(({ repaired }) => repaired.includes("created data")));
    assert.ok(existsSync(join(folder.path, "data")));
  });

  it("loads what is native, and starts the site", async () => {
    const { findings } = await diagnose(folder.path);
    for (const check of ["node", "images", "passwords", "start", "search", "health"]) {
      const levels = findings.filter((one) => one.check === check).map(({ level }) => level);
      assert.deepEqual(levels, ["ok"], `${check}: ${JSON.stringify(findings)}`);
    }
  });

  it("lists the deprecated features that the site uses", async () => {
    await put({
      "site.yaml": "title: T\nplugins:\n  - src: ./plugins/shop.mjs\n",
      "plugins/shop.mjs": `export default { name: "shop", version: "2.1.0", setup: (site) =>
        site.deprecate("SHOP_CART", "onCart is replaced by onCartChange", "2.1.0") };`,
    });
    const found = await diagnose(folder.path);
    assert.deepEqual(
      found.problems("deprecations").map(({ level, seen }) => `${level} ${seen}`),
      ["warning SHOP_CART: onCart is replaced by onCartChange (plugin shop, since 2.1.0)"],
    );
    assert.equal(found.code, 0);
  });

  it("warns about gated pages of a site without a login", async () => {
    await put({ "content/g.md": "---\nroles: member\n---\nG\n" });
    const [found] = (await diagnose(folder.path)).problems("logins");
    assert.equal(found?.level, "warning");
    assert.match(found?.seen ?? "", /g\.md/);
    await put({ "site.yaml": "title: T\nauth: { mode: dune }\n" });
    assert.deepEqual((await diagnose(folder.path)).problems("logins"), []);
  });

  it("reports a plugin whose checks cannot be loaded, and runs those of the others", async () => {
    const lost = `() => import("./lost.mjs")`;
    for (const [diagnostics, reason] of [
      [lost, /^plugin "shop": its diagnostics could not be loaded: Cannot find module/],
      ["async () => ({})", /^plugin "shop": "diagnostics": expected a list$/],
    ] as const) {
      await put({
        "site.yaml": "title: T\nplugins:\n  - src: ./plugins/shop.mjs\n",
        "plugins/shop.mjs": `export default { name: "shop", version: "2.1.0", diagnostics: ${diagnostics} };`,
      });
      const found = await diagnose(folder.path);
      const [{ level, seen } = { level: "", seen: "" }] = found.problems("shop");
      assert.equal(level, "error");
      assert.match(seen, reason);
      assert.ok(found.findings.some(({ check }) => check === "search"));
    }
  });

  it("names a problem of the configuration with file and line, and checks the rest", async () => {
    await put({ "site.yaml": "title: T\nurl: nowhere\n" });
    const { code, problems, findings } = await diagnose(folder.path);
    assert.equal(code, 1);
    assert.match(problems("configuration")[0]?.seen ?? "", /site\.yaml:2/);
    assert.ok(findings.some(({ check }) => check === "passwords"));
    assert.ok(!findings.some(({ check }) => check === "start"));
  });

  it("names a variable that is not set", async () => {
    await put({ "site.yaml": "title: T\nhealth_token: $NOT_SET_ANYWHERE\n" });
    const { problems } = await diagnose(folder.path);
    assert.match(problems("variables")[0]?.seen ?? "", /NOT_SET_ANYWHERE/);
  });

  it("reports a folder that is a file", async () => {
    await put({ data: "in the way" });
    const { code, problems } = await diagnose(folder.path);
    assert.equal(code, 1);
    assert.match(problems("folders")[0]?.seen ?? "", /data is not a folder/);
  });

  it("reports a missing git and npm, each with what fails", async () => {
    const path = process.env["PATH"];
    process.env["PATH"] = folder.path;
    try {
      const { problems } = await diagnose(folder.path);
      const seen = problems("programs").map((finding) => finding.seen);
      assert.match(seen.join("\n"), /^git is not in PATH: .*\nnpm is not in PATH: /);
    } finally {
      process.env["PATH"] = path;
    }
  });

  it("names each damaged file of a store with the reason", async () => {
    const id = "01JDXW0000000000000000000A";
    await put({
      "data/users/cut.json": '{"id":"cu',
      "data/users/other.json": '{"id":"other"}',
      "data/permissions/cut.json": "{",
      "data/uploads/any.json": "no JSON, and no file of a store",
      [`.dune/admin/jobs/webhook/${id}.json`]: `{"id":"${id}"}`,
      ".dune/admin/tokens/cut.json": "",
      ".dune/admin/sessions/whole.json": "{}",
    });
    const { code, problems } = await diagnose(folder.path);
    assert.equal(code, 1);
    assert.deepEqual(
      problems("stored files")
        .map(({ seen }) => seen)
        .toSorted(),
      [
        `.dune/admin/jobs/webhook/${id}.json is damaged: fields are missing or wrong`,
        ".dune/admin/tokens/cut.json is damaged: it is no valid JSON",
        "data/permissions/cut.json is damaged: it is no valid JSON",
        "data/users/cut.json is damaged: it is no valid JSON",
        "data/users/other.json is damaged: fields are missing or wrong",
      ],
    );
  });

  it("names file, line and key of a mistake in sidebar.yaml", async () => {
    await put({ "site.yaml": "title: T\ntheme: { preset: docs }\n" });
    for (const [text, seen] of [
      [
        "- page: /\n- { titel: Wrong }\n",
        /^sidebar\.yaml:2:1 {2}titel {2}received "- \{ titel: Wrong \}"/,
      ],
      [
        "- page: /\n- [\n",
        /^sidebar\.yaml:\d:1 {2}\(file\) {2}received .* {2}expected .*valid YAML: /,
      ],
    ] as const) {
      await put({ "sidebar.yaml": text });
      assert.match((await diagnose(folder.path)).problems("configuration")[0]?.seen ?? "", seen);
    }
  });

  it("shows the health of the server that runs, not of a site of its own", async () => {
    const sick: Plugin = {
      name: "sick",
      version: "1.0.0",
      requires: ["health"],
      setup: (site) => site.use("health").addCheck("sick", () => "it has a cold"),
    };
    const site = await bootSite({ root: folder.path, extraPlugins: [sick] });
    const { runtime } = site.site.context("test").paths;
    const lock = await lockRoot(runtime, () => undefined);
    try {
      await rm(join(runtime, "health.json"), { force: true });
      const own = (await diagnose(folder.path)).findings.filter(({ check }) => check === "health");
      assert.deepEqual(
        own.map(({ level }) => level),
        ["ok"],
      );
      const note = { at: Date.now(), problems: site.site.context("test").use("health").problems() };
      await writeFile(join(runtime, "health.json"), JSON.stringify(note));
      const { problems, code } = await diagnose(folder.path);
      assert.deepEqual(
        [code, problems("health").map(({ seen }) => seen)],
        [1, ["sick: it has a cold"]],
      );
    } finally {
      lock.release();
      await site.close();
    }
  });

  it("ends although stores and remotes accept connections and do not respond", async function () {
    this.timeout(300_000);
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const at = `127.0.0.1:${port}`;
    await put({
      "site.yaml": `title: T
email: { from: Site <site@example.org>, provider: smtp, smtp: { host: 127.0.0.1, port: ${port} } }\n`,
      "system.yaml": `git_sync: { remote: "http://${at}/x.git" }
session_store: { type: redis, url: "redis://${at}/0" }
records: { store: postgres }
imageStore: { type: s3, bucket: images, endpoint: "http://${at}" }\n`,
    });
    const env = {
      SITE_DB_URL: `postgres://user@${at}/site`,
      SITE_S3_ACCESS_KEY_ID: "key",
      SITE_S3_SECRET_ACCESS_KEY: "secret",
    };
    const { ended, text } = startProcess(["doctor", "--root", folder.path], { env });
    try {
      assert.equal(await ended(), 1, text());
      assert.match(text(), /redis: Redis does not respond: no response within 8000 ms/);
      assert.match(text(), /git remote: the remote does not respond/);
      assert.match(text(), /postgres: PostgreSQL does not respond: /);
      assert.match(text(), /image store: the bucket images does not respond within 8 seconds/);
      assert.match(text(), /mail: .*: the mail server did not respond within 4 seconds/);
      assert.match(text(), /site: not started, .*postgres/);
      assert.doesNotMatch(text(), /no result within/);
    } finally {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => silent.close(resolve));
    }
  });

  it("reports a folder that the server cannot write", async function () {
    if (process.getuid?.() !== 0) this.skip();
    await mkdir(join(folder.path, "data"));
    for (const path of ["", "content", "data"]) await chmod(join(folder.path, path), 0o755);
    const { settings } = await loadConfig({ "site.yaml": "title: T" });
    process.seteuid?.(65_534);
    try {
      const { foldersCheck } = await import("../../../plugins/doctor/folder-checks.js");
      const found = await foldersCheck.run({
        paths: {
          root: folder.path,
          content: join(folder.path, "content"),
          data: join(folder.path, "data"),
          runtime: folder.path,
          cache: folder.path,
        },
        settings,
        env: { mode: "dev", get: () => undefined, expand: () => undefined },
        site: () => Promise.reject(new Error("not needed")),
      });
      assert.match(found.map(({ seen }) => seen).join("\n"), /data cannot be written: EACCES/);
    } finally {
      process.seteuid?.(0);
    }
  });

  it("does not say that a site starts which cannot create its folders", async function () {
    if (process.getuid?.() !== 0) this.skip();
    for (const path of ["", "content"]) await chmod(join(folder.path, path), 0o755);
    process.seteuid?.(65_534);
    try {
      const { code, problems, findings } = await diagnose(folder.path);
      assert.equal(code, 1);
      const [found] = problems("folders").filter(({ seen }) => seen.startsWith(".dune"));
      assert.deepEqual(
        [found?.level, found?.seen, found?.fix],
        [
          "error",
          ".dune/admin cannot be created: EACCES",
          'let the user of the server write it: chown -R "$(id -un)" .',
        ],
      );
      assert.deepEqual(
        findings.filter(({ check }) => check === "start"),
        [],
      );
    } finally {
      process.seteuid?.(0);
    }
  });

  it("protects files with secrets with --fix", async () => {
    await put({ ".env": "A=b\n" });
    await chmod(join(folder.path, ".env"), 0o644);
    const { code, problems } = await diagnose(folder.path);
    assert.equal(code, 1);
    assert.match(problems("secret files")[0]?.fix ?? "", /chmod 600 \.env/);
    const fixed = await diagnose(folder.path, { fix: true });
    assert.equal(fixed.code, 0, JSON.stringify(fixed.findings));
    assert.equal((await stat(join(folder.path, ".env"))).mode & 0o777, 0o600);
  });

  it("reports folders with secrets that other users can read, and corrects them with --fix", async () => {
    const files = [
      "data/users/old/b.json",
      "data/permissions/a.json",
      "data/payments/users/a.json",
      ".dune/admin/history/blog.md/00000001.json",
      ".dune/cache/search-index.json",
      ".dune/backups/notes.txt",
    ];
    await put({
      ...Object.fromEntries(files.map((file) => [file, "{}"])),
      "data/permissions/a.json": '{"user":"a","fingerprint":null,"tuples":[]}',
      "data/uploads/a.png": "",
    });
    const at = (path: string): string => join(folder.path, path);
    const modeOf = async (path: string): Promise<string> =>
      ((await stat(at(path))).mode & 0o777).toString(8);
    for (const name of ["data", ".dune"]) {
      for (const path of [
        name,
        ...(await readdir(at(name), { recursive: true })).map((one) => join(name, one)),
      ]) {
        await chmod(at(path), (await stat(at(path))).isDirectory() ? 0o755 : 0o644);
      }
    }
    await symlink(at("data/uploads"), at("data/users/link"));
    const { problems, code } = await diagnose(folder.path);
    assert.equal(code, 0);
    const fixes = problems("private folders").map(({ fix }) => fix ?? "");
    assert.deepEqual(fixes.toSorted(), [
      "chmod -R go= .dune/admin",
      "chmod -R go= .dune/backups",
      "chmod -R go= .dune/cache",
      "chmod -R go= data/payments",
      "chmod -R go= data/permissions",
      "chmod -R go= data/users",
    ]);
    const seen = problems("private folders")
      .map((one) => one.seen)
      .join("\n");
    assert.match(
      seen,
      /can read data\/users: 3 files and folders, such as data\/users\/old\/b\.json \(mode 644\)/,
    );
    const fixed = await diagnose(folder.path, { fix: true });
    assert.deepEqual(fixed.problems("private folders"), []);
    for (const file of files) {
      assert.deepEqual([await modeOf(file), await modeOf(dirname(file))], ["600", "700"], file);
    }
    assert.deepEqual(
      [await modeOf("data/uploads"), await modeOf("data/uploads/a.png")],
      ["755", "644"],
    );
  });

  it("does not report files that other users cannot reach", async () => {
    await put({ "data/users/a.json": "{}" });
    await chmod(join(folder.path, "data/users"), 0o700);
    await chmod(join(folder.path, "data/users/a.json"), 0o644);
    assert.deepEqual((await diagnose(folder.path)).problems("private folders"), []);
  });

  it("removes the lock of a server that has ended with --fix", async () => {
    const lock = ".dune/admin/server.lock";
    await put({ [lock]: "{}" });
    const { problems } = await diagnose(folder.path);
    assert.match(problems("locks")[0]?.seen ?? "", /process that has ended/);
    await diagnose(folder.path, { fix: true });
    assert.ok(!existsSync(join(folder.path, lock)));
  });

  it("reports mail that a server does not take", async () => {
    const port = await closedPort();
    const email = `email: { provider: smtp, from: a@example.org, smtp: { host: 127.0.0.1, port: ${port} } }\n`;
    await put({ "site.yaml": `title: T\n${email}` });
    const { code, problems } = await diagnose(folder.path);
    assert.equal(code, 1);
    assert.match(problems("mail")[0]?.seen ?? "", new RegExp(`127\\.0\\.0\\.1:${port}`));
    const mail = await startMailServer();
    await put({ "site.yaml": `title: T\n${email.replace(String(port), String(mail.port))}` });
    const now = await diagnose(folder.path);
    assert.deepEqual(now.problems("mail"), []);
    await mail.close();
  });

  it("reports credentials that the content delivery network rejects, and purges nothing", async () => {
    const api = await startApi((res, { headers }) => {
      const isRight = headers.authorization === "Bearer right-token";
      answerJson(res, { success: isRight, errors: [{ code: 1000 }] }, isRight ? 200 : 401);
    });
    const cdn = (token: string): string =>
      `cdn: { provider: cloudflare, zone_id: z1, api_token: ${token}, url: "${api.url}" }\n`;
    try {
      await put({ "system.yaml": cdn("wrong-token") });
      const { code, problems, findings } = await diagnose(folder.path);
      assert.equal(code, 1);
      assert.match(problems("cdn")[0]?.seen ?? "", /does not accept the credentials: .*401/);
      assert.match(problems("cdn")[0]?.fix ?? "", /cdn\.api_token/);
      assert.doesNotMatch(JSON.stringify(findings), /wrong-token/);
      await put({ "system.yaml": cdn("right-token") });
      assert.deepEqual((await diagnose(folder.path)).problems("cdn"), []);
      const asked = new Set(api.calls.map(({ method, url }) => `${method} ${url}`));
      assert.deepEqual([...asked], ["GET /user/tokens/verify", "GET /zones/z1"]);
    } finally {
      await api.close();
    }
  });

  it("reports a content delivery network that does not respond", async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    for (const keys of ["provider: fastly, service_id: s", 'provider: bunny, pull_zone_id: "1"']) {
      await put({ "system.yaml": `cdn: { ${keys}, api_key: k, url: "${url}" }\n` });
      const { problems } = await diagnose(folder.path);
      assert.equal(problems("cdn")[0]?.level, "error");
    }
  });

  it("reports a public address without encryption, and a missing trust_proxy", async () => {
    await put({ "site.yaml": "title: T\nurl: http://example.org\n" });
    const open = await diagnose(folder.path);
    assert.equal(open.code, 1);
    assert.match(open.problems("exposure")[0]?.seen ?? "", /without encryption/);
    await put({ "site.yaml": "title: T\nurl: https://example.org\n" });
    const proxied = await diagnose(folder.path);
    assert.equal(proxied.code, 0);
    assert.match(proxied.problems("exposure")[0]?.seen ?? "", /trust_proxy/);
  });

  it("reports an old backup", async () => {
    const name = ".dune/backups/backup-2026-01-02T03-30-00Z.tar.gz";
    await put({ [name]: "", "system.yaml": 'backup: { schedule: "30 3 * * *" }\n' });
    await utimes(join(folder.path, name), 0, 0);
    const { code, problems } = await diagnose(folder.path);
    assert.equal(code, 1);
    assert.match(
      problems("backup")[0]?.seen ?? "",
      /days old .*03:30:00\.000Z was missed, and later ones/,
    );
    assert.match(problems("backup")[0]?.fix ?? "", /start a server/);
  });

  it("reports a daily backup that was missed, although the newest is days old only", async () => {
    const name = (days: number): string => {
      const time = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19);
      return `.dune/backups/backup-${time.replaceAll(":", "-")}Z.tar.gz`;
    };
    await put({ [name(6)]: "", "system.yaml": 'backup: { schedule: "30 3 * * *" }\n' });
    const daily = await diagnose(folder.path);
    assert.equal(daily.problems("backup")[0]?.level, "error");
    assert.match(daily.problems("backup")[0]?.seen ?? "", /6 days old .* was missed/);
    await put({ [name(20)]: "", [name(0)]: "" });
    assert.deepEqual((await diagnose(folder.path)).problems("backup"), []);
  });

  it("reports jobs that are due, and starts none of them", async () => {
    const past = Date.now() - 3 * 86_400_000;
    await put({ "system.yaml": 'backup: { schedule: "30 3 * * *" }\n' });
    const server = await bootSite({
      root: folder.path,
      plugins: ["backup", "health", "pages"],
      clock: { now: () => past },
    });
    await until(async () => (await server.site.use("jobs").list()).length > 0);
    await server.close();
    const { problems } = await diagnose(folder.path);
    assert.match(problems("scheduler")[0]?.seen ?? "", /1 jobs are due .*\(backup\)/);
    assert.match(problems("scheduler")[0]?.fix ?? "", /start a server/);
    assert.equal((await diagnose(folder.path)).problems("scheduler").length, 1);
  });

  it("reports a search engine that fails", async () => {
    const engine = `{ build: async () => { throw new Error("no room") }, search: () => ({ total: 0, hits: [] }), suggest: () => [] }`;
    await put({
      "plugins/broken.mjs": `export default { name: "broken", version: "1.0.0", setup(site) {
        site.hooks.on("onSearchEngineCreate", ({ data }) => data.register("broken", ${engine}));
      } };\n`,
      "site.yaml": "title: T\nplugins: [./plugins/broken.mjs]\n",
      "system.yaml": "search: { engine: broken }\n",
    });
    const { code, problems } = await diagnose(folder.path);
    assert.equal(code, 1);
    assert.match(problems("search")[0]?.seen ?? "", /search in broken fails: .*no room/);
    assert.match(problems("search")[0]?.fix ?? "", /log/);
  });

  it("finds a search index whose file was damaged: it has been built again", async () => {
    await diagnose(folder.path);
    for (const name of ["search-index.bin", "search-index.json"]) {
      await put({ [`.dune/cache/${name}`]: "{broken" });
    }
    const { code, findings } = await diagnose(folder.path);
    assert.equal(code, 0, JSON.stringify(findings));
    const [search] = findings.filter(({ check }) => check === "search");
    assert.deepEqual([search?.level, search?.seen], ["ok", "1 documents in the index of builtin"]);
  });

  it("judges the age of backups without a schedule", async () => {
    const time = new Date(Date.now() - 9 * 86_400_000).toISOString().slice(0, 19);
    await put({ [`.dune/backups/backup-${time.replaceAll(":", "-")}Z.tar.gz`]: "" });
    const { code, problems } = await diagnose(folder.path);
    assert.equal(code, 0);
    assert.equal(problems("backup")[0]?.level, "warning");
    assert.match(problems("backup")[0]?.fix ?? "", /run site backup/);
  });

  it("reports plugins that do not load, and checks the rest", async () => {
    const code = 'export default { name: "late", version: "1.0.0", engine: ">=9", setup() {} };\n';
    await put({
      "plugins/late.mjs": code,
      "site.yaml": "title: T\nurl: http://example.org\nplugins: [./plugins/late.mjs]\n",
    });
    const { code: exit, problems } = await diagnose(folder.path);
    assert.equal(exit, 1);
    const [found] = problems("plugins");
    assert.match(found?.seen ?? "", /plugin "late" needs plugin API ">=9"/);
    assert.match(found?.fix ?? "", /install a version/);
    assert.equal(problems("exposure").length, 1);
  });

  it("does not judge the address of a remote as a secret", async () => {
    await put({ "system.yaml": "git_sync: { remote: /nowhere.git, branch: main }\n" });
    const { problems } = await diagnose(folder.path);
    assert.deepEqual(problems("secrets"), []);
    assert.match(problems("git remote")[0]?.seen ?? "", /does not respond/);
  });

  it("has no checks of plugins that are not selected", async () => {
    await put({ "site.yaml": "title: T\nplugins: [content, pages]\n" });
    const { code, findings } = await diagnose(folder.path);
    assert.equal(code, 0, JSON.stringify(findings));
    const checks = new Set(findings.map(({ check }) => check));
    for (const check of ["images", "passwords", "search", "backup"]) assert.ok(!checks.has(check));
  });

  describe("with a Redis that does not respond", () => {
    withVariables({ SITE_REDIS_URL: "redis://:secret-password@127.0.0.1:1/0" });

    it("reports it, and no secret", async () => {
      await put({ "system.yaml": "rateLimit: { store: redis }\n" });
      const { code, problems, findings } = await diagnose(folder.path);
      assert.equal(code, 1);
      assert.match(problems("redis")[0]?.seen ?? "", /ECONNREFUSED/);
      assert.match(problems("redis")[0]?.fix ?? "", /SITE_REDIS_URL/);
      assert.doesNotMatch(JSON.stringify(findings), /secret-password/);
    });
  });

  describe("with a weak secret", () => {
    withVariables({ SITE_AUTH_SECRET: "changeme-changeme-changeme-changeme" });

    it("reports its name, not its value", async () => {
      const { code, problems, findings } = await diagnose(folder.path);
      assert.equal(code, 1);
      assert.match(problems("secrets")[0]?.seen ?? "", /SITE_AUTH_SECRET/);
      assert.doesNotMatch(JSON.stringify(findings), /changeme-changeme/);
    });
  });
});
