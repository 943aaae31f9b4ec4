import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { definePlugin } from "#kernel";
import { startCaddy } from "../../scripts/services/caddy.js";
import { startNginx } from "../../scripts/services/nginx.js";
import { freePort, type ServerProcess } from "../../scripts/services/server-process.js";
import { useFolder } from "../support/folder.js";
import { textOf } from "../support/repository.js";
import { selfSigned } from "../support/servers/mail-server.js";
import { useCaddy, useNginx } from "../support/services.js";
import { useSite } from "../support/sites/use-site.js";
import { until } from "../support/until.js";

const page = textOf("content/05.operate/01.deployment/docs.md");

/** The code block of the page with this title. */
function block(title: string): string {
  const [, code] = new RegExp(`title="${title}"\n([^]*?)\`\`\``).exec(page) ?? [];
  return code ?? assert.fail(`no block ${title}`);
}

/** Responds with what the site knows of a request, and counts the bytes of uploads. */
const seen = definePlugin({
  name: "seen",
  version: "1.0.0",
  setup(site) {
    site.http.use("routes", (req, res, next) => {
      if (req.path !== "/seen") return next();
      let bytes = 0;
      req.on("data", (chunk: Buffer) => (bytes += chunk.length));
      req.on("end", () => {
        res.json({ protocol: req.protocol, host: req.host, ip: req.ip, bytes });
      });
    });
  },
});

/** What runs in front of the site at `upstream`, with its certificate in `folder`, as the page configures it. */
interface Recipe {
  name: string;
  start(
    context: Mocha.Context,
    site: { upstream: string; folder: string; port: number },
  ): Promise<ServerProcess>;
}

const recipes: readonly Recipe[] = [
  {
    name: "nginx",
    async start(context, { upstream, folder, port }) {
      const conf = block("/etc/nginx/conf.d/site.conf")
        .replace("127.0.0.1:8000", upstream)
        .replace("listen 443", `listen 127.0.0.1:${port}`)
        .replaceAll("/etc/letsencrypt/live/example.org", folder)
        .replace("example.org", "localhost");
      return startNginx(await useNginx(context), conf);
    },
  },
  {
    name: "Caddy",
    async start(context, { upstream, folder, port }) {
      const own = `https://localhost:${port} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`;
      const caddyfile = block("/etc/caddy/Caddyfile")
        .replace("127.0.0.1:8000", upstream)
        .replace("example.org {", own);
      return startCaddy(await useCaddy(context), caddyfile);
    },
  },
];

for (const { name, start } of recipes) {
  describe(`a site behind ${name}, as the documentation configures it`, function () {
    this.timeout(240_000);
    const folder = useFolder();
    const site = useSite({
      files: { "content/a.md": "# Behind a proxy\n" },
      settings: { system: { server: { trust_proxy: 1 } } },
      extraPlugins: [seen],
      undeclared: true,
    });
    const certificate = selfSigned();
    let proxy: ServerProcess | null = null;
    let port = 0;
    beforeEach(async function () {
      await writeFile(join(folder.path, "fullchain.pem"), certificate.cert);
      await writeFile(join(folder.path, "privkey.pem"), certificate.key);
      port = await freePort();
      const upstream = new URL(site.url).host;
      proxy = await start(this, { upstream, folder: folder.path, port });
    });
    afterEach(async () => {
      await proxy?.stop();
      proxy = null;
    });

    async function open(
      path: string,
      options: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
    ): Promise<IncomingMessage> {
      const { method = "GET", headers = {}, body } = options;
      const sent = request({
        host: "localhost",
        port,
        path,
        method,
        headers,
        ca: certificate.cert,
        // A connection of its own each time.
        agent: false,
      });
      sent.end(body);
      const [response]: IncomingMessage[] = await once(sent, "response");
      return response ?? assert.fail("no response");
    }

    async function textOfResponse(response: IncomingMessage): Promise<string> {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString();
    }

    it("serves pages, and knows protocol, host and visitor", async () => {
      const answer = await open("/a");
      assert.equal(answer.statusCode, 200);
      assert.match(await textOfResponse(answer), /Behind a proxy<\/h1>/);
      const forged = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "gopher" };
      const known: unknown = JSON.parse(
        await textOfResponse(await open("/seen", { headers: forged })),
      );
      assert.deepEqual(known, {
        protocol: "https",
        host: `localhost${name === "nginx" ? "" : `:${port}`}`,
        ip: "127.0.0.1",
        bytes: 0,
      });
    });

    it("passes uploads of several megabytes", async () => {
      const body = Buffer.alloc(20 * 1_024 * 1_024);
      const answer = await open("/seen", { method: "POST", body });
      assert.equal(answer.statusCode, 200);
      assert.equal(JSON.parse(await textOfResponse(answer)).bytes, body.length);
    });

    it("passes streams while they are open", async () => {
      const headers = { accept: "text/event-stream" };
      const stream = await open("/api/changes", { headers });
      let text = "";
      stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      await until(() => text.includes("event: ready"));
      const content = site.site.use("content");
      await content.apply([{ op: "write", path: "b.md", content: "# New\n" }]);
      await until(() => text.includes('"key":"b.md"'));
      stream.destroy();
    });
  });
}
