// The whole site in a host's own Express app, below a path and at the root.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import compression from "compression";
import express from "express";
import { createEnv, createSite, silentLog, type Site } from "#kernel";
import { firstParty } from "../../plugins/main.js";

const HOST = "http://host.example";
const password = "correct horse battery";

interface Host {
  site: Site;
  server: Server;
  root: string;
  base: string;
}

/** A host app with middleware, routes and upgrades of its own; the site is mounted at `mount`. */
async function startHost(path: string, mount = path): Promise<Host> {
  const root = await mkdtemp(join(tmpdir(), "site-host-"));
  await mkdir(join(root, "content/01.home"), { recursive: true });
  await mkdir(join(root, "content/02.boats"));
  await writeFile(join(root, "site.yaml"), `title: Host\nurl: ${HOST}${path}\n`);
  await writeFile(
    join(root, "content/01.home/default.md"),
    "---\ntitle: Home\n---\n[Boats](/boats)\n",
  );
  await writeFile(join(root, "content/02.boats/default.md"), "---\ntitle: Boats\n---\nText.\n");
  const site = await createSite(root, {
    firstParty,
    env: createEnv({ SITE_ENV: "dev" }),
    log: silentLog,
    extraPlugins: [
      {
        name: "cart",
        version: "1.0.0",
        setup: ({ http }) => {
          http.router("/cart", (req: express.Request, res: express.Response) => {
            if (req.query["go"] === "1") res.redirect("/boats");
            else res.cookie("cart", "1", { path: "/" }).json({ session: typeof req.session });
          });
        },
      },
    ],
  });
  await site.prepare();
  const app = express();
  app.use(compression({ threshold: 0 }));
  app.get("/own", (_req, res) => void res.json({ host: true }));
  app.use(mount || "/", site.handler);
  app.use((error: Error, _req: express.Request, res: express.Response, _next: unknown) => {
    res.status(500).json({ code: Reflect.get(error, "code"), message: error.message });
  });
  const server = createServer(app).listen(0, "127.0.0.1");
  server.on("upgrade", (_req, socket) =>
    socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n"),
  );
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { site, server, root, base: `http://127.0.0.1:${port}` };
}

async function stop({ site, server, root }: Host): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await site.close();
  await rm(root, { recursive: true, force: true });
}

for (const path of ["", "/docs", "/a/docs"]) {
  describe(`site.handler in an Express app at ${HOST}${path}`, () => {
    let host: Host;
    const ask = (target: string, init?: RequestInit): Promise<Response> =>
      fetch(host.base + target, { redirect: "manual", ...init });
    before(async () => {
      host = await startHost(path);
    });
    after(() => stop(host));

    it("serves pages with links below the path, compressed by the host", async () => {
      const res = await ask(`${path}/`);
      assert.equal(res.status, 200);
      assert.match(await res.text(), new RegExp(`href="${path}/boats"`));
      assert.equal(res.headers.get("content-encoding"), "gzip");
    });

    it("sends the headers of the site through the host's middleware", async () => {
      const res = await ask(`${path}/boats`);
      assert.ok(res.headers.get("x-request-id"));
      assert.match(res.headers.get("content-security-policy") ?? "", /default-src/);
    });

    it("serves the API, the health route and its own 404 page", async () => {
      const { items } = await (await ask(`${path}/api/pages`)).json();
      assert.equal(items.length, 2);
      assert.equal((await ask(`${path}/health/ready`)).status, 200);
      const none = await ask(`${path}/none`);
      assert.deepEqual(
        [none.status, none.headers.get("content-type")],
        [404, "text/html; charset=utf-8"],
      );
    });

    it("redirects, and sets cookies, below the path", async () => {
      const away = await ask(`${path}/cart?go=1`);
      assert.deepEqual([away.status, away.headers.get("location")], [302, `${path}/boats`]);
      const cart = await ask(`${path}/cart`);
      assert.match(cart.headers.get("set-cookie") ?? "", new RegExp(`Path=${path || "/"}(;|$)`));
      assert.deepEqual(await cart.json(), { session: "object" });
    });

    it("logs in to the panel", async () => {
      const panel = await ask(`${path}/admin`);
      assert.ok([200, 302, 303].includes(panel.status), String(panel.status));
      const users = host.site.use("users");
      const user = await users.create({
        email: "ann@example.org",
        username: "ann",
        provider: "local",
        roles: ["admin"],
      });
      await users.setPassword(user.id, password);
      const res = await ask(`${path}/admin/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username: "ann", password }),
      });
      assert.equal(res.status, 200, await res.clone().text());
      const [cookie = ""] = res.headers.getSetCookie();
      assert.match(cookie, new RegExp(`Path=${path || "/"}`));
      const me = await ask(`${path}/admin/api/me`, {
        headers: { cookie: cookie.split(";")[0] ?? "" },
      });
      assert.equal(me.status, 200);
    });

    it("leaves other routes, and upgrades, to the host", async () => {
      assert.deepEqual(await (await ask("/own")).json(), { host: true });
      const upgrade = request(`${host.base}${path}/socket`, {
        headers: { connection: "Upgrade", upgrade: "echo" },
      });
      upgrade.end();
      const [res, socket] = await once(upgrade, "upgrade");
      socket.destroy();
      assert.equal(res.statusCode, 101);
    });

    it("keeps connections of the host open", async () => {
      const res = await ask(`${path}/boats`);
      assert.notEqual(res.headers.get("connection"), "close");
    });
  });
}

describe("site.handler at another path than that of url", () => {
  it("passes an error that names both paths to the host", async () => {
    const host = await startHost("/docs", "/help");
    const res = await fetch(`${host.base}/help/`);
    const { code, message } = await res.json();
    assert.deepEqual([res.status, code], [500, "ERR_SITE_MOUNT"]);
    assert.match(message, /"\/help".*"\/docs"/);
    await stop(host);
  });
});
