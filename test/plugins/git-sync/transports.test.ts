import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { RecordedLog } from "#testing";
import { startGitHttp, type GitHttp } from "../../support/servers/git-http.js";
import { gitRemote, page, type GitRemote } from "../../support/servers/git-remote.js";
import type { SshServer } from "../../../scripts/services/sshd.js";
import { useSshd } from "../../support/services.js";

const HOME = "01.home/default.md";
const LOGIN = { user: "content-bot", password: "a-s3cret/with?marks" };

describe("a remote that is reached over", () => {
  let remote: GitRemote;
  let log = new RecordedLog();
  beforeEach(async () => {
    remote = await gitRemote();
    log = new RecordedLog();
  });
  afterEach(() => remote.close());

  /** Clones, pulls and pushes; the site. */
  const inStep = async (name: string, address: string) => {
    const site = await remote.boot(name, { sync: { remote: address }, log: log.logger });
    const { content, gitSync } = {
      content: site.site.use("content"),
      gitSync: site.site.use("gitSync"),
    };
    const titles = () => [...content.generation().bySource.values()].map(({ title }) => title);
    assert.deepEqual(titles(), ["Home"]);
    await remote.push({ "02.new/default.md": page("New") });
    await content.apply([{ op: "write", path: HOME, content: page("Saved") }]);
    await gitSync.sync();
    assert.equal(gitSync.status().lastError, null);
    assert.deepEqual(titles(), ["Saved", "New"]);
    assert.match(remote.bare("show", `main:${HOME}`), /title: Saved/);
    return site;
  };

  describe("http with a password", () => {
    let server: GitHttp;
    const address = (password: string): string =>
      `http://${LOGIN.user}:${encodeURIComponent(password)}@127.0.0.1:${server.port}/remote.git`;
    beforeEach(async () => {
      remote.bare("config", "http.receivepack", "true");
      server = await startGitHttp(remote.base, `${LOGIN.user}:${LOGIN.password}`);
    });
    afterEach(() => server.close());

    it("is not called when it came through the admin API and is private now", async () => {
      const site = await inStep("held", address(LOGIN.password));
      await site.site.use("guardedHosts").guard(["127.0.0.1"]);
      const gitSync = site.site.use("gitSync");
      await gitSync.sync();
      assert.match(gitSync.status().lastError ?? "", /must not be called.*private or loopback/);
      assert.doesNotMatch(JSON.stringify(gitSync.status()), /a-s3cret/);
    });

    it("stays in step, and the password is in no argument, file or log", async () => {
      const site = await inStep("site", address(LOGIN.password));
      const basic = Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString("base64");
      const secrets = [LOGIN.password, encodeURIComponent(LOGIN.password), basic];
      const config = await readFile(join(site.root, "content/.git/config"), "utf8");
      const texts = [config, JSON.stringify(log.lines), ...server.seen];
      assert.ok(
        [...server.seen].some((line) => line.includes("git-remote-http")),
        "git was not seen",
      );
      for (const secret of secrets) {
        assert.ok(!texts.some((text) => text.includes(secret)), `${secret} is shown`);
      }
    });

    it("keeps serving with a wrong password, and reports it without the password", async () => {
      await (await inStep("site", address(LOGIN.password))).close();
      const site = await remote.boot("site", {
        sync: { remote: address("wr0ng-password") },
        log: log.logger,
      });
      await site.site.use("gitSync").sync();
      const { lastError, failingSince } = site.site.use("gitSync").status();
      assert.match(lastError ?? "", /[Aa]uthentication failed|could not read/);
      assert.notEqual(failingSince, null);
      assert.equal(site.site.use("content").generation().entries.length, 2);
      const shown = JSON.stringify([log.lines, lastError]);
      for (const secret of ["wr0ng-password", LOGIN.user])
        assert.ok(!shown.includes(secret), shown);
    });
  });

  describe("ssh with a key", () => {
    let server: SshServer;
    before(async function () {
      server = await useSshd(this);
    });
    afterEach(() => delete process.env["GIT_SSH_COMMAND"]);

    it("stays in step", async () => {
      process.env["GIT_SSH_COMMAND"] = server.command;
      const { user, port } = server;
      const site = await inStep("site", `ssh://${user}@127.0.0.1:${port}${remote.url}`);
      assert.deepEqual(await readdir(join(site.root, "content")), [".git", "01.home", "02.new"]);
    });

    it("reports a key that the host does not accept, and no page is lost", async () => {
      const { user, port, command, key } = server;
      const address = `ssh://${user}@127.0.0.1:${port}${remote.url}`;
      process.env["GIT_SSH_COMMAND"] = command;
      await (await inStep("site", address)).close();
      process.env["GIT_SSH_COMMAND"] = command.replace(key, "/dev/null");
      const site = await remote.boot("site", { sync: { remote: address } });
      await site.site.use("gitSync").sync();
      assert.match(site.site.use("gitSync").status().lastError ?? "", /remote|Permission denied/);
      assert.equal(site.site.use("content").generation().entries.length, 2);
    });
  });
});
