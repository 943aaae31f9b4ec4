import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import compression from "compression";
import express from "express";
import { createEnv, createSite, silentLog, type Site } from "#kernel";
import { firstParty } from "../../../plugins/main.js";
import { mountAuth } from "../../../plugins/auth/mount-auth.js";
import { Browser } from "../../support/browsers/browser.js";
import { until } from "../../support/until.js";

const HOST = "http://host.example";

for (const path of ["", "/docs"])
  describe(`mountAuth on a host's Express app at ${HOST}${path}`, () => {
    let root: string;
    let site: Site;
    let server: Server;
    let base: string;
    const links: string[] = [];

    before(async () => {
      root = await mkdtemp(join(tmpdir(), "site-host-"));
      await writeFile(
        join(root, "site.yaml"),
        `title: Host\nurl: ${HOST}${path}\nauth: { providers: { magicLink: { enabled: true } } }\n`,
      );
      site = await createSite(root, {
        firstParty,
        env: createEnv({ SITE_ENV: "dev" }),
        log: silentLog,
        selection: ["auth", "email"],
        extraPlugins: [
          {
            name: "mailbox",
            version: "1.0.0",
            hooks: {
              onMailerCreate: ({ data }) => {
                data.register("mailbox", { send: async ({ text }) => void links.push(text) });
                data.activate("mailbox");
              },
            },
          },
        ],
      });
      await site.start();
      const app = express();
      app.use(compression());
      mountAuth(app, site);
      app.use(express.json());
      app.get(`${path}/who`, (req, res) => {
        res.json({
          user: req.ctx.state.siteUser?.email ?? null,
          header: req.headers["x-site-user"] ?? null,
        });
      });
      app.post(`${path}/echo`, (req, res) => void res.json(req.body));
      server = app.listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await site.close();
      await rm(root, { recursive: true, force: true });
    });

    it("logs in on the host's port, and identifies visitors of the host's requests", async () => {
      const ann = new Browser({ [HOST]: base });
      const res = await ann.go(`${base}${path}/auth/magic/send`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "ann@example.org", next: "/who" }),
      });
      assert.deepEqual([res.status, await res.json()], [200, { ok: true }]);
      assert.ok(res.headers.get("x-request-id"), "the headers of the site");
      await until(() => links.length > 0);
      const link = /http:\S+/.exec(links.at(-1) ?? "")?.[0] ?? "";
      const login = await ann.go(link);
      assert.deepEqual([login.status, login.headers.get("location")], [302, `${path}/who`]);
      const who = await (await ann.go(`${base}${path}/who`)).json();
      assert.equal(who.user, "ann@example.org");
      assert.equal(JSON.parse(who.header).email, "ann@example.org");
      await ann.go(`${base}${path}/auth/logout`);
      assert.deepEqual(await (await ann.go(`${base}${path}/who`)).json(), {
        user: null,
        header: null,
      });
    });

    it("removes copies of x-site-user sent by clients", async () => {
      for (const name of ["x-site-user", "X-SITE-USER", "x_site_user"]) {
        const res = await fetch(`${base}${path}/who`, {
          headers: { [name]: '{"roles":["admin"]}' },
        });
        assert.deepEqual(await res.json(), { user: null, header: null });
      }
    });

    it("does not affect the host's own routes, parsers and errors", async () => {
      const res = await fetch(`${base}${path}/echo`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"a":1}',
      });
      assert.deepEqual(await res.json(), { a: 1 });
      assert.equal((await fetch(`${base}${path}/unknown`)).status, 404);
      assert.equal((await fetch(`${base}${path}/auth/unknown`)).status, 404);
      assert.equal((await fetch(`${base}${path}/authors`)).status, 404);
    });
  });
